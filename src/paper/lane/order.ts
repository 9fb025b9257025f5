// The order for the paper exchange that a venue's artifact describes.
import { compareDecimals, toUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import type { TimeInForce } from '#schemas/executions'
import type { Market } from '#schemas/market'
import type { PaperTimeInForce } from '#schemas/paper'
import type { NewPaperOrder } from '#storage/postgres/paper/place'
import type { ExecutionAdapter, LaneExecution, OrderTerms } from '#venues/lane'
import { paperFeesOf, purchaseReserve } from '../accounts/fees.ts'
import type { PaperTrading } from '../accounts/ports.ts'

/** Digits after the point of prices and sizes: the fill model counts in millionths. */
const places = 6
/** Contracts, so that millionths stay exact. */
const sizeMax = '1000000000'

const times: Readonly<Record<TimeInForce, PaperTimeInForce>> = {
  'good-til-cancel': 'GTC',
  'good-til-date': 'GTD',
  'immediate-or-cancel': 'IOC',
  'fill-or-kill': 'FOK',
}

export type WantedOrder = Omit<NewPaperOrder, 'executionId' | 'accountId' | 'ref' | 'startCash' | 'at'>

/** Throws VALIDATION_ERROR, PAPER_MARKET_CLOSED, PAPER_NO_LIVE_BOOK. */
export async function readPaperOrder(
  trading: PaperTrading,
  lane: Pick<ExecutionAdapter, 'slug' | 'describe'>,
  { unsigned, terms: given }: LaneExecution,
): Promise<WantedOrder> {
  const { slug: venue } = lane
  const terms = checkedTerms(given)
  const { marketId, outcomeId, isBuy, price, size } = terms
  const market = await openMarket(trading, venue, marketId)
  const book = trading.bookOf(venue, outcomeId, marketId)
  if (book === null) throw noLiveBook(venue, 'it has no order book of its own')
  await requireLiveBook(trading, venue, terms)
  const described = lane.describe(unsigned)
  const options = described.intent === 'order' || described.intent === 'modify' ? described : null
  const expiresAt = options?.expiresAt ?? null
  const feeModel = paperFeesOf(market, trading.feeModel(venue, market).fee)
  return {
    ...{ venue, marketId, outcomeId, isBuy, price, size, feeModel },
    bookId: book.bookId,
    complement: book.complement,
    currency: currencyOf(market),
    timeInForce: timeInForceOf(options?.timeInForce ?? null, expiresAt),
    postOnly: options?.postOnly === true,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    reserve: isBuy ? purchaseReserve(feeModel, { price, size, hasFills: false }) : size,
  }
}

/** Throws PAPER_MARKET_CLOSED, PAPER_NO_LIVE_BOOK. */
export async function checkTradable(trading: PaperTrading, venue: string, terms: OrderTerms): Promise<void> {
  await openMarket(trading, venue, terms.marketId)
  await requireLiveBook(trading, venue, terms)
}

export function checkedTerms(terms: OrderTerms | null): OrderTerms {
  if (terms === null) throw new Fault('VALIDATION_ERROR', 'the execution does not say what it trades; build it again')
  for (const [name, value] of [['price', terms.price] as const, ['size', terms.size] as const]) {
    if (!isExact(value))
      throw new Fault('VALIDATION_ERROR', `${name}: a paper order has at most ${places} digits after the point`)
  }
  if (compareDecimals(terms.size, sizeMax) > 0)
    throw new Fault('VALIDATION_ERROR', `size: a paper order has at most ${sizeMax} contracts`)
  return terms
}

function isExact(value: string): boolean {
  try {
    toUnits(value, places)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

async function openMarket({ findMarket }: PaperTrading, venue: string, marketId: string): Promise<Market> {
  const market = await findMarket(venue, marketId)
  if (market?.status === 'active') return market
  const state = market === null ? 'not in the catalog any more' : market.status
  throw new Fault('PAPER_MARKET_CLOSED', `this market is ${state} and takes no orders`, { exchange: venue })
}

async function requireLiveBook(
  { availability }: PaperTrading,
  venue: string,
  { marketId, outcomeId }: OrderTerms,
): Promise<void> {
  const found = await availability(venue, marketId, outcomeId)
  if (found === 'none') throw noLiveBook(venue, 'it has no order book of its own')
  if (found === 'silent') {
    throw new Fault('PAPER_NO_LIVE_BOOK', 'the book of this market is not live now: try again shortly', {
      exchange: venue,
      retryAfterSeconds: 5,
    })
  }
}

export const noLiveBook = (venue: string, why: string): Fault =>
  new Fault('PAPER_NO_LIVE_BOOK', `paper orders fill against live books, and this market has none: ${why}`, {
    exchange: venue,
    retryable: false,
  })

/** As the portfolio names it, where the summary of an order does not. */
const currencyOf = ({ sourceMetadata: { collateral } }: Market): string =>
  typeof collateral === 'string' ? collateral : ''

const timeInForceOf = (given: TimeInForce | null, expiresAt: number | null): PaperTimeInForce =>
  given === null ? (expiresAt === null ? 'GTC' : 'GTD') : times[given]
