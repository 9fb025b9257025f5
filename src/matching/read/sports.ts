// Games: who meets whom, which part of the game, which kind of bet, which stage of which competition.
import type { Features } from './features.ts'
import { placeOf, placePattern } from './gazetteer.ts'
import { Letters, named, pattern } from './patternFilter.ts'
import { leagues, teamAliases, teamOfCode, teamOfNickname } from './teams.ts'
import { type Scratch, Scratch as Text, words } from './text.ts'
import { isStopPhrase } from './vocabulary.ts'

export interface Matchup {
  /** Two participants, each as its words or a team code, sorted by their text: "A vs B" is "B at A". */
  sides: [string[], string[]]
  /** In the order of the words. */
  spoken: [string[], string[]]
  /** As written, in that order. */
  names: [string, string]
  /** "A at B": the second is at home. */
  at: boolean
  /** "A beats B": the question is about the first. */
  beats: boolean
}

/** League of the words, else of the id ("KXNBAGAME-…", "aec-mlb-…"). */
export function leagueOf(low: string, id: string): string | null {
  const letters = new Letters(low)
  for (const { name, wording } of leagues) if (wording.isIn(low, letters)) return name
  const inId = /^(?:kx)?[a-z]{0,12}?(wnba|nba|nfl|mlb|nhl|ipl)|-(wnba|nba|nfl|mlb|nhl|ipl)-/.exec(id.toLowerCase())
  return inId?.[1] ?? inId?.[2] ?? null
}

const ordinal = '(1st|first|2nd|second|3rd|third|4th|fourth|5th|fifth|6th|sixth|7th|seventh|8th|eighth|9th|ninth)'
const partOfGame = pattern(
  new RegExp(
    `\\b(?:in |during )?(?:the )?${ordinal}[- ](half|quarter|period|inning|set|map|game|frame|race|5 innings)\\b`,
    'g',
  ),
)
const ordinalRound = pattern(new RegExp(`\\b${ordinal} round\\b`, 'g'))
const rank = (word: string): string => {
  const named = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'].indexOf(word)
  return named >= 0 ? String(named + 1) : String(Number.parseInt(word, 10))
}

