/**
 * English words that are one letter away from a word of questions, such as "experts" from "exports". They are never
 * taken for misspellings.
 */
export const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  `
abide abode activate activates acts adapt adapted adept admit admits advanced aided alike alone alter analyse appealed arena attacked auction auctions bank banks batter bean begun bellow bets billet bitter black blink blow boar boring breath brink broke broker brought butter caller cancer changer charge charger charges charted chat cheap chest clone closer closes closet codes coding cold combine
combines combing comet commend compares concentrate concert cones content contest contrast contributed converging cores court courts covert creased create creates dares daring dated dealt deceased defend dials distribute divide dividend divides dose draws eighth empire empires employed employer employers engage engages ether exchanged exchanges excel exit exited exits expert experts extort faces facing
failing fails farmer farms featured fever fiance figured filed fillet filling fills films financed finished fire fires firmer fist fixed flats flaws folds fond forger form formed forms forth friction fried fund gases gates generates giver gives glowing greed greet grows guess guest guests hard harvest hating having head hears heart hearth hunting incite invites issued joiner kids knows lakes lapse
large late latter layer leaking leaks leaning leaping lease leash leasing lending lest lever licensed lies liked lines lives loading loads locking locks lodging logic logs loner longing lots loving makers males manage managed manger marker market marking masking massage master match medial medic menus messing minds mines mints mixed monkey mouth mouths move mover moves movies named nearby neatly
needy newer noticed novice opener orders outsider pacing packaged packed pages paint paints pans paper passes pasted performer persona personas petty picket pickled pissed plains plane planes plant plants playing plays pleas pleased pointy powder praying precious prepared print prints produce profiler propped protect protects provided provider purchase quilt quits quote radio raided rained raise
raises raising raked rally rated ration reaches react reacted read reads recorder recovery reduces relief remainder reminded remove remover rents resets resolve resort resorts retain retained retaining revenge reward rewarding rewards rewind riders rides riding righty risking rolls ropes roses ruining rules sand save saver saves scare scared scares scars schedules scones scope scopes scoping scorer scorn
seals seams seas seed seized sending sends separated sets setting sever severed shade shady shake shall shame shank shaped shares sharp shaved shipped shipping shirt shoot shooter shopped shores short shorted shorten shot shout shower showing shred silencer simple sing singled sings sizes skill skipped skipping slate slit slower small smart smarter snore solve solves sores space spared spark speed
speeding speeds speedy spill spilt spit splint splits spores sport staged stake stakes stale stall stank star starch stare stared stares starred stat stated stats statue statues statutes stays stepped store stored stores storing storm stormy strand strangest surface sweet switches tablet takes tank tapes teams tend tends theme thinks thorough though threw tied ties tile tiles timed timer timers
tire tired tires titled token torched touches tough traced tracing tracker trailers trailing tree trendy triad tribal tricked tries troubled tuned typed tyres unload updated upgrades upset ushers vague valued valve verses visits wandering waning warming weakly weeds white whites whole women words wore worker world worlds worthy wound wring writer writers
sundays mondays tuesdays wednesdays thursdays fridays saturdays
`
    .trim()
    .split(/\s/),
);
