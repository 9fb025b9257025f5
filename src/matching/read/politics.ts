// Elections and appointments: districts, offices, parties, and which part of the race is meant.
import type { Features } from './features.ts'
import { stateOfCode } from './gazetteer.ts'
import { named, pattern } from './patternFilter.ts'
import type { Scratch } from './text.ts'

const ordinals: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
}

const byName = new Map([...stateOfCode].map(([code, name]) => [name.replaceAll('-', ' '), code]))
const stateNames = pattern(
  new RegExp(`\\b(?:${[...stateOfCode.values()].map((name) => name.replaceAll('-', ' ')).join('|')})\\b`),
)

/** The first matching row names the office; longer titles come before those they contain. */
const offices = named([
  ['lieutenant-governor', /\b(?:lieutenant governor(?:ship)?|lt\.? gov(?:ernor)?)\b/g],
  ['attorney-general', /\b(?:attorney general|\bag race)\b/g],
  ['secretary-of-state', /\bsecretary of state\b/g],
  ['secretary-of-defense', /\b(?:secretary of (?:defense|war)|defense secretary)\b/g],
  ['treasurer', /\bstate treasurer\b/g],
  ['governor', /\b(?:governor(?:ship)?s?|gubernatorial|gov\.?)\b/g],
  ['vice-president', /\b(?:vice president(?:ial|cy)?|vp)\b/g],
  ['fed-chair', /\b(?:fed(?:eral reserve)? (?:board )?chair(?:man|person)?|chair of the (?:fed|federal reserve))\b/g],
  ['president', /\b(?:president(?:ial|cy)?)\b/g],
  ['prime-minister', /\b(?:prime minister(?:ship)?|premiership)\b/g],
  ['chancellor', /\bchancellor\b/g],
  ['mayor', /\b(?:mayor(?:al(?:ty)?)?)\b/g],
  ['speaker', /\b(?:speaker(?:ship)?(?: of the (?:u\.?s\.? )?house)?|house speaker)\b/g],
  ['state-senate', /\bstate senate\b/g],
  ['state-house', /\bstate (?:house|assembly)\b/g],
  ['senate', /\b(?:u\.?s\.? )?(?:senate|senator)\b/g],
  ['house', /\b(?:u\.?s\.? )?(?:house of representatives|congressional district|house|congress(?:ional|man|woman))\b/g],
  ['parliament', /\b(?:parliament(?:ary)?|legislative|bundestag|national assembly)\b/g],
  ['supreme-court', /\b(?:supreme court|scotus)\b/g],
])

