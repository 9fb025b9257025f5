import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { demandRenewMs } from '#schemas/topics'
import { DemandKeeper } from '#stream/demand'
import { MemoryBus } from './support.ts'

let clock: ManualClock
let bus: MemoryBus
let demand: DemandKeeper

beforeEach(() => {
  clock = new ManualClock()
  bus = new MemoryBus()
  demand = new DemandKeeper({ bus, clock, gatewayId: 'g' })
})

const publishedDemand = () => bus.demand.map(({ venue, marketIds }) => `${venue}: ${marketIds}`)

describe('demand', () => {
  it('sends changes within 50 ms as one complete set per venue', () => {
    for (const market of ['c', 'a', 'b']) demand.add('v', market)
    demand.add('w', 'x')
    demand.remove('v', 'b')
    clock.advance(49)
    expect(publishedDemand()).toEqual([])
    clock.advance(1)
    expect(publishedDemand()).toEqual(['v: a,c', 'w: x'])
    expect(bus.demand[0]).toEqual({ gatewayId: 'g', venue: 'v', marketIds: ['a', 'c'], at: clock.now() })
  })

  it('a second reader of a market changes nothing, the last one leaving does', () => {
    demand.add('v', 'a')
    clock.advance(50)
    demand.add('v', 'a')
    demand.remove('v', 'a')
    clock.advance(50)
    expect(publishedDemand()).toEqual(['v: a'])
    demand.remove('v', 'a')
    clock.advance(50)
    expect(publishedDemand()).toEqual(['v: a', 'v: '])
    clock.advance(3 * demandRenewMs)
    expect(publishedDemand(), 'does not repeat a venue without demand').toHaveLength(2)
  })

  it('repeats demand while there is some', () => {
    demand.add('v', 'a')
    clock.advance(demandRenewMs * 3)
    expect(publishedDemand()).toEqual(['v: a', 'v: a', 'v: a', 'v: a'])
  })

  it('an HTTP read holds a market for a limited time, reads renew it, sockets outlast it', () => {
    expect(demand.hold('v', 'a', 3_000)).toBe(true)
    clock.advance(2_000)
    demand.hold('v', 'a', 3_000)
    demand.add('v', 'b')
    demand.hold('v', 'b', 1_000)
    clock.advance(2_900)
    expect(demand.marketIds('v')).toEqual(['a', 'b'])
    clock.advance(200)
    expect(demand.marketIds('v')).toEqual(['b'])
    clock.advance(50)
    expect(bus.wanted('v')).toEqual(['b'])
  })

  it('the number of holds is limited', () => {
    for (let i = 0; i < 10_000; i++) expect(demand.hold('v', `m${i}`, 1_000)).toBe(true)
    expect(demand.hold('v', 'one more', 1_000)).toBe(false)
    expect(demand.hold('v', 'm7', 5_000)).toBe(true)
    clock.advance(1_000)
    expect(demand.marketIds('v')).toEqual(['m7'])
  })

  it('stop clears all demand and leaves no timer', () => {
    demand.add('v', 'a')
    demand.hold('w', 'b', 1_000)
    clock.advance(50)
    demand.stop()
    demand.stop()
    expect(publishedDemand().slice(-2)).toEqual(['v: ', 'w: '])
    expect(clock.pendingCount).toBe(0)
    demand.remove('v', 'a')
    expect(demand.hold('v', 'a', 1)).toBe(false)
    expect(clock.pendingCount).toBe(0)
  })
})
