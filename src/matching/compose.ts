// One sentence from what a venue spreads over event title, title and outcome label.
import type { MatchInput } from './input.ts'
import { fold, stem } from './text.ts'
import { isSoft, isStop } from './vocabulary.ts'

const blank = /_{2,}|\.{3,}|\u2026/

/** "Who will win X?" + "Y" is read as "Who will win X? : Y"; words that repeat are not said twice. */
export function compose(market: MatchInput): string {
  const title = fold(market.title)
  const label = fold(market.subtitle ?? '')
  const named = fold(market.eventTitle ?? '')
  // Some venues title an event by its first outcome: "$100" or "December 31" says nothing about the others.
  const event = fragment(named) && /\d/.test(named) && named.split(' ').length <= 3 ? '' : named
  let text = fill(title, label)
  if (fragment(text) && event !== '' && !covers(event, text)) text = blank.test(event) ? fill(event, text) : `${event} : ${text}`
  else if (fragment(text) && event !== '' && covers(event, text) && !covers(text, event)) text = event
  if (label !== '' && !/^(?:yes|no|match winner|moneyline|winner)$/i.test(label) && !covers(text, label)) text = `${text} : ${label}`
  return text.replaceAll(/_{2,}/g, ' ').replaceAll('...', ' ')
}

const fill = (text: string, label: string): string => (label !== '' && blank.test(text) ? text.replace(blank, ` ${label} `) : text)

/** A label without a sentence: "Over 2.5 goals", "December 31, 2026", "$100". */
const fragment = (text: string): boolean => {
  const count = text.split(' ').length
  return count <= 3 || (count <= 6 && !/\b(?:will|vs?\.?|who|what|which|how|does|is|are)\b/i.test(text))
}

const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}.,%]*/gu) ?? [])
    .map((word) => word.replace(/[.,]+$/, '').replaceAll(',', ''))
    .filter((word) => !isStop(word))
    .map(stem)
    .filter((word) => !isSoft(word))

/** Every word that counts in `part` stands in `text`. */
function covers(text: string, part: string): boolean {
  const have = new Set(contentWords(text))
  return contentWords(part).every((word) => have.has(word))
}