const marks = {
  district: pattern(/\b([a-z]{2})-?(0?\d{1,2}|al)(?=['\s?.,:;)]|$)/g),
  districtInWords: pattern(/\b([a-z]+(?: [a-z]+)?)'?s? (\d{1,2})(?:st|nd|rd|th) (?:congressional )?district\b/g),
  house: pattern(
    /\b(?:u\.?s\.? )?(?:house(?: of representatives)?|congressional(?: district)?|district)(?: (?:race|seat|election)s?)?(?: (?:for|in))?\b/g,
  ),
  generalElection: pattern(/(?<!attorney )\bgeneral election\b/g),
  vote: pattern(/\b(?:election|presidential|president|vote|primary|mayoral|parliamentary)\b/),
  firstRound: pattern(/\b(?:in |of )?(?:the )?(?:first|1st) round(?: of voting)?\b/g),
  runoff: pattern(/\b(?:in |of )?(?:the )?(?:second round|2nd round|run-?off)\b/g),
  primary: pattern(/\bprimar(?:y|ies)(?: elections?)?\b/g),
  toNomination: pattern(
    /\b(?:win(?:s|ning)?|secures?|gets?|receives?) (?:the )?(?=(?:20\d\d )?(?:\w+ ){0,4}nominations?\b)/g,
  ),
  nomination: pattern(/\b(?:nominees?|nominations?)\b/g),
  midterms: pattern(/\bmidterms?(?: elections?)?\b/g),
  congress: pattern(/\b(\d{3})(?:th|st|nd|rd) congress\b/g),
  chamberSeat: pattern(/\b(?:house|senate) seats?\b/),
  oneSeat: pattern(/\b(?:the|[a-z]{2}-\d+) (?:house|senate) seat\b/),
  seats: pattern(/\bseats?\b/g),
  chamber: pattern(
    /\b(?:the|control of(?: the)?|u\.?s\.?) (?:u\.?s\.? )?(?:house|senate)(?! (?:race|seat|election|speaker|primary|vote|hearing|floor|committee|seats))/,
  ),
  race: pattern(/\b(?:nominee|nomination|primary|candidate|nominated)\b/),
  control: pattern(/\b(?:control(?:s|led)?(?: of)?|majority)\b/g),
  party: pattern(/\b(?:(democrat(?:ic|s)?|dems?)|(republicans?|gop))(?: party)?(?: candidate)?\b/g),
  place: pattern(
    /\b(?:finish(?:es)?|place[sd]?|come[s]?)(?: in)? (?:the )?(?:(\d{1,2})(?:st|nd|rd|th)|(first|second|third|fourth|fifth|last))(?: place)?\b/g,
  ),
}

export function takePolitics(scratch: Scratch, features: Features): void {
  scratch.take(marks.district, (m, raw) => {
    if (!stateOfCode.has(m[1] as string) || !/^[A-Z]{2}/.test(raw)) return false
    features.add('district', `${m[1]}-${m[2] === 'al' ? 0 : Number(m[2])}`)
  })
  scratch.take(marks.districtInWords, (m) => {
    const code = byName.get(m[1] as string) ?? byName.get((m[1] as string).split(' ').at(-1) as string)
    if (code === undefined) return false
    features.add('district', `${code}-${Number(m[2])}`)
  })
  if (features.of('district').length > 0) {
    features.add('office', 'house')
    scratch.has(marks.house)
  }
  scratch.has(marks.generalElection)
  // "the first round", "a runoff", "the primary": part of a race, never the race.
  if (scratch.contains(marks.vote)) {
    if (scratch.has(marks.firstRound)) features.add('stage', 'first-round')
    if (scratch.has(marks.runoff)) features.add('stage', 'runoff')
  }
  // "jungle"/"top-two" and party primaries are distinguished by the party, which is a separate field.
  if (scratch.has(marks.primary)) features.add('stage', 'primary')
  if (scratch.has(marks.toNomination)) features.add('action', 'nominee')
  if (scratch.has(marks.nomination)) features.add('action', 'nominee')
  if (scratch.has(marks.midterms)) features.add('event', 'midterms')
  scratch.take(marks.congress, (m) => {
    features.add('event', `congress-${m[1]}`)
  })
  const seats = scratch.contains(marks.chamberSeat) && !scratch.contains(marks.oneSeat)
  if (seats && scratch.has(marks.seats)) features.add('metric', 'seats')
  const chamber = scratch.contains(marks.chamber)
  for (const { name, wording } of offices) if (scratch.has(wording)) features.add('office', name)
  if (chamber && !raced(scratch, features)) {
    features.add('scope', 'chamber control')
    if (scratch.has(marks.control)) features.add('action', 'win')
  }
  scratch.take(marks.party, (m, raw) => {
    if (!/^[A-Z]/.test(raw)) return false
    features.add('party', m[1] === undefined ? 'republican' : 'democratic')
  })
  scratch.take(marks.place, (m) => {
    const rank =
      m[1] === undefined ? (m[2] === 'last' ? 'last' : String(ordinals[m[2] as string])) : String(Number(m[1]))
    if (rank === '1') features.add('action', 'win')
    else features.add('rank', rank)
  })
}

/** One race of many, not the whole chamber. */
const raced = (scratch: Scratch, features: Features): boolean =>
  scratch.contains(marks.race) ||
  scratch.contains(stateNames) ||
  features.of('action').includes('nominee') ||
  features.of('district').length > 0 ||
  features.of('metric').length > 0
