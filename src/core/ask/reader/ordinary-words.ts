/**
 * English words that are one letter away from a word of questions, such as "experts" from "exports". They are never
 * taken for misspellings.
 */
export const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  `
abide abode activate activates acts adapt adapted adept admit admits advanced aided alike alone alter analyse appealed
arena auction auctions bank batter bean begun bellow bets billet bitter black blink blow boring breath brink broke
broker brought butter caller cancer changer charge charger charges charted clone closer closes closet codes coding
cold combine combines combing comet commend compares concert contrast contributed converging cores court courts covert
creased create creates dares daring dated dealt deceased dials divide dividend divides dose eighth empire empires
employed employer employers engage engages ether exited expert experts extort failing fails farmer farms featured
fever fiance filed fillet filling fills films financed finished fire fires firmer fist fixed flats flaws folds fond
forger form formed forms friction fried fund gases gates generates giver gives glowing greed greet grows hard head
hears heart hearth incite invites joiner kids knows lakes lapse large leaking leaning leaping lease leash leasing
lending lest lever licensed lies liked lines lives loading locking locks lodging logic logs loner longing lots loving
makers males manage managed manger marker market marking masking massage match medial medic menus messing minds mines
mints mixed monkey mouth mouths move mover moves named nearby neatly needy newer noticed novice opener outsider pacing
packaged packed paints pans passes pasted performer persona personas petty picket pickled pissed plains plane planes
plant plants playing plays pleas pleased pointy powder praying precious prints produce profiler propped protect
protects quilt quits quote radio raided rained raise raises raising raked rally ration reaches reacted read reads
recorder reduces remove remover resolve resort resorts retain retaining revenge reward rewarding rewards rewind riders
rides riding righty risking rolls ropes roses ruining rules sand save saver saves scare scared scares scars schedules
scones scope scopes scoping scorer scorn seals seams seas sending sends sets sever severed shade shady shake shame
shank shaped shares sharp shaved shipped shipping shooter shopped shores shorted shorten shower showing shred silencer
sing singled sings skill skipping slate slit slower smart smarter snore solve solves sores space spared spark speed
speeding speeds spill spilt spit splint spores staged stake stakes stale stall stank star starch stare stared stares
starred stat stated stats statue statues statutes stays stepped store stored stores storing strand strangest switches
takes tank tapes teams tend tends theme thinks threw tied ties tile tiles timed timer timers tire tired tires titled
token torched touches tough traced tracing tracker trailers trailing tree trendy triad tribal tricked tries troubled
tuned tyres unload updated upgrades upset ushers vague valued valve verses wandering waning warming weakly weeds white
whites whole words wore worker world worthy wound writer writers
resets rated print chat react visits splits orders exchanges exchanged pages
`
    .trim()
    .split(/\s/),
);
