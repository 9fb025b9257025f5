import { expect, it } from 'vitest'
import { ASK, BID, type Side } from '#lab/engine/book'
import type { SimulatedOrder } from '#lab/engine/orderManager'
import { netPositions, outcomePositions } from '#lab/engine/positions'

let lastFill = 0

/** An order filled at once, at this price of YES. */
const order = (side: Side, contracts: number, priceMicros: number, isYes = true): SimulatedOrder =>
  ({
    market: { id: 'm' },
    side,
    fills: [{ id: ++lastFill, priceMicros, hundredths: contracts * 100, maker: true, trade: 1, atMs: 1 }],
    details: { isYes },
  }) as unknown as SimulatedOrder

const shown = ({ isYes, hundredths, averageMicros }: ReturnType<typeof netPositions>[number]) => [
  isYes ? 'YES' : 'NO',
  hundredths / 100,
  averageMicros,
]
const ofOutcomes = (orders: SimulatedOrder[]) =>
  outcomePositions(orders, ({ details }) => details.isYes === true).map(shown)

it('averages purchases, and keeps the average when some is sold', () => {
  const orders = [order(BID, 10, 400_000), order(BID, 30, 600_000), order(ASK, 20, 900_000)]
  expect(netPositions(orders).map(shown)).toEqual([['YES', 20, 550_000]])
  expect(ofOutcomes(orders)).toEqual([['YES', 20, 550_000]])
})

it('turns a net position into NO at one minus the price of the rest', () => {
  expect(netPositions([order(BID, 10, 400_000), order(ASK, 25, 700_000)]).map(shown)).toEqual([['NO', 15, 300_000]])
})

it('leaves out what was sold whole', () => {
  expect(netPositions([order(BID, 10, 400_000), order(ASK, 10, 700_000)])).toEqual([])
})

it('keeps outcomes apart where each is a token, at their own prices', () => {
  const orders = [order(BID, 10, 400_000), order(ASK, 5, 700_000, false), order(BID, 2, 500_000, false)]
  expect(ofOutcomes(orders)).toEqual([
    ['YES', 10, 400_000],
    ['NO', 3, 300_000],
  ])
})
