"""Short texts on many subjects, kinds of message, and requests to a language model."""

from __future__ import annotations

from typing import Final

from training.phrases.banks import Entry, read_bank

NEWS: Final[dict[str, tuple[Entry, ...]]] = read_bank("""
= news
# sport | matches, athletes and results
{team} beat {team} with a late goal in the cup.
The sprinter set a new national record over 200 metres.
The coach resigned after {small} defeats in a row.
She won the final in straight sets.
The club signed a young striker for a record fee.
Rain delayed the third stage of the cycling race.
# politics | parties, elections and governments
Parliament voted on the new pension law on {day}.
The minister stepped down after the scandal.
The opposition calls for early elections.
Talks about a coalition broke down last night.
The president will meet her counterpart from {country}.
Voters in {city} elect a new mayor.
# business | companies and trade
{company} will close its plant in {city}.
Profits of {company} rose by {percent} in the last quarter.
{company} and {company} plan to merge.
The airline cuts {small} hundred jobs.
The supermarket chain opens stores in {country}.
The board named a new chief executive.
# finance | markets, banks and money
Shares fell sharply after the rate decision.
The central bank left interest rates unchanged.
The currency lost {percent} against the dollar.
Bond yields climbed to their highest in a decade.
Investors moved their money into gold.
Inflation slowed to {percent} in {month}.
# technology | devices, software and the internet
The new phone comes with a faster chip.
Researchers found a hole in a popular browser.
The company presented a robot that folds laundry.
A cloud failure took thousands of sites offline.
The game console sold out within minutes.
An update brings voice control to the television.
# science | research and discoveries
Astronomers found water on a distant planet.
A fossil shows how early birds flew.
The experiment confirms an old theory about neutrinos.
Biologists mapped the genome of the wheat plant.
The probe sent its first pictures of the comet.
Mathematicians proved a conjecture from 1937.
# health | medicine, illness and fitness
A new vaccine protects against malaria.
Doctors warn about too little sleep.
Hospitals report a wave of flu.
Walking half an hour a day lowers blood pressure.
The agency approved a drug against migraine.
Too much salt harms the heart.
# entertainment | films, music and stars
The band announced a farewell tour.
The comedy won {small} awards at the festival.
The actress will play a spy in her next film.
The singer's album went straight to the top of the charts.
The series returns for a fourth season.
Tickets for the musical are sold out.
# weather | forecasts and storms
Heavy snow is expected in the north on {day}.
The heatwave goes on with up to 38 degrees.
A hurricane moves towards the coast.
Fog kept planes on the ground in {city}.
Sunny spells in the morning, showers later.
# crime | police and courts
Police arrested a man after the robbery in {city}.
The court sentenced the fraudster to {small} years.
Thieves stole paintings from the museum.
A jury found the driver not guilty.
The stolen car was found in a barn.
# environment | nature and climate
The river is cleaner than it was in decades.
Glaciers lose more ice than ever measured.
Wolves have come back to the forest.
The town plants a thousand trees.
Plastic waste threatens sea turtles.
# education | schools and universities
Pupils in {city} will start an hour later.
The university opens a new faculty of {course}.
Teachers go on strike on {day}.
More children learn to read with apps.
The ministry reforms the final exams.
# travel | places to visit
The old town of {city} invites you to stroll.
Take the night train to {city} and wake up by the sea.
The best beaches of {country} lie in the south.
Hikers love the trail along the cliffs.
The castle is open from {month} on.
# food | cooking and restaurants
Fry the onions until golden and add the rice.
The new place in {city} serves excellent dumplings.
Let the dough rest for an hour.
A pinch of nutmeg makes the sauce.
Ripe tomatoes need nothing but salt and oil.
# fashion and beauty | clothes, style and care
Wide trousers are back this autumn.
The designer showed coats of recycled wool.
This cream keeps dry skin soft.
Wear the scarf with a plain dress.
# cars and traffic | vehicles and roads
The new electric van goes 400 kilometres on a charge.
The motorway near {city} is closed after a crash.
The maker recalls cars because of faulty brakes.
A hybrid engine saves {percent} of the fuel.
# housing | homes, rents and building
Rents in {city} rose by {percent}.
The flat has {small} rooms and a balcony.
Old factories are turned into lofts.
Building costs keep young families from buying.
# religion | faith and churches
Thousands of pilgrims walked to the shrine.
The bishop spoke about mercy at Easter.
The mosque opens its doors to visitors.
Monks copied the scriptures by hand.
# history | the past
The siege of the fortress lasted {small} months.
In 1848 the people rose against the king.
The Romans built the bridge in the first century.
The archive holds letters of the empress.
# war and conflict | armies and fighting
Troops crossed the border at dawn.
The ceasefire lasted only one night.
Shells hit a village near {city}.
Rebels took the airport.
# animals | pets and wildlife
The puppy must not eat chocolate.
Penguins share the care of their egg.
The zoo in {city} has a baby elephant.
Cats see well in the dark.
# family and relationships | love, children and friends
My sister and I have not spoken in years.
How do I tell my parents that we are engaged?
Our toddler refuses to sleep in his bed.
He forgot our anniversary again.
# hobbies and crafts | making things and leisure
Cast on forty stitches and knit two rows.
Use a fine brush for the model ship.
Prune the roses before the first frost.
My stamp collection grew by {small} pieces.
# work and careers | jobs and offices
How to prepare for a job interview.
Open-plan offices make people less productive, a survey says.
Ask for a raise when the yearly plan is made.
Remote work is here to stay.
# art and literature | books, painting and theatre
The novel tells of a lighthouse keeper.
The painter used thin layers of oil.
The poem has fourteen lines.
The theatre stages a forgotten play.
# law | rights, courts and contracts
The tenant may end the contract with three months' notice.
The supreme court overturned the ruling.
A contract signed by a minor is void.
The patent protects the design for twenty years.
# energy | power, oil and heating
The wind farm off the coast feeds its first power.
Oil prices climbed after the attack on the pipeline.
Heat pumps replace gas boilers.
The reactor was shut down for repairs.
# space | rockets, planets and astronauts
The rocket lifted off from the desert.
Two astronauts repaired the station's antenna.
Mars will be close to the moon tonight.
The rover drilled into a rock.
# farming | crops, animals and land
The harvest of apples was poor after the frost.
Farmers protest against the price of milk.
The cows graze on mountain pastures in summer.
Drones spot weeds in the field.
# games | video games and board games
The final boss has two phases.
Roll the dice and move your piece.
The patch fixes the bug in the last level.
Chess players prepare the opening at home.
""")

