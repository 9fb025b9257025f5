// Words that are exchanged to make hard negatives. An exchange must always give another question, whatever the rest of the sentence is.

export interface WordSwap {
  from: RegExp
  to: string
  /** The result may be the opposite of the original, which counts as equal. */
  opposite?: boolean
  /** How the other side may state the same, if not in these words. */
  stated?: RegExp
}

/** Earlier ones are preferred. */
export const stageSwaps: readonly WordSwap[] = [
  { from: /\bfirst[- ]round\b/gi, to: 'second round' },
  { from: /\b1st round\b/gi, to: '2nd round' },
  { from: /\bsecond[- ]round\b/gi, to: 'first round' },
  { from: /\brun-?off\b/gi, to: 'first round' },
  { from: /\bquarter-?finals?\b/gi, to: 'semifinals' },
  { from: /\bsemi-?finals?\b/gi, to: 'quarterfinals' },
  { from: /\bgrand finals?\b/gi, to: 'quarterfinals' },
  { from: /\bround of 16\b/gi, to: 'quarterfinals' },
  { from: /\bplayoffs?\b/gi, to: 'grand final' },
  { from: /\bregular season\b/gi, to: 'preseason' },
  { from: /\bgroup stage\b/gi, to: 'final' },
  { from: /\bLeague Championship Series\b/g, to: 'League Division Series', stated: /championship/i },
  { from: /(?<=\bwin (?:the )?(?:20\d\d )?)(?:FIFA )?World Cup\b/g, to: 'World Cup semifinal' },
  {
    from: /\b(?:Democratic|Republican) presidential nomination\b/gi,
    to: 'presidential general election',
    stated: /nomin/i,
  },
  { from: /\b(?:Democratic|Republican) mayoral primary\b/gi, to: 'mayoral general election', stated: /primary/i },
  { from: /\b[Pp]rimary\b(?! (?:resolution|source))/g, to: 'general election', stated: /primary/i },
  { from: /\bnominee\b/gi, to: 'runner-up', stated: /nomin/i },
  { from: /\bcaucus(?:es)?\b/gi, to: 'convention' },
  { from: /\bbe nominated for\b/gi, to: 'win', stated: /nomin/i },
  { from: /\bbe nominated\b/gi, to: 'be confirmed', stated: /nomin/i },
  { from: /\bbe confirmed\b/gi, to: 'be nominated' },
  { from: /\bvote to confirm\b/gi, to: 'vote to advance the nomination of' },
  { from: /\bfirst half\b/gi, to: 'second half' },
  { from: /\bone day after launch\b/gi, to: 'one week after launch' },
]

