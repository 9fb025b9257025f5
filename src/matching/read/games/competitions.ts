// Sports and competitions, and what venues call them: codes in ids, words in labels and tags. Anything not listed has no competition.

export interface Competition {
  id: string
  sport: string
  name: string
  /** In which its calendar days are counted. */
  timeZone: string
}

const eastern = 'America/New_York'

// id | sport | name | time zone | codes in ids | words
const table: readonly (readonly [
  id: string,
  sport: string,
  name: string,
  timeZone: string,
  codes: string,
  words: RegExp,
])[] = [
  ['wnba', 'basketball', 'WNBA', eastern, 'wnba', /\bwnba\b|women'?s pro(?:fessional)? basketball/],
  ['nba', 'basketball', 'NBA', eastern, 'nba', /\bnba\b|(?<!women'?s )\bpro(?:fessional)? basketball/],
  ['ncaawb', 'basketball', 'NCAA Women’s Basketball', eastern, 'cwbb ncaawb', /\b(?:cwbb|ncaawb?b|ncaa women'?s basketball)\b/],
  ['ncaamb', 'basketball', 'NCAA Men’s Basketball', eastern, 'cbb ncaamb', /\b(?:cbb|ncaab|ncaamb|college basketball)\b/],
  ['euroleague', 'basketball', 'EuroLeague', 'Europe/Madrid', 'euroleague', /\beuroleague\b/],
  ['nfl', 'american-football', 'NFL', eastern, 'nfl', /\bnfl\b|\bpro(?:fessional)? football\b(?! \(soccer)/],
  ['ncaaf', 'american-football', 'NCAA Football', eastern, 'cfb ncaaf', /\b(?:cfb|ncaaf|college football)\b/],
  ['ufl', 'american-football', 'UFL', eastern, 'ufl', /\bufl\b/],
  ['cfl', 'american-football', 'CFL', eastern, 'cfl', /\bcfl\b/],
  ['mlb', 'baseball', 'MLB', eastern, 'mlb', /\bmlb\b|major league baseball|\bpro(?:fessional)? baseball/],
  ['npb', 'baseball', 'NPB', 'Asia/Tokyo', 'npb', /\bnpb\b|nippon professional/],
  ['kbo', 'baseball', 'KBO', 'Asia/Seoul', 'kbo', /\bkbo\b/],
  ['nhl', 'ice-hockey', 'NHL', eastern, 'nhl', /\bnhl\b|\bpro(?:fessional)? hockey/],
  ['khl', 'ice-hockey', 'KHL', 'Europe/Moscow', 'khl', /\bkhl\b/],
  ['shl', 'ice-hockey', 'SHL', 'Europe/Stockholm', 'shl', /\bshl\b/],
  ['epl', 'soccer', 'Premier League', 'Europe/London', 'epl', /\bepl\b|english premier league|^premier league$|england[ -:]+premier league/],
  ['laliga', 'soccer', 'La Liga', 'Europe/Madrid', 'laliga lal', /\bla ?liga\b/],
  ['seriea', 'soccer', 'Serie A', 'Europe/Rome', 'seriea sea', /(?<!brasileirao |brazil |ecuador )\bserie a\b(?! \((?:brazil|ecuador))/],
  ['bundesliga', 'soccer', 'Bundesliga', 'Europe/Berlin', 'bundesliga bun', /(?<!2\. |austrian )\bbundesliga\b(?! 2)/],
  ['ligue1', 'soccer', 'Ligue 1', 'Europe/Paris', 'ligue1 fl1', /\bligue 1\b/],
  ['eredivisie', 'soccer', 'Eredivisie', 'Europe/Amsterdam', 'eredivisie ere', /\beredivisie\b/],
  ['brasileirao', 'soccer', 'Brasileirão Série A', 'America/Sao_Paulo', 'brasileiro bra', /\bbrasileir(?:ao|o)\b|brazil(?:ian)? serie a/],
  ['saudi-pro-league', 'soccer', 'Saudi Pro League', 'Asia/Riyadh', 'saudipl', /\bsaudi (?:pro|professional) league\b/],
  ['mls', 'soccer', 'MLS', eastern, 'mls', /\bmls\b|major league soccer/],
  ['ligamx', 'soccer', 'Liga MX', 'America/Mexico_City', 'ligamx mex', /\bliga mx\b/],
  ['ucl', 'soccer', 'UEFA Champions League', 'Europe/Paris', 'ucl', /\bucl\b|\b(?:uefa )?champions league\b/],
  ['uel', 'soccer', 'UEFA Europa League', 'Europe/Paris', 'uel', /\buel\b|\b(?:uefa )?europa league\b/],
  ['uecl', 'soccer', 'UEFA Conference League', 'Europe/Paris', 'uecl', /\b(?:uefa )?(?:europa )?conference league\b/],
  ['fifa-world-cup', 'soccer', 'FIFA World Cup', 'UTC', 'fifwc', /\bfifa world cup\b/],
  ['ipl', 'cricket', 'Indian Premier League', 'Asia/Kolkata', 'ipl', /\bipl\b|indian premier league/],
  ['atp', 'tennis', 'ATP', 'UTC', 'atp atpchallenger', /\batp\b/],
  ['wta', 'tennis', 'WTA', 'UTC', 'wta', /\bwta\b/],
  ['itf', 'tennis', 'ITF', 'UTC', 'itf itfm itfw', /\bitf\b/],
  ['ufc', 'mma', 'UFC', eastern, 'ufc', /\bufc\b/],
  ['pfl', 'mma', 'PFL', eastern, 'pfl', /\bpfl\b/],
] // biome-ignore format: a table of facts

/** Games named after the sport; ids never name the organizer. */
const sportCodes: Readonly<Record<string, string>> = {
  cs2: 'counter-strike',
  csgo: 'counter-strike',
  lol: 'league-of-legends',
  dota2: 'dota-2',
  val: 'valorant',
  valorant: 'valorant',
  tennis: 'tennis',
  boxing: 'boxing',
}

const sportWords: readonly (readonly [sport: string, words: RegExp])[] = [
  ['american-football', /\b(?:american football|college football|nfl|ncaaf)\b/],
  ['soccer', /\b(?:soccer|futbol|football)\b/],
  ['basketball', /\bbasketball\b/],
  ['baseball', /\bbaseball\b/],
  ['ice-hockey', /\b(?:ice )?hockey\b/],
  ['table-tennis', /\b(?:table tennis|ping pong)\b/],
  ['tennis', /\btennis\b/],
  ['mma', /\b(?:mma|mixed martial arts)\b/],
  ['boxing', /\bboxing\b/],
  ['cricket', /\bcricket\b/],
  ['rugby', /\brugby\b/],
  ['golf', /\b(?:golf|pga)\b/],
  ['motorsport', /\b(?:formula (?:1|one)|f1|nascar|motogp)\b/],
  ['counter-strike', /\b(?:counter[- ]?strike(?: ?2)?|cs:?go|cs2)\b/],
  ['league-of-legends', /\b(?:league of legends|lol)\b/],
  ['dota-2', /\bdota ?2?\b/],
  ['valorant', /\bvalorant\b/],
]

const byId = new Map(
  table.map(([id, sport, name, timeZone]): [string, Competition] => [id, { id, sport, name, timeZone }]),
)
const byCode = new Map<string, Competition>(
  table.flatMap(([id, , , , codes]) => codes.split(' ').map((code): [string, Competition] => [code, byId.get(id)!])),
)

export interface Place {
  sport: string
  competition: Competition | null
}

export const competitionOf = (id: string): Competition | null => byId.get(id) ?? null

/** A league or game by its code in ids; null for any other. */
export function placeOfCode(code: string): Place | null {
  const competition = byCode.get(code)
  if (competition !== undefined) return { sport: competition.sport, competition }
  const sport = sportCodes[code]
  return sport === undefined ? null : { sport, competition: null }
}

const codesLongestFirst = [...byCode.keys(), ...Object.keys(sportCodes)].sort((a, b) => b.length - a.length)

/** The code that a run of letters begins with, and the rest: `ligue11hspread` is `ligue1` and `1hspread`. */
export function splitCode(letters: string): [code: string, rest: string] | null {
  const code = codesLongestFirst.find((each) => letters.startsWith(each))
  return code === undefined ? null : [code, letters.slice(code.length)]
}

/** By words, most trusted label first. */
export function placeOfWords(labels: readonly string[]): Place | null {
  for (const label of labels) {
    const found = table.find(([, , , , , words]) => words.test(label))
    if (found !== undefined) return { sport: found[1], competition: byId.get(found[0])! }
  }
  for (const label of labels) {
    const found = sportWords.find(([, words]) => words.test(label))
    if (found !== undefined) return { sport: found[0], competition: null }
  }
  return null
}

const anyPlace = new RegExp(
  [...table.map(([, , , , , words]) => words), ...sportWords.map(([, words]) => words)]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** A text without the names of sports and competitions. */
export const withoutPlaces = (low: string): string => low.replaceAll(anyPlace, ' ')

const placeBehind = new RegExp(
  `(?<=\\S)\\s+(?:(?:fifa )?world cup|(?:semi-?|quarter-?)?finals?|${anyPlace.source})$`,
  'i',
)

/** A name without the sport or competition that follows it. */
export function stripTrailingPlace(name: string): string {
  const short = name.replace(placeBehind, '')
  return short === name ? name : stripTrailingPlace(short)
}

/** A draw is a separate result in this sport. */
export const hasDraws = (sport: string): boolean => sport === 'soccer'

/** A draw can happen, or the sport is unknown. */
export const mayDraw = (sport: string | null): boolean =>
  sport === null || hasDraws(sport) || sport === 'cricket' || sport === 'rugby'

/** The same for a part of it: a half or an inning may end level in any sport, a set or a map is always won. */
export const mayDrawIn = (sport: string | null, period: string): boolean =>
  mayDraw(sport) || /^(?:half|quarter|period|innings?|regulation)(?:_|$)/.test(period)

/** A side plays once a day, so one side identifies the game. */
export const isOnceADay = (sport: string): boolean => sport === 'tennis' || sport === 'mma' || sport === 'boxing'

/** Maps and games of a series are parts of one match. */
export const isEsport = (sport: string): boolean =>
  sport === 'counter-strike' || sport === 'league-of-legends' || sport === 'dota-2' || sport === 'valorant'