MAIL: Final[dict[str, tuple[Entry, ...]]] = read_bank("""
= mail
# refund request | the sender wants money back
Please give me back the {amount} for the {product} that never came.
I want a refund, the {product} is faulty.
You charged me twice; return the money to my card.
I cancelled in time, so I expect my {amount} back.
# cancellation | the sender wants to end something
Please close my account as of {day}.
I want to stop my membership.
End my contract at the next possible date.
I will not renew and ask you to delete my profile.
# complaint | the sender is displeased
The food was cold and the waiter ignored us.
For the third time the technician did not show up.
I am really disappointed by the quality.
How can you sell such rubbish?
# praise | the sender is pleased
Your colleague {name} was extremely helpful.
The best {product} that I ever had.
Thank you for the quick and friendly service.
My family loved the stay.
# question | the sender wants to know something
Until when are you open on {day}?
Does the {product} come with a cable?
How long is the guarantee?
Where can I find the manual?
# order | the sender wants to buy
I would like to order {small} of your {product}s.
Please reserve a table for {small} at {time}.
Send us {small} boxes of the same kind as last time.
We take the offer; please go ahead.
# bug report | the sender reports an error
{app} freezes when I press save.
The page shows only white after the login.
Since {day} the alarm rings an hour late.
The total in the report is wrong.
# suggestion | the sender has an idea
You could put bicycle stands in front of the shop.
How about a vegetarian dish on {day}s?
It would help if the list could be sorted.
Maybe send a reminder before the invoice is due.
# invoice | a bill that must be paid
Please find attached invoice {n} for {amount}, payable within 14 days.
Your monthly bill of {amount} is now available.
We remind you that invoice {n} is overdue.
# meeting | arranging a time to talk
Can we talk on {day} at {time}?
I moved our call to {time}; does that suit you?
You are invited to the kick-off on {day}.
Please suggest a slot next week.
# newsletter | regular news to many readers
Our top stories this week: gardens, books and the new season.
Read what is new in {month} in our magazine.
You receive this mail because you signed up for our news.
# advertisement | unsolicited promotion
Only today: {percent} off on everything, buy now!
Earn {amount} a day from home, click here.
You have been chosen for our exclusive offer!!!
Lose {small} kilos in a week with this tea.
# phishing | a trick to get money or passwords
Your account will be closed unless you confirm your password here.
Dear customer, your parcel is held, pay {amount} at this link.
This is your chief; buy gift cards and send me the codes, I am in a meeting.
We noticed a login from {country}. Verify your card number at once.
# job application | somebody wants a job
I am applying for the position that you advertised.
Attached are my CV and my references.
I have {small} years of experience and would love to join your team.
# out of office | automatic absence notice
I am out of the office until {day} and will answer then.
Thank you for your mail. I am on leave with no access to my inbox.
This mailbox is not read until {month}.
# thanks | nothing but gratitude
Many thanks, that is all I needed!
Thank you so much, {name}.
Got it, thanks a lot for your help.
# apology | the sender is sorry
I am sorry for the late answer.
We apologise for the mix-up with your order.
Please forgive me for missing our appointment.
# security alert | warnings about accounts or systems
A new device was used to sign in to your account.
The certificate of the server runs out in {small} days.
We found malware on host {n}.
# legal threat | lawyers and courts are mentioned
If I do not hear from you by {day}, I will go to court.
My lawyer will contact you.
I will report you to the consumer authority.
# delivery notice | a parcel is on its way
Your order {n} has left our warehouse.
The parcel arrives between {time} and the evening.
Your package was handed to a neighbour.
# reminder | something that must not be forgotten
Remember that the report is due on {day}.
Your appointment is tomorrow at {time}.
Do not forget to bring your passport.
# introduction | somebody presents themself or others
My name is {name} and I am your new contact.
Let me introduce {name}, who joins our team in {city}.
# status report | how far things have come
The migration is {percent} done, no problems so far.
Sprint summary: {small} stories finished, one open.
All tests are green; we release on {day}.
# approval | somebody says yes
Approved, please proceed.
I agree with the plan as it stands.
Fine with me, go ahead.
# refusal | somebody says no
I am afraid that we cannot accept your offer.
No, that does not work for us.
We have to turn down your request.
""")

