// Short forms for tests of the fill model: prices in cents, sizes in contracts.
import type { FillModelSettings, PaperBook, PaperEvent, PaperOrderRequest, PaperTrade } from '#paper/model/index'

export const cents = (price: number): number => price * 10_000
export const contracts = (size: number): number => size * 1_000_000

type Level = readonly [cents: number, contracts: number]

const levels = (side: readonly Level[]) => side.map(([price, size]) => [cents(price), contracts(size)] as const)

export const bookAt = (
  at: number,
  bids: readonly Level[],
  asks: readonly Level[],
  rest: Partial<PaperBook> = {},
): PaperBook => ({ seq: at, at, isLive: true, bids: levels(bids), asks: levels(asks), ...rest })

export const orderOf = (
  id: string,
  side: 'buy' | 'sell',
  price: number,
  size: number,
  rest: Partial<PaperOrderRequest> = {},
): PaperOrderRequest => ({
  id,
  side,
  price: cents(price),
  size: contracts(size),
  timeInForce: 'GTC',
  expiresAt: null,
  postOnly: false,
  ...rest,
})

export const tradeAt = (
  at: number,
  price: number,
  size: number,
  takerSide: PaperTrade['takerSide'],
  id = `t${at}`,
): PaperTrade => ({ id, at, price: cents(price), size: contracts(size), takerSide })

export const instant: FillModelSettings = { latencyMedianMs: 0, latencySigma: 0, cancelShareAhead: 0.5, seed: 'test' }

/** One short line per event: `fill a maker 2 at 40`. */
export const shown = (events: readonly PaperEvent[]): string[] =>
  events.map((event) => {
    if (event.kind === 'fill') {
      const { orderId, liquidity, size, price } = event
      return `fill ${orderId} ${liquidity} ${size / 1_000_000} at ${price / 10_000}`
    }
    if (event.kind === 'accepted') return `accepted ${event.orderId} behind ${event.queueAhead / 1_000_000}`
    return `${event.kind} ${event.orderId} ${event.reason}`
  })
