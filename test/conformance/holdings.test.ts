// What every adapter reads of an account, compared with the account's own fills at its venue's lab.
import { describe, expect, it } from 'vitest'
import { addDecimals, compareDecimals, fromUnits, subtractDecimals } from '#core/decimal'
import type { SimulatedOrder } from '#lab/engine/orderManager'
import type { JsonObject } from '#schemas/executions'
import { laneCases, laneVenues, type OpenCase } from '#test/support/laneCases'
import { send } from '#test/support/laneLab'
import { buildOrder, createLaneWorld } from '#test/support/laneWorld'
import type { HeldOrder, Holdings, HoldingsReader } from '#venues/holdings'
import { type LaneVenue, lanes, statusLanes } from '#venues/registry'

const reading = laneVenues.filter((venue) => lanes[venue].holdings !== undefined)

it('every adapter that sends or reads orders reads accounts, or says why not', () => {
  const all = [...laneVenues.map((venue) => lanes[venue]), ...statusLanes]
  const silent = all.filter(({ holdings, noHoldings }) => (holdings === undefined) === (noHoldings === undefined))
  expect(silent.map(({ slug }) => slug)).toEqual([])
  expect(reading.length).toBeGreaterThan(8)
})

interface Kind {
  isYes: boolean
  isBuy: boolean
}

const dollars = (micros: number): string => fromUnits(BigInt(micros), 6)

function bodyFor(venue: LaneVenue, { order, here }: OpenCase, { isYes, isBuy }: Kind, contracts: number): JsonObject {
  const yesMicros = isYes === isBuy ? here.bid : here.ask
  const outcome: JsonObject =
    'outcomeSide' in order ? { outcomeSide: isYes ? 'YES' : 'NO' } : { outcomeId: here.facts.outcomeIds[isYes ? 0 : 1] }
  const side: JsonObject = 'isBuy' in order ? { isBuy } : { side: isBuy ? 'buy' : 'sell' }
  const price = dollars(isYes ? yesMicros : 1_000_000 - yesMicros)
  return laneCases[venue].sized({ ...order, ...outcome, ...side, price }, contracts)
}

/** Places an order and has another trader fill it. Returns the contracts. */
async function trade(venue: LaneVenue, opened: OpenCase, kind: Kind, contracts: number): Promise<string> {
  const { lane } = laneCases[venue]
  const { here, credentials, signed, orders } = opened
  const built = await buildOrder(lane, here.world.context, bodyFor(venue, opened, kind, contracts))
  await send(lane, here.world, built, { ...credentials, ...(await signed(built.unsigned, 'order')) })
  const { hundredths } = orders().at(-1)!
  if (kind.isYes === kind.isBuy) here.trade('sell', here.bid, hundredths / 100)
  else here.trade('buy', here.ask, hundredths / 100)
  here.world.clock.advance(61_000)
  return filled(orders().at(-1)!)
}

const filled = ({ filledHundredths }: SimulatedOrder): string => fromUnits(BigInt(filledHundredths), 2)

function read(reader: HoldingsReader, { here, order, credentials }: OpenCase): Promise<Holdings> {
  const account = { wallet: order.owner, owner: order.owner }
  const named = reader.account === undefined ? null : (accountIn(reader, account) as unknown)
  return reader.read(here.world.context, named, reader.credentials?.parse(credentials) ?? null)
}

/** The one of these names that it takes. */
const accountIn = ({ account }: HoldingsReader, names: Record<string, unknown>): unknown =>
  Object.entries(names)
    .map(([name, value]) => account!.safeParse({ [name]: value }))
    .find(({ success }) => success)?.data

const quantityOf = ({ positions }: Holdings, outcomeId: string): string =>
  positions
    .filter((position) => position.outcomeId === outcomeId)
    .reduce((sum, { quantity }) => addDecimals(sum, quantity), '0')

describe.each(reading)('%s', (venue) => {
  const reader = lanes[venue].holdings!

  it('reads what was bought of an outcome, less what was sold', async () => {
    const opened = await laneCases[venue].open()
    const [yes, no] = opened.here.facts.outcomeIds
    try {
      const before = await read(reader, opened)
      expect([before.isComplete, quantityOf(before, yes), quantityOf(before, no)]).toEqual([true, '0', '0'])
      const bought = await trade(venue, opened, { isYes: true, isBuy: true }, 100)
      const held = await read(reader, opened)
      expect(compareDecimals(quantityOf(held, yes), bought), JSON.stringify(held)).toBe(0)
      const [position] = held.positions.filter(({ outcomeId }) => outcomeId === yes)
      expect([null, opened.here.facts.marketId]).toContain(position!.marketId)
      if (position!.averageCost !== null) {
        const difference = subtractDecimals(position!.averageCost, dollars(opened.here.bid))
        expect(Math.abs(Number(difference))).toBeLessThanOrEqual(Number(reader.costStep))
      }
      const sold = await trade(venue, opened, { isYes: true, isBuy: false }, 60)
      const left = await read(reader, opened)
      expect(compareDecimals(quantityOf(left, yes), subtractDecimals(bought, sold)), JSON.stringify(left)).toBe(0)
      expect(left.isComplete).toBe(true)
    } finally {
      await opened.here.close()
    }
  })

  it('reads the other outcome as a position of its own', async () => {
    const opened = await laneCases[venue].open()
    const [yes, no] = opened.here.facts.outcomeIds
    try {
      const bought = await trade(venue, opened, { isYes: false, isBuy: true }, 100)
      const held = await read(reader, opened)
      expect([quantityOf(held, yes), compareDecimals(quantityOf(held, no), bought)]).toEqual(['0', 0])
    } finally {
      await opened.here.close()
    }
  })

  it('lists the orders that rest, by the ids that executions have', async () => {
    const opened = await laneCases[venue].open()
    const { here, credentials, signed, orders } = opened
    const { lane } = laneCases[venue]
    try {
      const before = await read(reader, opened)
      if (before.openOrders === undefined) return
      expect(before.openOrders).toEqual({ orders: [], isComplete: true })
      const built = await buildOrder(
        lane,
        here.world.context,
        bodyFor(venue, opened, { isYes: true, isBuy: true }, 100),
      )
      const more = await signed(built.unsigned, 'order')
      const { execution } = await send(lane, here.world, built, { ...credentials, ...more })
      const { hundredths } = orders().at(-1)!
      here.trade('sell', here.bid, hundredths / 200)
      const { openOrders } = await read(reader, opened)
      expect(openOrders!.orders).toMatchObject([{ venueRef: execution.venueRef }])
      const [{ isBuy, price, remaining }] = openOrders!.orders as [HeldOrder]
      expect([null, true]).toContain(isBuy)
      expect([null, dollars(here.bid)]).toContain(price)
      expect(Number(remaining)).toBe(hundredths / 200)
    } finally {
      await here.close()
    }
  })

  it.runIf(reader.credentials !== undefined)('rejects credentials that the venue rejects', async () => {
    const opened = await laneCases[venue].open()
    try {
      const wrong = { ...opened, credentials: opened.wrong! }
      await expect(read(reader, wrong)).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
    } finally {
      await opened.here.close()
    }
  })

  it('throws for an answer that it cannot read: never an empty account', async () => {
    const opened = await laneCases[venue].open()
    const world = await createLaneWorld(venue, Object.keys(lanes[venue].urls))
    world.answer(() => ({ body: {} }))
    try {
      const unreadable = { ...opened, here: { ...opened.here, world } }
      await expect(read(reader, unreadable)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    } finally {
      await world.close()
      await opened.here.close()
    }
  })
})
