// Whether a question asks who wins the game, or one of its parts, and nothing else. Two names as outcomes prove little: teams are also the
// answers to who scores first and who takes the trophy.

import type { SportsInput } from '#matching/read/games/input'
import { partWords } from '#matching/read/games/periods'
import { fold } from '#matching/read/text'
import { isDerivedStat } from './betType.ts'

const anyOf = (...patterns: RegExp[]): RegExp => new RegExp(patterns.map(({ source }) => source).join('|'))

/** Words that make Yes mean something other, or more, than that a team wins. */
export const yesMeansMoreThanWin = anyOf(
  /\b(?:loses?|lost|losing|defeat(?:ed)? by|beaten by|unbeaten|avoids? defeat)\b/,
  /\b(?:not|n't|fails? to|without) (?:to )?(?:win|beat|defeat|advance|qualify|conced)/,
  /\b(?:win|or) (?:or )?(?:a )?(?:draw|tie)\b(?! no bet)|\bdouble chance\b/,
  /\b(?:to nil|clean sheet|(?:both|either) (?:halves|half)|from behind|comes? back)\b/,
  /\bgo(?:es|ing)? (?:in)?to (?:an? )?(?:over ?time|ot|extra|penalt|(?:a )?shoot)/,
  /\b(?:in|during) (?:over ?time|ot\b|extra|(?:a )?shoot-?out)|\bwill there be (?:an? )?(?:over ?time|extra|shoot)/,
  /\b(?:wins?|winning|beats?) .*\b(?:in (?:regulation|rounds? \d)|inside the distance|(?:by|on) (?:an? )?(?:ko|tko|knock-?out|submission|stoppage|decision|points)\b)/,
)

const winning = /\b(?:wins?|winners?|winning|beats?|defeats?|victory|money ?line|1x2|outright)\b/
/** Winning something else, or doing something first. */
const otherWins = anyOf(
  /\b(?:toss|first (?:team )?to|(?:score|scores|scoring) first|first (?:score|goal|touchdown|td|basket|blood|run)|race to|half ?time\W+full|ht\W?ft)\b/,
  /\b(?:attend|mention|announcers?|safety|d\/st|pistol|trophy)\b|(?<!world )\bseries\b/,
)
/** More or less than the game, when the question is about it and the words do not describe its place in a competition. */
const notTheGame =
  /\b(?:rounds?|over ?time|extra time|shoot-?outs?|distance|regulation|champions?|longest|fastest|highest|lowest|cover|qualif\w*|ko|tko|submission|decision)\b/
const competitions = /\b(?:champions|europa|conference|nations) (?:league|cup|trophy)\b|\bworld series\b/g

const meeting = /\s(?:v|vs|versus|at|@|against)\.?\s/

/** Without a bet type from the venue, the wording must establish it: a question about a game may be about anything. */
export function isWinnerMarket({ outcomes, subtitle, title }: SportsInput, question: string): boolean {
  if (otherWins.test(question)) return false
  const isNamed = outcomes.length > 1 && !outcomes.some(({ label }) => /^(?:yes|no|over|under)\b/i.test(label))
  if (!isNamed) return winning.test(question) || /^(?:draw|tie)$/i.test((subtitle ?? '').trim())
  const own = ownWords(title)
  if (notTheGame.test(own) || isDerivedStat(own)) return false
  return winning.test(own) || meeting.test(fold(title)) || isPartAlone(own)
}

/** What a title asks beyond naming the opponents: "A vs B: Q1 Winner". The text before the two says where they meet. */
function ownWords(title: string): string {
  const low = fold(title).toLowerCase()
  const at = low.search(meeting)
  const tail = at < 0 ? low : (/(?:: | - )(.*)$/.exec(low.slice(at))?.[1] ?? '')
  return tail.replaceAll(competitions, ' ')
}

/** "1st Half", "Set 2", "First 5 innings"; or empty. */
const isPartAlone = (own: string): boolean => own.replaceAll(partWords, ' ').replaceAll(/[\W_]+/g, '') === ''

/** "Game 3" is a map of one match, or a separate game: the sport decides which. */
export const isUnknownPart = (question: string, sport: string | null): boolean =>
  sport === null && /\bgame #?[1-9]\b/.test(question)
