// One sentence from what a venue spreads over event title, market title and outcome label.
import type { MatchInput } from './input.ts'
import { canonicalSpelling, fold, stem } from './text.ts'
import { isStop, isWeakTerm } from './vocabulary.ts'

const blank = /_{2,}|\.{3,}|\u2026/

/** "Who will win X?" + "Y" becomes "Who will win X? : Y"; repeated words are dropped. */
export function compose(market: MatchInput): string {
  const title =
    market.title.trim() === '' && (market.eventTitle ?? '') === '' ? titleFromId(market.marketId) : fold(market.title)
  const label = fold(market.subtitle ?? '')
  const named = fold(market.eventTitle ?? '')
  // Some venues title an event by its first outcome: "$100" or "December 31" does not describe the others.
  const event = fragment(named) && /\d/.test(named) && named.split(' ').length <= 3 ? '' : named
  let text = fill(title, label)
  if (fragment(text) && event !== '' && !covers(event, text))
    text = blank.test(event) ? fill(event, text) : `${event} : ${text}`
  else if (fragment(text) && event !== '' && covers(event, text) && !covers(text, event)) text = event
  if (label !== '' && !/^(?:yes|no|match winner|moneyline|winner)$/i.test(label) && !covers(text, label))
    text = `${text} : ${label}`
  // A title is a sentence; whatever a venue appends to it must not make parsing slow.
  return text.replaceAll(/_{2,}/g, ' ').replaceAll('...', ' ').slice(0, 600)
}

/** A market known only by its id: two common formats of game ids contain league, sides and day. Any other stays unread. */
export function titleFromId(id: string): string {
  const slug = /^[a-z]{3}-([a-z0-9]+)-([a-z0-9]+)-([a-z0-9]+)-(20\d\d-\d\d-\d\d)$/.exec(id)
  if (slug) return `${slug[1]}: ${slug[2]} vs ${slug[3]} on ${slug[4]} : ${slug[2]}`
  const ticker =
    /^KX([A-Z0-9]+?)(GAME|MATCH|MAP|SETWINNER|FIGHT)-\d\d[A-Z]{3}\d\d(?:\d{4})?([A-Z0-9]+?)(?:-(\d))?-([A-Z0-9]+)$/.exec(
      id,
    )
  if (ticker === null) return ''
  const [, league = '', form = '', both = '', part, own = ''] = ticker
  const other = both.endsWith(own) ? both.slice(0, -own.length) : both.startsWith(own) ? both.slice(own.length) : ''
  if (other === '') return ''
  const period = part === undefined ? '' : form === 'MAP' ? ` map ${part}` : ` set ${part}`
  return `${league.toLowerCase()}: ${own.toLowerCase()} vs ${other.toLowerCase()}${period} : ${own.toLowerCase()}`
}

const fill = (text: string, label: string): string =>
  label !== '' && blank.test(text) ? text.replace(blank, label) : text

/** A label that is not a sentence: "Over 2.5 goals", "December 31, 2026", "$100". */
const fragment = (text: string): boolean => {
  // "World Cup Group A Winner: Mexico" is complete.
  if (/^\S+ \S+.*: \S/.test(text)) return false
  const count = text.split(' ').length
  return (
    count <= 3 ||
    (count <= 6 && !text.endsWith('?') && !/\b(?:will|vs?\.?|who|what|which|how|does|is|are)\b/i.test(text))
  )
}

const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}.,%]*/gu) ?? [])
    .map((word) => word.replace(/[.,]+$/, '').replaceAll(',', ''))
    .filter((word) => !isStop(word))
    .map(stem)
    .filter((word) => !isWeakTerm(word))
    .map(canonicalSpelling)

/** Every significant word of `part` is in `text`. */
function covers(text: string, part: string): boolean {
  const have = new Set(contentWords(text))
  return contentWords(part).every((word) => have.has(word))
}
