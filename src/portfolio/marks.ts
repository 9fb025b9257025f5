// What open positions are worth: at the middle of the live book, sold into it, and at the last price. Pure and exact; a price that is not
// known now is null.
import { midPriceOf, sortedLevels } from '#core/books/midPrice'
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  readDecimal,
  subtractDecimals,
} from '#core/decimal'
import type { Market } from '#schemas/market'
import { isOpenPosition } from '#schemas/openPosition'
import type { LedgerPosition } from './ledger/ledger.ts'
import type { BookAnswer, MarkedPosition, MarkValues, PositionBook } from './ports.ts'

/** Digits of a price that is a quotient. */
const places = 9

const unknown: MarkValues = { mid: null, bid: null, last: null }

/** `book`: null for a position that is not marked: it is closed, read as of the past, or read without marks. */
export function markPosition(position: LedgerPosition, market: Market | null, book: BookAnswer | null): MarkedPosition {
  const outcome = market?.outcomes.find(({ outcomeId }) => outcomeId === position.outcomeId)
  const isMarked = book !== null && isOpenPosition(position)
  const live = typeof book === 'object' ? book : null
  const marks = isMarked ? marksOf(position.quantity, live, exact(outcome?.price ?? null)) : null
  const value = marks === null ? unknown : valuesOf(position.quantity, marks)
  return {
    ...position,
    market: market?.title ?? null,
    label: outcome?.label ?? null,
    marketStatus: market?.status ?? null,
    resolutionDate: market?.resolutionDate ?? null,
    marks: marks === null ? unknown : { mid: marks.mid, bid: marks.sale?.price ?? null, last: marks.last },
    value: { ...value, settlement: payoutOf(position) },
    unrealizedPnl: profitOf(value, position.costBasis),
  }
}

/** What an open quantity has gained at given marks of a share. */
export function gainAt(
  { quantity, costBasis }: LedgerPosition,
  { mid, last }: Pick<MarkValues, 'mid' | 'last'>,
): Pick<MarkValues, 'mid' | 'last'> {
  const gain = profitOf(valuesOf(quantity, { mid, last, sale: null }), costBasis)
  return { mid: gain.mid, last: gain.last }
}

/** Null: nothing is resolved. */
const payoutOf = ({ settlement }: LedgerPosition): string | null =>
  settlement === null ? null : multiplyDecimals(settlement.unclaimed, settlement.value)

interface Marks {
  mid: string | null
  last: string | null
  sale: { price: string; value: string } | null
}

const marksOf = (quantity: string, book: PositionBook | null, lastKnown: string | null): Marks => ({
  mid: book === null ? null : midPriceOf(book),
  last: book?.lastPrice ?? lastKnown,
  sale: book === null ? null : saleOf(quantity, book),
})

const valuesOf = (quantity: string, { mid, last, sale }: Marks): MarkValues => ({
  mid: mid === null ? null : multiplyDecimals(quantity, mid),
  bid: sale?.value ?? null,
  last: last === null ? null : multiplyDecimals(quantity, last),
})

function profitOf(value: MarkValues, costBasis: string | null): MarkValues {
  const less = (worth: string | null) =>
    worth === null || costBasis === null ? null : subtractDecimals(worth, costBasis)
  return { mid: less(value.mid), bid: less(value.bid), last: less(value.last) }
}

/** The whole quantity sold to the bids; one below zero is bought back from the asks. Null: the book cannot take it. */
function saleOf(quantity: string, { bids, asks }: PositionBook): { price: string; value: string } | null {
  const isShort = compareDecimals(quantity, '0') < 0
  const size = isShort ? subtractDecimals('0', quantity) : quantity
  let rest = size
  let cash = '0'
  for (const level of isShort ? sortedLevels(asks, 'lowestFirst') : sortedLevels(bids, 'highestFirst')) {
    const taken = compareDecimals(level.size, rest) < 0 ? level.size : rest
    cash = addDecimals(cash, multiplyDecimals(taken, level.price))
    rest = subtractDecimals(rest, taken)
    if (rest === '0') break
  }
  if (rest !== '0') return null
  return { price: divideDecimals(cash, size, places, 'halfEven'), value: isShort ? subtractDecimals('0', cash) : cash }
}

/** As printed, which is how the venue wrote it. Null: no number, or one with an exponent. */
const exact = (value: number | null): string | null => (value === null ? null : readDecimal(value))