PROMPTING: Final[dict[str, tuple[Entry, ...]]] = read_bank("""
= kind
# code | writing, fixing or explaining programs
Write a {lang} function that reverses a list.
Why does this {lang} loop never end?
Convert this script from {lang} to {lang}.
Add unit tests for the parser below.
Explain what a mutex does with an example in {lang}.
# mathematics | calculating and proving
Solve x^2 - 5x + 6 = 0.
What is the integral of sin x times x?
Prove that there are infinitely many primes.
What is 17 percent of 2,340?
# writing | composing or rewriting texts
Write a polite mail that declines an invitation.
Make this paragraph shorter and friendlier.
Give me a poem about the sea in {month}.
Draft a speech for my brother's wedding.
# translation | from one language to another
Translate "where is the station" into Japanese.
How do you say good luck in Polish?
Put this letter into formal French.
# summary | shortening a text
Summarise the article in three sentences.
What are the main points of this report?
Give me a one-line version of the minutes.
# facts | knowledge about the world
Who wrote the first detective novel?
When did {country} become independent?
What is the capital of {country}?
How high is the highest waterfall?
# advice | personal questions
Should I move to {city} for a job?
How do I tell my friend that I am angry?
What can I give my mother for her birthday?
# brainstorming | ideas
Give me ten names for a bakery.
What could we do on a rainy {day} with children?
Suggest topics for a podcast about {course}.
# data analysis | tables and numbers
Which month in this table had the highest sales?
Plot the temperature by week.
Find outliers in the attached CSV file.
# small talk | chatting
Hello, how are you today?
Tell me a joke.
Do you ever get bored?
# planning | schedules and itineraries
Plan {small} days in {city} for us.
Make a training schedule for a marathon.
Set up a study plan until the {course} exam.
# roleplay | pretending to be somebody
Act as a job interviewer and ask me questions.
Pretend that you are a pirate captain.
You are my history teacher; examine me.
# health question | symptoms and treatment
What helps against a sore throat?
Is it dangerous to take two of these tablets?
Why does my {body} hurt after running?
# legal question | rights and contracts
Can my landlord keep my deposit?
Is a verbal contract binding?
# shopping | what to buy
Which {product} under {amount} is the best?
Compare these two phones for me.
# image request | pictures
Draw a fox in a spacesuit.
Make a logo for {company}.
""")
