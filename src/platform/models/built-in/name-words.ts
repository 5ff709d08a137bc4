const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Capitalised wherever they stand and yet no names worth an entity. */
const NON_NAMES =
  words(`I OK Ok TV PM AM I'm I've I'd I'll I’m I’ve I’d I’ll Monday Tuesday Wednesday Thursday Friday
  Saturday Sunday Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays January February March July September
  October November December Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag Januar Februar März Mai Juni Juli
  Oktober Dezember Ich Sie Ihr Ihnen Ihre Du PS P.S Re Fwd FYI BTW LOL OMG ASAP TTYL DIY FAQ TODO AKA EUR USD GBP CHF JPY
  CNY Internet User Assistant Human System`)
/** Dates as a rule, but also parts of names ("Hotel Mar Azul"): no names when they stand alone. */
const SHORT_DATE_WORDS = words(
  'Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec',
)
const ROLE_WORDS = words('User Assistant Human System')
/** Months that are given names too. */
const MONTH_NAMES = words('May April June August')
/** Words that open sentences and are neither stop words nor names; verbs of requests and times above all. */
const OPENINGS =
  words(`hey hi hello thanks thank thx wow oh ah aw aww well yeah yes yep yup no nope ok okay sure sorry
  please great good nice cool awesome amazing wonderful perfect lovely glad happy congrats congratulations maybe perhaps
  however also then now today yesterday tomorrow tonight recently lately later soon sometimes usually often never always
  finally actually honestly basically hopefully unfortunately luckily first second third last next let lets got get getting
  going gonna had been being having looking feeling seeing making taking keep keeping can't don't didn't won't it's that's
  there's here's what's who's how's where's he's she's we're they're you're speaking besides instead anyway plus since
  after before during despite according given based once every each both many most some several few one two three four
  five six seven eight nine ten another other others everyone everything someone something nothing anything people life
  time work home family friends mom dad kids hope wish love miss take make try call go come see look check remember
  remind note consider ensure use add create write read open run start stop set update send tell ask give show find
  believe think know guess sounds looks seems dear best regards kind sincerely welcome happy merry bye goodbye morning
  gestern heute morgen letzte letzten dann danach leider vielleicht hallo danke bitte guten liebe lieber hola gracias ayer
  hoy bonjour merci hier aujourd'hui ciao grazie ieri oggi olá obrigado ontem hoje gisteren vandaag`)

/** Nouns that open sentences without an article, as names do. */
const BARE_NOUNS =
  words(`success nature music art food water money health education technology science history love hate
  trust hope faith luck fun sleep sport football soccer yoga dance tea coffee breakfast lunch dinner bread rice milk
  traffic weather rain snow summer winter spring autumn fall school college university work homework research travel
  freedom peace truth justice beauty nobody somebody everybody anybody none half part stuff news progress support advice
  information data software code access privacy security performance quality communication teamwork leadership politics
  business marketing finance management production staging customer user client server database memory storage power
  energy light sound color colour space time today's dad mum mother father grandma grandpa`)

/** What a person does: after a capitalised first word of a sentence it speaks for a name. */
export const PERSON_VERB =
  /^(?:said|says|went|goes|told|tells|asked|asks|lives|lived|works|worked|wants|wanted|likes|liked|loves|loved|hates|thinks|thought|knows|knew|has|had|called|calls|wrote|writes|joined|joins|moved|moves|met|meets|visited|visits|bought|buys|sold|gave|gives|got|gets|took|takes|made|makes|came|comes|left|leaves|plays|played|studies|studied|teaches|taught|runs|ran|owns|owned|married|approved|approves|agreed|decided|plans|prefers|preferred|needs|needed|mentioned|suggested|recommended|started|starts|finished|won|lost|found|enjoys|enjoyed|sent|sends|hopes|hoped|will|won't|can|can't|doesn't|didn't|is|was|isn't|wasn't|und|wohnt|lebt|arbeitet|sagte|sagt|ging|geht|hat|hatte|mag|liebt|kam|kommt|kaufte|zog|zieht|möchte|ist|war)$/u

export function isCapitalisedNonName(word: string): boolean {
  return NON_NAMES.has(word)
}

export function isShortDateWord(word: string): boolean {
  return SHORT_DATE_WORDS.has(word)
}

export function isRoleWord(word: string): boolean {
  return ROLE_WORDS.has(word)
}

export function isMonthName(word: string): boolean {
  return MONTH_NAMES.has(word)
}

/** `word` in lower case. */
export function isCommonOpening(word: string): boolean {
  return (
    OPENINGS.has(word) ||
    BARE_NOUNS.has(word) ||
    /(?:ing|ly|ness|tion|tions|ment|ments|ity|ings|ful|able|ness|ism|ship)$/.test(word)
  )
}
