"""Closed lists of words by kind.

A text that has a word of a list mentions its kind; one without any most likely does not.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Kind(NamedTuple):
    """Words of one kind and how the kind is called: with an article, as a plural, and in other words."""

    one: str
    many: str
    words: frozenset[str]
    about: tuple[str, ...] = ()


def listed(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


KINDS: Final = {
    "animal": Kind("an animal", "animals", listed("dog dogs cat cats horse horses cow cows bird birds fish puppy "
        "puppies kitten sheep goat goats pig pigs lion tiger bear bears elephant elephants monkey monkeys giraffe "
        "zebra duck ducks goose geese snake snakes rabbit rabbits mouse mice deer wolf camel camels donkey bull "
        "chicken chickens whale dolphin shark frog turtle parrot owl eagle fox rats rhinoceros squirrel bees "
        "butterfly"), ("a living creature other than a person",)),
    "food": Kind("food", "things to eat", listed("bread cheese pizza cake cakes apple apples banana bananas rice pasta "
        "soup salad sandwich sandwiches burger burgers chocolate sugar butter egg eggs meat beef pork bacon potato "
        "potatoes tomato tomatoes onion onions fruit vegetables noodles cookies cookie sushi steak spaghetti cereal "
        "pancakes pie lasagna tacos taco carrots hamburger popcorn yogurt broccoli garlic")),
    "drink": Kind("a drink", "drinks", listed("coffee tea beer wine juice milk water soda whisky whiskey vodka "
        "cocktail lemonade champagne espresso latte cola smoothie rum brandy")),
    "vehicle": Kind("a vehicle", "vehicles", listed("car cars truck trucks bus buses train trains bicycle bicycles "
        "bike bikes motorcycle motorcycles van taxi boat boats ship ships airplane airplanes plane planes helicopter "
        "scooter tractor jeep ambulance subway tram wagon lorry minivan yacht kayak canoe"), ("a means of transport",)),
    "colour": Kind("a colour", "colours", listed("red blue green yellow orange purple pink brown black white grey gray "
        "violet turquoise beige maroon teal")),
    "body_part": Kind("a part of the body", "parts of the body", listed("hand hands arm arms leg legs foot feet head "
        "face eye eyes ear ears nose mouth finger fingers knee knees shoulder shoulders neck stomach heart lungs liver "
        "kidney kidneys skin brain tongue teeth chest elbow ankle wrist thumb toe toes hair")),
    "clothing": Kind("a piece of clothing", "clothes", listed("shirt shirts jacket jackets coat coats hat hats dress "
        "dresses jeans trousers pants shorts shoes shoe socks gloves scarf sweater hoodie skirt suit suits uniform "
        "uniforms boots sandals cap swimsuit bikini vest tie helmet apron")),
    "family": Kind("a relative", "family members", listed("mother father mom dad mum brother brothers sister sisters "
        "son sons daughter daughters uncle aunt cousin cousins grandmother grandfather grandma grandpa wife husband "
        "nephew niece parents grandparents")),
    "sport": Kind("a sport", "sports", listed("football soccer basketball baseball tennis golf hockey rugby cricket "
        "volleyball skiing swimming boxing wrestling skateboarding surfing snowboarding skating lacrosse badminton "
        "softball gymnastics bowling karate judo")),
    "instrument": Kind("a musical instrument", "musical instruments", listed("guitar guitars piano violin violins drum "
        "drums flute trumpet saxophone cello harp clarinet banjo accordion trombone keyboard ukulele")),
    "weather": Kind("the weather", "weather", listed("rain rainy raining snow snowy snowing sunny cloudy storm storms "
        "windy fog foggy thunder lightning humid humidity hurricane drizzle hail forecast")),
    "country": Kind("a country", "countries", listed("france germany italy spain portugal england scotland ireland "
        "japan china india russia brazil mexico canada australia egypt greece turkey poland sweden norway denmark "
        "finland switzerland austria belgium netherlands argentina chile peru kenya nigeria iran iraq israel korea "
        "vietnam thailand indonesia pakistan cuba ukraine hungary america")),
    "city": Kind("a city", "cities", listed("london paris berlin madrid rome tokyo chicago boston seattle dallas "
        "houston miami toronto moscow beijing shanghai sydney melbourne dublin vienna amsterdam athens istanbul cairo "
        "mumbai delhi atlanta denver phoenix detroit philadelphia vegas portland barcelona munich prague warsaw "
        "lisbon")),
    "device": Kind("an electronic device", "electronic devices", listed("phone phones laptop computer computers tablet "
        "camera cameras printer router tv television radio keyboard monitor headphones speaker speakers modem "
        "smartphone ipod iphone player microphone projector scanner")),
    "furniture": Kind("a piece of furniture", "furniture", listed("table tables chair chairs sofa couch bed beds desk "
        "desks bench benches shelf shelves cupboard wardrobe stool armchair drawer bookcase")),
    "building": Kind("a building", "buildings", listed("house houses hotel hotels church churches school schools "
        "hospital hospitals museum restaurant restaurants castle library factory theater theatre cathedral temple "
        "stadium airport skyscraper barn mosque palace warehouse supermarket")),
    "profession": Kind("an occupation", "occupations", listed("doctor doctors nurse nurses teacher teachers lawyer "
        "lawyers engineer engineers farmer farmers soldier soldiers policeman actor actors singer artist artists "
        "writer writers scientist scientists chef waiter waitress plumber dentist judge judges banker bankers senator "
        "senators secretary pilot manager managers athlete professor professors tourist carpenter")),
    "plant": Kind("a plant", "plants", listed("tree trees flower flowers grass rose roses bush bushes leaf leaves oak "
        "pine tulip cactus weeds ivy palm bamboo daisy sunflower shrub shrubs")),
    "money_word": Kind("money", "money matters", listed("money dollars dollar euros euro pounds cash price prices cost "
        "costs salary payment fee fees bill bills bank loan debt credit tax taxes paid pay wages income profit")),
    "illness": Kind("an illness", "illnesses", listed("cancer diabetes flu asthma pneumonia syndrome disease diseases "
        "infection infections hiv aids malaria stroke epilepsy arthritis anemia tuberculosis migraine leukemia "
        "lymphoma tumor tumors hepatitis dementia disorder")),
    "religion": Kind("religion", "religion", listed("god church jesus christ christian christians muslim muslims islam "
        "bible prayer priest religion religious jews jewish faith lord holy atheism atheist pope buddhist hindu "
        "mosque")),
    "school": Kind("school or studies", "education", listed("school schools teacher teachers student students "
        "university college exam homework classroom pupils lesson lessons course degree graduate campus professor")),
    "music": Kind("music", "music",
        listed("music song songs album band singer concert melody playlist piano guitar orchestra lyrics jazz tune")),
    "water_place": Kind("water or a coast", "places by the water",
        listed("sea ocean river lake beach pool pond coast waterfall shore stream bay island waves harbor swimming")),
    "time_unit": Kind("a length of time", "lengths of time",
        listed("second seconds minute minutes hour hours week weeks month months decade decades century centuries")),
    "child": Kind("a child", "children", listed("child children boy boys girl girls kid kids baby babies toddler "
        "toddlers infant teenager daughter son")),
    "crime": Kind("a crime", "crime", listed("murder murdered theft thief robbery stole stolen crime criminal "
        "criminals killed killer arrested kidnapped fraud prison jail guilty assault rape")),
    "politics": Kind("politics", "politics", listed("president government election elections minister parliament "
        "senator congress vote voters party democrats republicans policy political politicians politics trump obama "
        "clinton commission council")),
}  # fmt: skip

NEGATIONS: Final = listed("not no never none nobody nothing neither nor nowhere cannot without")
NUMBERS: Final = listed(
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million "
    "billion first second third dozen half both"
)
MONTHS: Final = listed("january february march april june july august september october november december")
DAYS: Final = listed("monday tuesday wednesday thursday friday saturday sunday mondays fridays sundays saturdays")
FIRST: Final = listed("i me my mine myself i'm i've i'll i'd we us our ours we're")
SECOND: Final = listed("you your yours yourself you're you'll you've u ur")
ASKERS: Final = listed(
    "what who whom whose which when where why how is are was were do does did can could will would should has have am "
    "may"
)
COMMANDS: Final = listed(
    "please set turn play add remove delete send show tell find call open close start stop cancel book remind give "
    "make check put order schedule switch increase decrease create transfer read list change"
)