/** Two comparisons of one threshold may be opposites; two acts are not. */
export const directionSwaps: readonly WordSwap[] = [
  { from: /\babove(?= \$?\d)/gi, to: 'below', opposite: true, stated: /\d/ },
  { from: /\bbelow(?= \$?\d)/gi, to: 'above', opposite: true, stated: /\d/ },
  { from: /\bover(?= \$?\d)/gi, to: 'under', opposite: true, stated: /\d/ },
  { from: /\bunder(?= \$?\d)/gi, to: 'over', opposite: true, stated: /\d/ },
  { from: /\b(?:more|greater|higher) than\b/gi, to: 'less than', opposite: true, stated: /\d/ },
  { from: /\b(?:less|fewer|lower) than\b/gi, to: 'more than', opposite: true, stated: /\d/ },
  { from: /\bat least\b/gi, to: 'at most', opposite: true, stated: /\d/ },
  { from: /\bat most\b/gi, to: 'at least', opposite: true, stated: /\d/ },
  { from: /\bor (?:more|higher|above|greater)\b/gi, to: 'or less', opposite: true, stated: /\d/ },
  { from: /\bor (?:less|fewer|lower|below)\b/gi, to: 'or more', opposite: true, stated: /\d/ },
  { from: /(?<=\d)\+(?![\d+])/g, to: ' or less', opposite: true, stated: /\d/ },
  { from: /\bexceeds?\b/gi, to: 'fall below', opposite: true, stated: /\d/ },
  // Of a hundred senators, fifty may do both.
  {
    from: /(?<!senators )\bvote to confirm\b/gi,
    to: 'vote to reject',
    opposite: true,
    stated: /\bvote (?:for|to confirm)\b/i,
  },
  { from: /(?<!senators )\bvote for\b/gi, to: 'vote against', opposite: true, stated: /\bvote (?:for|to confirm)\b/i },
  { from: /\bbefore\b/gi, to: 'after', stated: /\b(?:by|before|until|in)\b/i },
  {
    from: /\bby (?=(?:the )?(?:end of )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|20\d\d))/g,
    to: 'after ',
    stated: /\b(?:by|before|until|in)\b/i,
  },
  { from: /\bmost (?=votes|seats)/gi, to: 'fewest ', stated: /\b(?:most|wins?)\b/i },
  { from: /\bhighest\b/gi, to: 'lowest' },
  { from: /\blowest\b/gi, to: 'highest' },
  { from: /\bincreases?\b/gi, to: 'decrease' },
  { from: /\bdecreases?\b/gi, to: 'increase' },
  { from: /\bhikes\b/gi, to: 'cuts' },
  { from: /\bcuts\b/gi, to: 'hikes' },
  { from: /\b(?:leave|exit)\b/gi, to: 'join', stated: /\b(?:leaves?|out|exits?)\b/i },
  { from: /\bjoin\b/gi, to: 'leave' },
  { from: /\bendorse\b/gi, to: 'oppose' },
  { from: /\bappointed\b/gi, to: 'dismissed', stated: /\b(?:appoint|replace|next)/i },
  { from: /\bengaged\b/gi, to: 'divorced' },
  { from: /\bacquire\b/gi, to: 'sell' },
]

/** Without the flag for capitals, because a capital after the office begins a person's name ("Governor Reyna"). */
export const officeSwaps: readonly WordSwap[] = [
  { from: /\b[Vv]ice[- ][Pp]resident(?=\b|ial\b)/g, to: 'President' },
  // In an election, one ticket may win both offices.
  { from: /(?<![Vv]ice[- ])\b[Pp]residential(?= nomination\b)/g, to: 'vice presidential', stated: /presiden/i },
  { from: /(?<![Vv]ice[- ])\b[Pp]residential\b/g, to: 'senatorial', stated: /presiden/i },
  { from: /(?<!Vice )\bPresident of\b/g, to: 'Vice President of' },
  { from: /\b[Gg]ubernatorial\b/g, to: 'senatorial', stated: /govern|gubern/i },
  {
    from: /(?<!Lieutenant |Lt\. |lieutenant )\b[Gg]overnor\b(?! (?!Democratic|Republican|Race|Election)\p{Lu})/gu,
    to: 'lieutenant governor',
    stated: /govern|gubern/i,
  },
  { from: /\b[Mm]ayoral\b/g, to: 'city council', stated: /mayor/i },
  { from: /\b[Mm]ayor\b(?! \p{Lu})/gu, to: 'city council president', stated: /mayor/i },
  { from: /\b[Pp]rime [Mm]inister\b/g, to: 'foreign minister' },
  { from: /\b[Cc]hancellor\b/g, to: 'finance minister' },
  { from: /\b[Ss]peaker\b/g, to: 'majority leader' },
  { from: /\b(?:Minority|Majority) Leader\b/g, to: 'Whip' },
  { from: /\bSecretary of (?!Transportation)[A-Z]\w+/g, to: 'Secretary of Transportation' },
  { from: /\bAttorney General\b/g, to: 'Secretary of State' },
  { from: /\bFBI Director\b|\bDirector of the FBI\b/g, to: 'CIA Director' },
  { from: /\bDirector of National Intelligence\b/g, to: 'Director of the Secret Service' },
  { from: /\bUN Ambassador\b|\bU\.N\. Ambassador\b/g, to: 'NATO Ambassador' },
  { from: /\bFed [Cc]hair\b/g, to: 'Treasury Secretary' },
  { from: /\bDNC [Cc]hair\b/g, to: 'RNC chair' },
  { from: /\bHouse(?= (?:seat|race)\b)/g, to: 'Senate' },
  { from: /\bsenator\b(?! \p{Lu})/gu, to: 'attorney general', stated: /senat/i },
  { from: /\b[Pp]ope\b(?! \p{Lu})/gu, to: 'Archbishop of Vienna', stated: /\bpope\b/i },
  { from: /\bCEO\b/g, to: 'CFO' },
  { from: /\b[Pp]arliamentary\b/g, to: 'municipal' },
  { from: /\bCy Young\b/g, to: 'Silver Slugger' },
]

