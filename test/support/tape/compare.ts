// Output of a tape in the format of its input (`dayOfTape.ts`), so that they can be compared one by one.
import { expect } from 'vitest'
import { bookText, type DayOfTape, type ExpectedFrame, type Kind, type Row, tradeText } from './dayOfTape.ts'

/** For an unchanged book, only changed levels are repeated. */
export function changesOf(expected: readonly ExpectedFrame[]): ExpectedFrame[] {
  const last = new Map<string, string>()
  return expected.filter(({ venue, outcomeId, kind, text }) => {
    if (kind === 'trade') return true
    const levels = text.slice(text.indexOf(',') + 1)
    const isNew = last.get(`${venue} ${outcomeId}`) !== levels
    last.set(`${venue} ${outcomeId}`, levels)
    return isNew
  })
}

interface ReplayFrame {
  type: string
  venue?: unknown
  marketId?: unknown
  at?: unknown
  data?: unknown
}
interface Level {
  price: number
  size: number
}

/** A frame of a replay in the same format; null when it is neither a book nor a trade. */
export function expectedOf({ type, venue, marketId, at, data }: ReplayFrame): ExpectedFrame | null {
  const head = { venue: String(venue), outcomeId: String(marketId), at: Number(at) }
  if (type === 'trade') {
    const {
      id,
      timestamp,
      type: side,
      shares,
      price,
      transactionHash,
      usd,
    } = data as Parameters<typeof tradeText>[0] & {
      usd: number | null
    }
    expect(usd === null ? null : Math.abs(usd - shares * price!) < 1e-6, id).toBe(price === null ? null : true)
    const text = tradeText({ id, timestamp, type: side, shares, price, transactionHash })
    return { ...head, kind: 'trade', text }
  }
  if (type !== 'snapshot' && type !== 'update') return null
  const { bids, asks, timestamp } = data as { bids: Level[]; asks: Level[]; timestamp: number }
  const side = (levels: Level[]) => levels.map(({ price, size }): [number, number] => [price, size])
  return { ...head, kind: 'book', text: bookText(timestamp, side(bids), side(asks)) }
}

const orders = {
  tob: ['outcomeId', 'ts', 'recvTs'],
  trades: ['outcomeId', 'ts', 'tradeId'],
  l2: ['outcomeId', 'recvTs', 'seq', 'side', 'price'],
} as const

/**
 * Sorted, so that they can be compared one by one. The writer chooses the numbers of rows within a millisecond, and `k` and `venue` appear
 * once.
 */
export function inOrder(kind: Kind, rows: readonly Row[]): string[] {
  const keyOf = (row: Row) =>
    orders[kind]
      .map((name) => (typeof row[name] === 'number' ? String(row[name]).padStart(20) : String(row[name])))
      .join(' ')
  return rows
    .map(({ seq, k: _, venue: __, ...row }): Row => (kind === 'l2' ? { ...row, seq } : row))
    .map((row) => [keyOf(row), JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([, text]) => text)
}

/** What was recorded of a venue, or of one of its outcomes. */
export const tapedOf = ({ taped }: DayOfTape, kind: Kind, venue: string, outcomeId?: string): Row[] =>
  taped[kind].filter((row) => row.venue === venue && (outcomeId === undefined || row.outcomeId === outcomeId))
