// What an account gained or lost by trading: its portfolio without what its owner entered since a moment, and with orders whose fills are not
// stored yet, at their limit prices. Entering a position, undoing one, or a transfer changes nothing of it: shares that are sold out of a
// position entered since then count as sold short.
import { midPriceOf } from '#core/books/midPrice'
import { roundDecimal } from '#core/decimal'
import { isOpenPosition } from '#schemas/openPosition'
import { ledgerPlaces } from './journal/fillEntries.ts'
import type { FillEntry, LedgerEntry } from './ledger/entry.ts'
import { foldLedgerYielding } from './ledger/fold.ts'
import type { LedgerPosition } from './ledger/ledger.ts'
import { gainAt } from './marks.ts'
import type { AccountPortfolio, MarkValues, PositionBooks, TradedPosition, Trades, UnexplainedOrder } from './ports.ts'

type Marks = Pick<MarkValues, 'mid' | 'last'>

/** `since`: epoch ms. */
export async function tradesOf(
  { asOf, entries, ledger, positions, unexplained }: AccountPortfolio,
  since: number,
  books: PositionBooks,
): Promise<Trades> {
  const before = entries.filter(({ enteredAt }) => enteredAt === undefined || enteredAt < since)
  const missing = unexplained.flatMap((order) => missingFill(order, asOf) ?? [])
  const isSame = missing.length === 0 && before.length === entries.length
  const traded: LedgerEntry[] = isSame ? [...entries] : [...before, ...missing]
  const folded = isSame ? ledger : await foldLedgerYielding(traded)
  const open = positions.filter(isOpenPosition)
  const known = new Map(open.map((position): [string, Marks] => [keyOf(position), position.marks]))
  const marks = await markOthers(folded.positions, known, books)
  return {
    entries: traded,
    ledger: folded,
    positions: folded.positions.map((position): TradedPosition => {
      const mark = marks.get(keyOf(position))
      return { ...position, gain: mark === undefined ? { mid: null, last: null } : gainAt(position, mark) }
    }),
  }
}

/** Of the time at which it was read: its own is not known. Null: what it paid is unknown. */
function missingFill(order: UnexplainedOrder, at: number): FillEntry | null {
  const { executionId, venue, marketId, outcomeId, size, side, currency, cash } = order
  if (cash === null) return null
  return {
    kind: 'fill',
    id: `missing:${executionId}`,
    at,
    venue,
    currency,
    provenance: 'journal',
    marketId,
    outcomeId,
    side,
    size: roundDecimal(size, ledgerPlaces, 'down'),
    cash,
    fee: null,
    feeIn: 'cash',
    executionId,
  }
}

/** With marks of open positions that the portfolio does not have: of their books alone. */
async function markOthers(
  positions: readonly LedgerPosition[],
  known: ReadonlyMap<string, Marks>,
  books: PositionBooks,
): Promise<ReadonlyMap<string, Marks>> {
  const others = positions.filter((position) => isOpenPosition(position) && !known.has(keyOf(position)))
  if (others.length === 0) return known
  const answers = await books.read(others)
  const read = others.map((position, i): [string, Marks] => {
    const answer = answers[i]
    const book = typeof answer === 'object' ? answer : null
    return [keyOf(position), { mid: book === null ? null : midPriceOf(book), last: book?.lastPrice ?? null }]
  })
  return new Map([...known, ...read])
}

const keyOf = ({ venue, marketId, outcomeId }: Pick<LedgerPosition, 'venue' | 'marketId' | 'outcomeId'>): string =>
  JSON.stringify([venue, marketId, outcomeId])
