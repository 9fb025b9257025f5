// What every adapter reads of its stored fills, compared with the account's own fills at its venue's lab.
import { describe, expect, it } from 'vitest'
import { addDecimals, compareDecimals, fromUnits, multiplyDecimals } from '#core/decimal'
import type { SimulatedOrder } from '#lab/engine/orderManager'
import type { JsonObject } from '#schemas/executions'
import { laneCases, laneVenues, type OpenableCase, type OpenCase } from '#test/support/laneCases'
import { refresh, send } from '#test/support/laneLab'
import { buildOrder, stored } from '#test/support/laneWorld'
import type { NormalizedFill } from '#venues/lane'
import { type LaneVenue, lanes } from '#venues/registry'

it('the adapters that send orders read their fills, and no others', () => {
  const reading = (Object.keys(lanes) as LaneVenue[]).filter((venue) => lanes[venue].readFill !== undefined)
  expect(reading.sort()).toEqual([...laneVenues].sort())
})

/** The last row of an order whose rows report its total so far; otherwise the sum. */
const total = (fills: readonly NormalizedFill[], of: (fill: NormalizedFill) => string): string =>
  fills.some(({ cumulative }) => cumulative === true) ? of(fills.at(-1)!) : fills.map(of).reduce(addDecimals, '0')

/** Contracts, and what was paid or received for them at the prices of the lab's fills, which are those of YES. */
function expected({ fills }: SimulatedOrder, { isYes }: Kind): { size: string; cash: string } {
  let [size, cash] = ['0', '0']
  for (const { hundredths, priceMicros } of fills) {
    const contracts = fromUnits(BigInt(hundredths), 2)
    size = addDecimals(size, contracts)
    cash = addDecimals(cash, multiplyDecimals(contracts, dollars(isYes ? priceMicros : 1_000_000 - priceMicros)))
  }
  return { size, cash }
}

const dollars = (micros: number): string => fromUnits(BigInt(micros), 6)

interface Kind {
  name: string
  isYes: boolean
  isBuy: boolean
}
const kinds: readonly Kind[] = [
  { name: 'a purchase of YES', isYes: true, isBuy: true },
  { name: 'a sale of YES', isYes: true, isBuy: false },
  { name: 'a purchase of NO', isYes: false, isBuy: true },
  { name: 'a sale of NO', isYes: false, isBuy: false },
]

/** The customer's body for another side: it rests at that side's best price. */
function bodyFor(
  sized: OpenableCase['sized'],
  { order, here }: Pick<OpenCase, 'order' | 'here'>,
  { isYes, isBuy }: Kind,
): JsonObject {
  const { facts, bid, ask } = here
  const yesMicros = isYes === isBuy ? bid : ask
  const outcome: JsonObject =
    'outcomeSide' in order ? { outcomeSide: isYes ? 'YES' : 'NO' } : { outcomeId: facts.outcomeIds[isYes ? 0 : 1] }
  const side: JsonObject = 'isBuy' in order ? { isBuy } : { side: isBuy ? 'buy' : 'sell' }
  return sized({ ...order, ...outcome, ...side, price: dollars(isYes ? yesMicros : 1_000_000 - yesMicros) }, 50)
}

/** The others show no filled order. */
const showing = laneVenues.filter((venue) => laneCases[venue].shows.filled)

describe.each(showing)('%s', (venue) => {
  it.each(kinds)('reads size and amount of $name that was filled in two parts', async (kind) => {
    const { lane, open, sized } = laneCases[venue]
    const opened = await open()
    const { here, credentials, signed, orders } = opened
    const { world } = here
    const place = async (of: Kind) => {
      const built = await buildOrder(lane, world.context, bodyFor(sized, opened, of))
      const more = await signed(built.unsigned, 'order')
      const { execution } = await send(lane, world, built, { ...credentials, ...more })
      return { execution, hundredths: orders().at(-1)!.hundredths }
    }
    const match = ({ isYes, isBuy }: Kind, contracts: number): void => {
      if (isYes === isBuy) here.trade('sell', here.bid, contracts)
      else here.trade('buy', here.ask, contracts)
      world.clock.advance(61_000)
    }
    try {
      if (!kind.isBuy) {
        // What is not held cannot be sold everywhere.
        const purchase = { ...kind, isBuy: true }
        match(purchase, (await place(purchase)).hundredths / 100)
      }
      const { execution, hundredths } = await place(kind)
      const fills = new Map<string, NormalizedFill>()
      const look = async () => {
        const read = await refresh(lane, world, execution, credentials)
        for (const { key, fill } of read.fills) {
          const found = lane.readFill!(stored(fill), execution)
          expect(found, JSON.stringify(fill)).not.toBeNull()
          fills.set(key, found!)
        }
        return read.status
      }
      const first = Math.floor(hundredths / 200)
      for (const contracts of [first, (hundredths - first * 100) / 100]) {
        match(kind, contracts)
        await look()
      }
      expect(await look()).toBe('filled')
      const found = [...fills.values()]
      const real = expected(orders().at(-1)!, kind)
      const size = total(found, (fill) => fill.size)
      expect(compareDecimals(size, real.size), `${size} for ${real.size}`).toBe(0)
      if (found.some(({ cash }) => cash === null)) return
      const cash = total(found, (fill) => fill.cash!)
      expect(Number(cash), `${cash} for ${real.cash}`).toBeCloseTo(Number(real.cash), 6)
    } finally {
      await here.close()
    }
  })
})