/** Competitions with several common names. Women's, club and youth editions keep their own words and stay apart. */
const events = named([
  ['fifa-club-world-cup', /\b(?:fifa )?club world cup\b/g],
  [
    'fifa-world-cup',
    /(?<!(?:women'?s|club|cricket|t20|rugby|esports|u-?\d\d|icc|odi) )(?<!(?:women'?s) fifa )\b(?:fifa )?(?:men'?s )?(?:fifa )?world cup\b(?! of )/g,
  ],
  ['super-bowl', /\b(?:super bowl(?: [lxvi]+)?|(?:nfl|pro football) (?:league )?champion(?:ship)?)\b/g],
  ['nba-finals', /\b(?:(?:nba|pro basketball) (?:finals?|(?:league )?champion(?:ship)?s?))\b/g],
  ['world-series', /\b(?:(?:mlb )?world series(?! of)|(?:mlb|pro baseball) (?:league )?champion(?:ship)?)\b/g],
  ['alcs', /\b(?:(?:pro baseball )?(?:american league|al) (?:championship(?: series)?|champions?|pennant)|alcs)\b/g],
  ['nlcs', /\b(?:(?:pro baseball )?(?:national league|nl) (?:championship(?: series)?|champions?|pennant)|nlcs)\b/g],
  ['stanley-cup', /\b(?:stanley cup(?: finals?)?|(?:nhl|pro hockey) (?:league )?champion(?:ship)?)\b/g],
  ['us-open', /\b(?:the )?u\.?s\.? open\b/g],
  ['open-championship', /\b(?:the )?(?:british open|open championship)\b/g],
  ['champions-league', /\b(?:uefa )?champions league\b/g],
  ['europa-league', /\b(?:uefa )?europa league\b/g],
  ['epl', /(?<!(?:indian|women'?s|scottish|saudi) )\b(?:english premier league|premier league|epl)\b/g],
  ['oscars', /\b(?:the )?(?:oscars?|academy awards?)\b/g],
  ['grammys', /\b(?:the )?grammys?(?: awards?)?\b/g],
  ['emmys', /\b(?:the )?(?:primetime )?emmys?(?: awards?)?\b/g],
  ['golden-globes', /\b(?:the )?golden globes?(?: awards?)?\b/g],
  ['eurovision', /\b(?:the )?eurovision(?: song contest)?\b/g],
])

const stages = named([
  ['grand-final', /\b(?:the )?grand finals?\b/g],
  ['semifinal', /\b(?:the )?semi-?finals?(?: stage)?\b/g],
  ['quarterfinal', /\b(?:the )?quarter-?finals?(?: stage)?\b/g],
  ['playoffs', /\b(?:the )?play-?offs?\b/g],
  ['group-stage', /\b(?:the )?group stage\b/g],
  ['knockout', /\b(?:the )?knockout(?: stage| round)?\b/g],
  ['final', /\b(?:the )?finals?\b(?! (?:score|vote|result))/g],
])

const marks = {
  league: pattern(
    /\b(?:the )?(?:nba|wnba|nfl|mlb|nhl|ipl|indian premier league|pro(?:fessional)? (?:basketball|football|baseball|hockey))\b/g,
  ),
  halfOfBaseball: pattern(/\b(?:(american league|al)|(national league|nl))\b/g),
  halfOfFootball: pattern(/\b(?:(afc)|nfc)(?: championship| champions?)?\b/g),
  conference: pattern(/\b(eastern|western|east|west) conference\b/g),
  women: pattern(/\b(?:women'?s?|ladies'?)\b/g),
  men: pattern(/\bm[ae]n'?s\b/g),
  age: pattern(/\bu-?(1[5-9]|2[0-3])s?\b/g),
  youth: pattern(/\b(?:academy team|reserves|youth|junior)\b/g),
  group: pattern(/\bgroup ([a-l])\b/g),
  roundOf: pattern(/\b(?:the )?(?:round of|last) (64|32|16|8)\b/g),
  stage: pattern(/\bstage (\d)\b/g),
  top: pattern(/\b(?:finish(?:es)? )?(?:in )?(?:the )?top[- ](\d+|two|three|four|five|ten)\b/g),
  part: pattern(
    /\b(?:in )?(?:(game|map|set|race|week|round|day|heat|leg) #?(\d{1,2})|([1-4])(q|h)|(q|h)([1-4])(?! 20))\b/g,
  ),
  halfTime: pattern(/\b(?:at )?half-?time(?: result| leader)?\b|\bleading at half-?time\b/g),
  draw: pattern(/\b(?:end(?:s)? in a )?(?:draw|tie)\b/g),
  winner: pattern(/\b(?:moneyline|match[- ]winner|match[- ]up|winner|match|fight|game|bout)\b(?! \d)/g),
}

export function takeCompetition(scratch: Scratch, features: Features, league: string | null): void {
  if (league !== null) features.add('league', league)
  for (const { name, wording } of events) {
    scratch.take(wording, (m) => {
      features.add('event', name)
      if (/champion(?!ship)|pennant/.test(m[0])) features.add('action', 'win')
    })
  }
  scratch.has(marks.league)
  // The halves of a league; "AFC" elsewhere is part of a football club's name.
  if (league === 'mlb') {
    scratch.take(marks.halfOfBaseball, (m, raw) => {
      if (!/^[A-Z]/.test(raw)) return false
      features.add('group', m[1] === undefined ? 'national league' : 'american league')
    })
  }
  if (league === 'nfl') {
    scratch.take(marks.halfOfFootball, (m) => {
      features.add('group', m[1] === undefined ? 'nfc' : 'afc')
      if (/champions?$/.test(m[0])) features.add('action', 'win')
    })
  }
  scratch.take(marks.conference, (m) => {
    features.add('group', `${(m[1] as string).slice(0, 4)} conference`)
  })
  if (scratch.has(marks.women)) features.add('division', 'women')
  scratch.has(marks.men)
  scratch.take(marks.age, (m) => {
    features.add('division', `under ${m[1]}`)
  })
  scratch.take(marks.youth, (m) => {
    features.add('division', m[0])
  })
  scratch.take(marks.group, (m, raw) => {
    if (!/[A-L]$/.test(raw)) return false
    features.add('group', m[1] as string)
  })
  scratch.take(marks.roundOf, (m) => {
    features.add('stage', `round of ${m[1]}`)
  })
  scratch.take(marks.stage, (m) => {
    features.add('stage', `stage ${m[1]}`)
  })
  scratch.take(marks.top, (m) => {
    const word = ['two', 'three', 'four', 'five'].indexOf(m[1] as string)
    features.add('rank', `top ${word >= 0 ? word + 2 : m[1] === 'ten' ? 10 : m[1]}`)
  })
  takePeriods(scratch, features)
  for (const { name, wording } of stages) if (scratch.has(wording)) features.add('stage', name)
}

function takePeriods(scratch: Scratch, features: Features): void {
  scratch.take(partOfGame, (m) => {
    features.add('period', `${m[2]} ${rank(m[1] as string)}`)
  })
  scratch.take(marks.part, (m) => {
    if (m[1] !== undefined) features.add('period', `${m[1]} ${Number(m[2])}`)
    else features.add('period', `${(m[4] ?? m[5]) === 'q' ? 'quarter' : 'half'} ${m[3] ?? m[6]}`)
  })
  if (scratch.has(marks.halfTime)) features.add('period', 'half 1')
  scratch.take(ordinalRound, (m) => {
    features.add('stage', `round ${rank(m[1] as string)}`)
  })
}

/** Kinds of bets on one game that a bare "A vs B" is not. */
const forms = named([
  ['both score', /\b(?:both teams (?:to )?score|btts)\b/g],
  ['exact score', /\b(?:exact|correct) score\b/g],
  ['corners', /\b(?:total )?corners\b/g],
  ['cards', /\b(?:total )?cards\b/g],
  ['spread', /\b(?:spread|handicap|point spread|wins? by)\b/g],
  ['series', /\bseries (?:winner|exact score)\b|\bwin (?:the )?series\b/g],
  ['total', /\b(?:o\/u|over\/under|totals?|total (?:points|runs|goals|maps|games|kills|sets))\b/g],
  ['method', /\bmethod of (?:victory|finish)\b|\bby (?:decision|knockout|ko|tko|submission)\b/g],
])

/** Only where two sides meet: "spread" and "total" are common words elsewhere. */
export function takeForms(scratch: Scratch, features: Features, own: boolean): void {
  // A draw named by the event's title belongs to another of its markets.
  if (scratch.has(marks.draw) && own) features.add('form', 'draw')
  for (const { name, wording } of forms) {
    if (!scratch.contains(wording)) continue
    features.add('form', name)
    // "O/U 8.5" keeps its sign for the number parser.
    if (name !== 'total') scratch.has(wording)
  }
  scratch.has(marks.winner)
}

const meeting = (at: string): RegExp =>
  new RegExp(
    `(?:^|[:¦?,(]|\\b(?:will|the|between|of|in|win|winner|by)\\b)\\s*([^:¦?(,]{1,60}?)\\s+(?:vs?\\.?|versus${at})\\s+([^¦:?(,]{1,60}?)(?=\\s*(?:$|[:?(,¦]|\\s-\\s|\\b(?:end|ends|winner|match|fight|game|first|total|spread|on|by|in|be|score|series|league of legends|ufc|o/u|2nd|1st|method)\\b))`,
    'i',
  )
const versus = meeting('')
/** "Houston at Cincinnati" and "Houston beats Cincinnati" are games only inside a league. */
const versusOrAt = meeting('|@|at|beats?|defeats?')

/** Without one of these there is no matchup: fast, unlike the patterns above. */
const between = /\svs?\.?\s|\sversus\s/i
const betweenOrAt = /\s(?:vs?\.?|versus|@|at|beats?|defeats?)\s/i

/** Takes "A vs B" out of the text. Text before a colon and after a dash is the competition, not a name. */
export function takeMatchup(scratch: Scratch, league: string | null): Matchup | null {
  if (!(league === null ? between : betweenOrAt).test(scratch.raw)) return null
  const found = (league === null ? versus : versusOrAt).exec(scratch.raw)
  if (found === null) return null
  const [whole, before = '', right = ''] = found
  const left = before.replace(/^.*\b(?:will|between|the)\s+/i, '')
  const spoken: [string[], string[]] = [participant(left, league), participant(right, league)]
  if (spoken[0].length === 0 || spoken[1].length === 0) return null
  // "Will Seattle win the Seattle vs Boston game": the one before "vs" is meant.
  const start = found.index + whole.indexOf(before) + before.length - left.length
  const end = found.index + whole.length
  scratch.cut(start, end)
  dropAddress(scratch, start, end)
  const sides = [...spoken].sort((a, b) => (a.join(' ') < b.join(' ') ? -1 : 1)) as [string[], string[]]
  const behind = whole.slice(whole.indexOf(left) + left.length).trimStart()
  const [at, beats] = [/^(?:@|at)\s/i.test(behind), /^(?:beat|defeat)s?\s/i.test(behind)]
  return { sides, spoken, names: [left.trim(), right.trim()], at, beats }
}

/** "LaLiga, A vs B" and "A vs B - CBLOL Playoffs": the competition is not part of the bet. A bet named there stays. */
function dropAddress(scratch: Scratch, start: number, end: number): void {
  const before = /^([^:,?]{2,50})[:,]\s*$/.exec(scratch.raw.slice(0, start))
  if (before !== null && !isBetPhrase.test(before[1] as string)) scratch.cut(0, start)
  const after = /^[\s¦]*(?:\([^)]*\))?[\s¦]* - ([^:?]{2,60})$/.exec(scratch.raw.slice(end))
  if (after !== null && !isBetPhrase.test(after[1] as string)) scratch.cut(end, scratch.raw.length)
}

/** A word of a bet, not of a competition. */
export const isBetPhrase =
  /\b(?:props?|markets?|score|scorer|goals?|total|spread|corners|cards|half|result|inning|run|runs|points|maps?|kills|sets?|toss|double|overtime|method|first|over|under|o\/u|will|who|what|which|series|to win|mention|say)\b/i

const wholePlace = new RegExp(`^${placePattern.source}$`)

/** A participant as its team code if the league knows it, otherwise its words without "FC", "Team" and the like. */
export function participant(text: string, league: string | null): string[] {
  const scratch = new Text(text)
  for (const { team, pattern } of teamAliases(scratch.low, league)) if (scratch.has(pattern)) return [team]
  const place = wholePlace.exec(text.trim().toLowerCase())
  if (place !== null)
    return [
      (place[1] as string) === 'us' ? 'us' : (placeOf(place[1] as string, text.toUpperCase()) ?? text.toLowerCase()),
    ]
  const coded = league === null ? null : teamOfCode(league, text.trim())
  if (coded !== null) return [coded]
  const only = teamOfNickname(text.trim())
  if (only !== null) return [only]
  return words(new Text(text))
    .map((word) => word.text)
    .filter((word) => !isStopPhrase(word))
}

/** Teams named outside a matchup. */
export function takeTeams(scratch: Scratch, features: Features, league: string | null): void {
  for (const { team, pattern } of teamAliases(scratch.low, league)) {
    if (league !== null && !team.startsWith(`${league}:`)) continue
    if (scratch.has(pattern)) features.add('team', team)
  }
}
