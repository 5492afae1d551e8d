"""Messages to the departments of many kinds of organisation."""

from __future__ import annotations

from typing import Final

from training.phrases.banks import Entry, read_bank

DESK: Final[dict[str, tuple[Entry, ...]]] = read_bank("""
= shop
# billing | invoices, charges and payments
I was charged twice for order {n}.
Why does my invoice say {amount} when the price was lower?
Please send me a receipt for my last purchase.
My card statement shows {amount} from you that I cannot place.
Can I pay by bank transfer instead of card?
The VAT number is missing on the bill.
# returns | sending goods back and exchanges
The {product} does not fit, how do I send it back?
I would like to exchange the {product} for a bigger one.
Where do I find the return label?
I changed my mind about the {product}; it is still in its box.
You sent me the wrong colour and I want to swap it.
How many days do I have to bring something back?
# shipping | delivery, parcels and tracking
My parcel should have been here on {day}.
The tracking page has not moved since {day}.
Do you deliver to {country}?
Can you leave the package with my neighbour?
The courier says that nobody was at home, but I was.
What does express delivery cost?
# product advice | which item to buy and what it can do
Which {product} would you suggest for a small flat?
Does this {product} also work outdoors?
What is the difference between the two models of the {product}?
Is the {product} suitable for children?
Will you have the {product} in green again?
How heavy is the {product}?
# complaints | displeasure with service or quality
The {product} broke after {small} days and nobody answers me.
I am appalled at how your staff spoke to me.
This is the worst service that I have ever had.
The {product} looks nothing like the picture.
I have written {small} times and still have no answer.
Your assistant in {city} was rude to my mother.
# loyalty programme | points, vouchers and memberships
How many bonus points do I have?
My voucher code is not accepted at checkout.
When do my points expire?
I would like to become a member of your club.
The birthday discount never came.
Can I give my points to my sister?
= it
# accounts and access | passwords, logins and permissions
I forgot my password and the reset mail does not arrive.
Please give {name} access to the shared drive.
My account is locked after too many attempts.
The second factor asks for a code from my old phone.
A new colleague starts on {day} and needs a login.
I can see the folder but not open it.
# hardware | broken or missing equipment
My {device} does not turn on any more.
The screen flickers and has a green line.
I need a second monitor for my desk.
The battery of my {device} lasts half an hour.
Coffee went into my keyboard.
The docking station is not recognised.
# network | internet, wifi and VPN
The wifi on the third floor is down.
The VPN drops every ten minutes.
I cannot reach the intranet from home.
Our office in {city} has had no internet since {time}.
The connection is terribly slow in video calls.
Which DNS server should I enter?
# software | installing and errors of programs
Please install a PDF editor on my {device}.
The spreadsheet program crashes when I open the budget.
I get error {n} when I start the client.
Our licence for the drawing program has run out.
After the update the menu is gone.
How do I set the language of the office suite to German?
# security incident | viruses, phishing and data leaks
I clicked a link in a strange mail and typed my password.
A pop-up says that my files are encrypted.
I left my {device} on the train.
Somebody in {country} logged in to my mailbox.
A customer list was sent to the wrong person.
I found an unknown USB stick in the printer.
# printing | printers, scanners and toner
The printer on the second floor jams all the time.
We are out of toner.
How do I scan to my mailbox?
Everything comes out with grey stripes.
My documents stay in the queue and never print.
= hr
# holidays | leave and days off
How many days of leave do I have left?
I would like to take {day} off.
Can I carry my vacation over to next year?
Is the day before New Year a holiday with us?
Please cancel my leave in {month}.
# payroll | salary and pay slips
My pay slip for {month} is missing the bonus.
When will the overtime be paid?
I have a new bank account for my wages.
Why was more tax taken off this month?
{amount} is missing from my salary.
# recruiting | applications and open jobs
I would like to apply for the post of data analyst.
Have you decided on my application yet?
Please find my CV attached.
Do you take interns in {month}?
I must move our interview to {day}.
# training | courses and certificates
Is there a course in {lang} this spring?
I passed the exam; where do I send the certificate?
Please sign me up for the first-aid class.
Does the company pay for language lessons?
# sickness | sick notes and health at work
I have a fever and will not come in today.
Here is the note from my doctor until {day}.
My {body} hurts from the chair in the office.
I will be in hospital for {small} days.
# conflict | disputes and harassment at work
My manager shouts at me in front of everyone.
A colleague makes jokes about my accent and it has to stop.
I feel that I was passed over because of my age.
{name} and I can no longer work together.
# contracts | employment terms and resignations
I hereby resign with effect from the end of {month}.
Can I reduce my hours to four days a week?
Is my contract going to be extended?
I need a letter that confirms my employment.
= city
# waste | rubbish and recycling
The bins in our street were not emptied on {day}.
Where can I take an old fridge?
I need a second paper bin.
Somebody dumped mattresses in the wood.
# roads | potholes, lights and signs
There is a deep pothole in front of number {small}.
The street lamp at the corner has been out for weeks.
A stop sign was knocked over.
When will the bridge be open again?
# parking | permits and fines
How do I get a resident's parking permit?
I got a ticket although I had paid.
A van blocks the disabled space every day.
# registration | moving, passports and certificates
I moved here and want to register my address.
How long does a new passport take?
I need a copy of my birth certificate.
Which papers do we need to get married?
# childcare | nurseries and schools
Are there places left in the kindergarten?
From what age do children go to school here?
How much is lunch at the primary school?
# noise | noise and public order
The bar below us plays music until four every night.
My neighbour mows the lawn on Sundays.
Builders start drilling at five in the morning.
# taxes and fees | local taxes and dues
Why is the dog tax higher this year?
I cannot pay the property tax at once; are instalments possible?
Please explain the fee on notice {n}.
# parks | trees, playgrounds and green spaces
A branch has fallen on the playground.
Could you plant trees in our square?
The swing in the park is broken.
= clinic
# appointments | making and moving visits
I would like to see Dr {name} next week.
Please move my appointment from {day} to another day.
Do you have anything free before {time}?
I cannot come tomorrow.
# prescriptions | medicines and repeats
I need more of my blood pressure tablets.
Can you send the prescription to the pharmacy on the square?
The pharmacy says that my prescription is out of date.
# test results | laboratory and scan findings
Are my blood results back?
What does the report of my scan mean?
Could you mail me the findings of the allergy test?
# symptoms | new complaints about health
My {body} has been aching for {small} days.
My son has a rash and a high temperature.
I feel dizzy each time I stand up.
I have been coughing since {day}.
# emergency | life-threatening conditions
My father has chest pain and cannot breathe.
She took a whole box of pills.
He is unconscious and does not react.
My child swallowed a battery.
# insurance and bills | costs and cover
Is this treatment paid by my insurer?
I received a bill of {amount} for a visit that I did not make.
Where do I hand in my insurance card?
# records | files and certificates
Please send my file to my new doctor in {city}.
I need a certificate for my gym.
Which vaccinations do you have on record for me?
= travel
# bookings | new trips and seats
I want to fly to {city} on {day}.
Do you have a double room for {small} nights?
Can I still add a seat for my daughter?
Which train gets me to {city} before {time}?
# changes and cancellations | altered or dropped plans
We can no longer travel in {month}.
Please change the name on ticket {n}.
I need to come back a day earlier.
What does it cost to cancel the room?
# baggage | luggage rules and lost bags
My suitcase did not arrive in {city}.
May I take a guitar on board?
The handle of my bag was torn off during the flight.
How heavy may my suitcase be?
# delays and compensation | late or dropped services
Our flight was {small} hours late and we want compensation.
We missed the connection in {city} because of you.
The ferry was called off without notice.
# visas and documents | papers for entering a country
Do I need a visa for {country}?
My passport runs out in {month}; can I still enter?
Which vaccinations does {country} ask for?
# special assistance | wheelchairs, children and animals
I travel with a wheelchair and need help at the gate.
Can my dog come with me in the cabin?
My son is eight and flies alone.
# hotel service | wishes and problems during a stay
The air conditioning in room {n} does not work.
Could we have extra pillows?
Is breakfast included?
Our room has not been cleaned.
= software
# bug report | something does not work as it should
{app} crashes whenever I open the settings.
The export button does nothing.
Dates are shown a day early since the update.
When I upload a photo I get error {n}.
The search finds nothing although the file is there.
# feature request | wishes for new functions
It would be great to have a dark mode.
Please add a way to sort by date.
Could you support files in CSV?
I miss a shortcut for closing all tabs.
# how-to question | how to use a function
How do I invite a colleague to my project?
Where can I change my language?
Is there a way to undo the last step?
How can I export my data?
# subscription | plans, renewals and cancellation
Please cancel my plan at the end of the month.
What is in the business plan that is not in the free one?
I want to go from yearly to monthly billing.
My subscription was renewed although I had stopped it.
# privacy | personal data and deletion
Delete all data that you hold about me.
Which data do you pass on to others?
Where are your servers located?
I ask for a copy of my personal data.
# outage | the service is down
Nobody in our company can log in right now.
The whole site has shown error 503 since {time}.
All our requests to the API time out.
# integration | connecting with other systems
How do I connect it with our calendar?
The webhook is not called any more.
Is there a client library for {lang}?
What is the rate limit of the API?
# praise | thanks and kind words
The new version is fantastic, thank you!
{name} from support solved it in five minutes, great.
I have to say that I love this program.
= school
# admission | applying for a place
How do I apply for the master's programme in {course}?
What grade do I need to be admitted?
When is the deadline for applications?
# exams | tests, marks and resits
When is the {course} exam?
I think that my mark in {course} is wrong.
Can I repeat the test?
I was ill on the day of the exam.
# library | books and reading rooms
The book on {course} is overdue, what must I pay?
How late is the reading room open?
Can I borrow a laptop?
# scholarships and fees | money for studies
Can I pay the tuition in instalments?
Are there grants for students from {country}?
My scholarship for {month} has not arrived.
# housing | rooms and dormitories
Is there a room free in the dormitory?
The heating in my hall does not work.
My flatmate moved out; who takes the room?
# exchange | studying abroad
I would like to spend a term in {country}.
Will my credits from {city} count here?
# counselling | worries and study problems
I cannot sleep because of the exams and feel hopeless.
I am thinking of dropping out.
I do not know which subject suits me.
= insurance
# new policy | quotes and buying cover
What would it cost to insure my bicycle?
I just bought a house and need cover.
Do you insure dogs?
# claim | reporting damage
A pipe burst and the kitchen is under water.
Somebody drove into my parked car.
My camera was stolen in {city}.
A stone hit my windscreen.
# claim status | asking about a running case
Has claim {n} been decided?
When do you pay for my broken window?
The expert was here on {day}; what now?
# change of details | address, name and vehicle
I got married and have a new name.
My new address is in {city}.
I sold the car and bought another one.
# cancellation | ending a policy
I want to end policy {n}.
I found a cheaper insurer and will leave.
# premium | price and payment of cover
Why has my premium gone up by {percent}?
Can I pay by the month?
= home utilities
# meter reading | reporting consumption
My meter reads {n}.
How do I submit the reading?
# power cut | no electricity
The lights have been out in our street since {time}.
When will the power be back?
# tariff | prices and contracts
Do you have a tariff for electric cars?
What is the price of a unit at night?
# moving house | ending or starting supply
We move to {city} on {day} and need electricity there.
I am leaving the flat; please close my account.
# leak or gas smell | danger in the house
It smells of gas in the hall.
Water is running down the wall of the cellar.
# high bill | questions about the amount
My bill has doubled although I live alone.
Why do I pay {amount} more than last year?
# solar | panels and feeding in
How much do you pay for power from my roof?
Who connects my new panels?
= newsroom
# corrections | mistakes in articles
The name of the mayor is misspelt in your article.
The figure in Tuesday's chart is wrong by a factor of ten.
# subscriptions | delivery and access of the paper
My paper was not in the letter box.
I cannot log in to read the digital edition.
# letters to the editor | opinions of readers
I strongly disagree with your comment on cycling lanes.
As a nurse I would like to reply to your piece.
# tips | hints for reporters
I work at {company} and have documents that you should see.
There is something odd about the new stadium contract.
# advertising | booking adverts
What does half a page on Saturday cost?
We would like to place a notice for our shop.
# press requests | permission and interviews
May we reprint the photo in our school book?
Could your editor give a talk in {city}?
= law office
# tenancy | renting and landlords
My landlord will not give back the deposit.
The rent went up by {percent}; is that allowed?
# employment | dismissal and work
I was fired while on sick leave.
My boss does not pay the overtime.
# family | divorce and custody
My wife and I want to separate; who gets the children?
He does not pay maintenance.
# traffic | fines and accidents
I was flashed at 70 and may lose my licence.
The other driver says that I jumped the light.
# inheritance | wills and estates
My uncle died without a will.
How do I leave my flat to my niece?
# company law | founding and contracts
We want to found a company with {small} partners.
Please check this supply contract.
# criminal law | charges and police
I have been summoned by the police as a suspect.
They accuse me of shoplifting.
""")