export interface PlaceWord {
  names: readonly string[]
  adjective: string | null
}

const places = (table: string): PlaceWord[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [names = '', adjective] = line.trim().split(' / ')
      return { names: names.split(', '), adjective: adjective ?? null }
    })

/** Countries, states of the United States, cities: a place is exchanged for another of its list. */
export const placeLists: readonly (readonly PlaceWord[])[] = [
  places(`
    New York City, NYC
    Chicago
    Houston
    Berlin
    Paris
    Tampa
    Boston
    Denver
    Cologne
    Seattle
    Miami
    Los Angeles
    Philadelphia
  `),
  places(`
    Ohio
    Texas
    Florida
    Virginia
    West Virginia
    New Jersey
    New York
    New Mexico
    New Hampshire
    South Carolina
    North Carolina
    South Dakota
    Rhode Island
    Colorado
    Massachusetts
    Wisconsin
    Michigan
    Arizona
    Nevada
    Iowa
    Minnesota
    Pennsylvania
    California
  `),
  places(`
    United States, U.S., US, USA
    Canada / Canadian
    Brazil / Brazilian
    Germany / German
    France / French
    Japan / Japanese
    Bolivia / Bolivian
    Chile / Chilean
    Peru / Peruvian
    Colombia / Colombian
    Argentina / Argentine
    Norway / Norwegian
    Sweden / Swedish
    Denmark / Danish
    Poland / Polish
    Mexico / Mexican
    Nigeria / Nigerian
    Kenya / Kenyan
    Israel / Israeli
    Iran / Iranian
    Russia / Russian
    Ukraine / Ukrainian
    Turkey, Türkiye / Turkish
    Syria / Syrian
    India / Indian
    China / Chinese
    Taiwan / Taiwanese
    Spain / Spanish
    Italy / Italian
    Portugal / Portuguese
    Australia / Australian
    Bulgaria / Bulgarian
    Czech Republic, Czechia / Czech
    Austria / Austrian
    Venezuela / Venezuelan
    Netherlands / Dutch
    Haiti / Haitian
    Morocco / Moroccan
    Egypt / Egyptian
    Ontario
  `),
]

const behindPlace =
  /^ (?!Democratic|Republican|Governor|Senat|House|Attorney|Presidential|Mayoral|Parliamentary|Election|Primary|Supreme|Prime|Speaker)\p{Lu}/u
const beforePlace = /\p{Lu}\p{Ll}+ $/u
/** A capital that begins a sentence. */
const firstWord = /(?:^|\n|[:?.] )(?:Will|Does|Can|Has|Is|The|Which|What) $/

/** Whether a place's name in a sentence is no part of a longer name: "Houston Astros", "South Australia". */
export const isPlaceName = (before: string, behind: string): boolean =>
  !behindPlace.test(behind) && !/^ dollars?\b/.test(behind) && (!beforePlace.test(before) || firstWord.test(before))
