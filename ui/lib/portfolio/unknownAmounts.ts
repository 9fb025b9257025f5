// Why an amount is not known, in words.

import type { z } from 'zod'
import { isOpenPosition } from '#schemas/openPosition'
import type { PortfolioGaps, PortfolioPosition, unknownReasons, VenueTotals } from '#schemas/portfolio'
import { format } from '../format.ts'

export const marks = ['mid', 'bid', 'last'] as const
export type Mark = (typeof marks)[number]
type Reason = (typeof unknownReasons)[number]
type Gaps = z.infer<typeof PortfolioGaps>

const reasonWords: Readonly<Record<Reason, string>> = {
  amount_not_reported: 'the venue did not report an amount',
  cost_not_entered: 'imported without a cost',
  cost_unknown: 'the cost is not known',
  no_live_book: 'no live book, or a side of it is empty',
  book_too_thin: 'the book is too thin for the whole quantity',
  no_last_price: 'no last price is known',
  payout_unknown: 'the market is resolved and its payout is not known',
  catalog_unavailable: 'the catalog does not answer',
}

const fieldWords: Readonly<Record<string, string>> = {
  cashFlow: 'cash flow',
  deposits: 'deposits',
  fees: 'fees',
  realizedPnl: 'realised PnL',
  realizedPnlFifo: 'realised PnL (FIFO)',
  value: 'value',
  unrealizedPnl: 'unrealised PnL',
}

/** One line for each reason: what it concerns, and how many positions or entries. */
export function unknownLines(unknown: VenueTotals['unknown']): string[] {
  const byReason = Map.groupBy(unknown, ({ reason, count }) => `${reason} ${count}`)
  return [...byReason.values()].map((same) => {
    const { reason, count } = same[0]!
    return `${reasonWords[reason]} (${format.count(count)}): ${same.map(({ field }) => fieldName(field)).join(', ')}`
  })
}

function fieldName(field: string): string {
  const [name = field, mark] = field.split('.')
  const words = fieldWords[name] ?? name
  return mark === undefined ? words : `${words} at ${mark}`
}

/** Why a total is not known, in full or at all; null: it is. */
export function totalWhy(unknown: VenueTotals['unknown'], field: string): string | null {
  const reasons = unknown.filter((each) => each.field === field)
  if (reasons.length === 0) return null
  return reasons.map(({ reason, count }) => `${reasonWords[reason]} (${format.count(count)})`).join('; ')
}

type Marked = Pick<
  PortfolioPosition,
  'venue' | 'quantity' | 'settlement' | 'marketStatus' | 'marks' | 'value' | 'unrealizedPnl'
>

/** Why there is no price at a mark. `unavailable`: sources that did not answer. */
export function markWhy(position: Marked, mark: Mark, unavailable: readonly string[]): string {
  if (position.settlement !== null) return 'the market is resolved: see its payout'
  if (!isOpenPosition(position)) return 'the position is closed'
  if (position.marketStatus === null && unavailable.includes('catalog')) return reasonWords.catalog_unavailable
  if (position.marketStatus === 'resolved') return reasonWords.payout_unknown
  if (mark === 'last') return reasonWords.no_last_price
  if (unavailable.includes(`books:${position.venue}`)) return `the book at ${position.venue} is not live`
  return mark === 'bid' && position.marks.mid !== null ? reasonWords.book_too_thin : reasonWords.no_live_book
}

export const profitWhy = (position: Marked, mark: Mark, unavailable: readonly string[]): string =>
  position.value[mark] === null ? markWhy(position, mark, unavailable) : reasonWords.cost_unknown

export const averageCostWhy = ({ quantity }: Pick<PortfolioPosition, 'quantity'>): string =>
  quantity === '0' ? 'the position is closed' : reasonWords.cost_unknown

/** Its shares count at their payout from then on. */
export const settledCostWhy = 'the market is resolved: its shares count at their payout'

export const realizedWhy = 'the venue did not report an amount, or a cost is not known'

/** Next to the data of an answer. */
export interface PortfolioFields {
  unavailable: readonly string[]
  gaps: Gaps
}

/** What the figures lack, for a reader; empty: nothing. */
export function missingLines(unavailable: readonly string[], gaps: Gaps | null): string[] {
  const lines = unavailable.map(sourceWords)
  if (gaps === null) return lines
  const { unexplained, unreadable, exchanges } = gaps
  return [...lines, ...gapLines(unexplained.total, unreadable.total, exchanges.total)]
}

export function gapLines(unexplained: number, unreadable: number, exchanges: number): string[] {
  const lines: string[] = []
  if (unexplained > 0)
    lines.push(
      `${counted(unexplained, 'order')} reported as filled beyond the fills that are stored; that part is not included.`,
    )
  if (unreadable > 0) lines.push(`${counted(unreadable, 'stored fill')} unreadable, and not included.`)
  if (exchanges > 0)
    lines.push(`${counted(exchanges, 'completed split, merge or conversion')} unreadable, and not included.`)
  return lines
}

const counted = (n: number, what: string): string => `${format.count(n)} ${what}${n === 1 ? ' is' : 's are'}`

export function sourceWords(source: string): string {
  if (source === 'catalog') return 'The catalog does not answer: titles, payouts and last prices may be missing.'
  if (source === 'matches') return 'The matcher’s results cannot be read: each market is a group by itself.'
  if (source.startsWith('books:')) return `Some books at ${source.slice('books:'.length)} are not live.`
  return `${source} does not answer.`
}
