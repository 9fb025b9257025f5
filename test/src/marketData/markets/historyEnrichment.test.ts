import { beforeEach, describe, expect, it } from 'vitest'
import type { OutcomeFacts } from '#history/outcomeStats'
import { enrichTimeoutMs, lateTimeoutMs } from '#marketData/markets/historyEnrichment'
import { type Coverage, noPriceChanges } from '#schemas/market'
import { createWorld, eventOf, longId, marketOf, type World } from '#test/src/server/http/world'

const coverage: Coverage = {
  mechanism: 'ws-lossless',
  tapeSince: '2026-09-01T00:00:00.000Z',
  tradesSince: null,
  tradesUntil: null,
  effectiveIntervalMs: null,
  gaps24h: 2,
  lastGapAt: null,
}
const changes = { ...noPriceChanges, priceChange1h: 0, priceChange24h: -0.03 }

let world: World
let queries: string[]
let answer: { changes: () => Promise<void>; coverage: () => Promise<void> }

/** Knows `longId` and the kalshi ticker; everything else is unknown to the tape. */
const facts: OutcomeFacts = {
  async findPriceChanges(venue, outcomes) {
    queries.push(`changes:${venue}:${outcomes.length}`)
    await answer.changes()
    return new Map(outcomes.filter(known).map(({ outcomeId }) => [outcomeId, changes]))
  },
  findDepthSince: async () => new Map(),
  async findCoverage(venue, outcomes) {
    queries.push(`coverage:${venue}:${outcomes.length}`)
    await answer.coverage()
    return new Map(outcomes.filter(known).map(({ outcomeId }) => [outcomeId, coverage]))
  },
}
const known = ({ outcomeId }: { outcomeId: string }) => outcomeId === longId || outcomeId === 'KXBTC-26'

beforeEach(() => {
  world = createWorld({ overrides: { facts } })
  queries = []
  answer = { changes: async () => undefined, coverage: async () => undefined }
})

const settled = () => new Promise(setImmediate)

describe('data of the tape', () => {
  it('is in every market and event read, including the shortcuts, and null where unknown', async () => {
    const markets = [
      (await world.get('/api/polymarket/fetchMarkets')).json.data[0],
      (await world.get('/api/polymarket/fetchMarketsPaginated')).json.data.data[0],
      (await world.get('/api/polymarket/fetchMarket?marketId=0xabc')).json.data,
      (await world.get('/api/polymarket/fetchEvents')).json.data[0].markets[0],
      (await world.get('/api/polymarket/fetchEventsPaginated')).json.data.data[0].markets[0],
      (await world.get('/api/polymarket/fetchEvent?slug=slug-0xabc')).json.data.markets[0],
      (await world.get('/api/router/fetchMarket?marketId=polymarket:0xabc')).json.data,
    ]
    for (const market of markets) {
      expect(market.outcomes[0]).toMatchObject({ outcomeId: longId, ...changes, coverage })
      expect(market.yes).toEqual(market.outcomes[0])
      expect(market.outcomes[1]).toMatchObject({ ...noPriceChanges, coverage: null })
    }
  })

  it('takes one query of each kind per venue and page, however many rows', async () => {
    for (let i = 0; i < 90; i++)
      world.catalog.events.push(eventOf('kalshi', [marketOf('kalshi', `KX-${i}`, [`KX-${i}`, `KX-${i}-NO`])]))
    await world.get('/api/router/fetchMarkets')
    expect(queries.toSorted()).toEqual([
      'changes:kalshi:182',
      'changes:polymarket:2',
      'coverage:kalshi:182',
      'coverage:polymarket:2',
    ])
  })

  it('fills a market that only the venue knew', async () => {
    world.venues.get('kalshi')!.markets.set('KXBTC-26', marketOf('kalshi', 'KXBTC-26', ['KXBTC-26', 'KXBTC-26-NO']))
    world.catalog.events.length = 0
    const { json } = await world.get('/api/kalshi/fetchMarket?marketId=KXBTC-26')
    expect([json.provenance.source, json.data.yes.coverage]).toEqual(['venue-rest', coverage])
  })

  it('can be filtered: the filter sees the filled rows', async () => {
    const filtered = (max: number) =>
      world.get(
        `/api/polymarket/fetchMarkets?filter=${JSON.stringify({ priceChange24h: { outcome: 'yes', max, min: -1 } })}`,
      )
    expect((await filtered(0)).json.data).toHaveLength(1)
    expect((await filtered(-0.5)).json.data).toHaveLength(0)
  })

  it('is null when the tape is down, and the rows are returned anyway', async () => {
    answer.changes = () => Promise.reject(new Error('down'))
    const { status, json } = await world.get('/api/polymarket/fetchMarkets')
    expect([status, json.data[0].outcomes[0].priceChange24h]).toEqual([200, null])
    // The half that responded is shown.
    expect(json.data[0].outcomes[0].coverage).toEqual(coverage)
  })

  it('is awaited: a response after one second is in the first read', async () => {
    let arrive = (): void => undefined
    answer.coverage = () =>
      new Promise((resolve) => {
        arrive = resolve
      })
    const waiting = world.get('/api/polymarket/fetchMarkets')
    await settled()
    world.clock.advance(1_000)
    arrive()
    const { json } = await waiting
    expect(json.data[0].outcomes[0]).toMatchObject({ ...changes, coverage })
    expect(json.meta).not.toHaveProperty('pending')
    expect(world.clock.pendingCount).toBe(0)
  })

  it('is not awaited beyond the deadline; missing data is marked as pending, and no timer is left', async () => {
    answer.changes = () => new Promise(() => undefined)
    const waiting = world.get('/api/polymarket/fetchEvents')
    await settled()
    world.clock.advance(enrichTimeoutMs - 1)
    let done = false
    void waiting.then(() => {
      done = true
    })
    await settled()
    expect(done).toBe(false)
    world.clock.advance(1)
    const { status, json } = await waiting
    expect([status, json.data[0].markets[0].outcomes[0].priceChange1h, json.meta.pending]).toEqual([200, null, true])
    expect(json.data[0].markets[0].outcomes[0].coverage).toEqual(coverage)
    expect(world.clock.pendingCount).toBe(0)
  })

  it('gets less time after a timeout, until it responds again', async () => {
    answer.changes = () => new Promise(() => undefined)
    const readWith = async (ms: number) => {
      const waiting = world.get('/api/polymarket/fetchMarket?marketId=0xabc')
      await settled()
      world.clock.advance(ms)
      return (await waiting).json
    }
    expect((await readWith(enrichTimeoutMs)).meta).toEqual({ pending: true })
    expect((await readWith(lateTimeoutMs)).meta).toEqual({ pending: true })
    answer.changes = async () => undefined
    expect(await readWith(0)).not.toHaveProperty('meta')
    answer.changes = () => new Promise(() => undefined)
    expect((await readWith(enrichTimeoutMs)).meta).toEqual({ pending: true })
  })

  it('is unknown, not pending, when the tape is down', async () => {
    answer.changes = () => Promise.reject(new Error('down'))
    expect((await world.get('/api/polymarket/fetchMarkets')).json.meta).not.toHaveProperty('pending')
  })

  it('never changes the catalog’s own rows', async () => {
    const before = JSON.stringify(world.catalog.events)
    await world.get('/api/polymarket/fetchMarkets')
    await world.get('/api/polymarket/fetchEvents')
    expect(JSON.stringify(world.catalog.events)).toBe(before)
  })

  it('is null everywhere when the process has no tape', async () => {
    world = createWorld()
    const { json } = await world.get('/api/polymarket/fetchMarkets')
    expect(json.data[0].outcomes[0]).toMatchObject({ ...noPriceChanges, coverage: null })
  })
})

describe('an ambiguous outcome id', () => {
  it('is resolved by the catalog’s market: a ticker ending in -NO reads its own book, cold and batched', async () => {
    const kalshi = world.venues.get('kalshi')!
    const { bookRef } = kalshi.reads.data
    kalshi.reads.data.bookRef = (outcomeId, marketId) =>
      marketId === undefined ? bookRef(outcomeId) : { bookId: marketId, complement: outcomeId !== marketId }
    world.catalog.events.push(eventOf('kalshi', [marketOf('kalshi', 'KXSB-27-NO', ['KXSB-27-NO', 'KXSB-27-NO-NO'])]))
    kalshi.snapshot('KXSB-27-NO')
    const one = await world.get('/api/kalshi/fetchOrderBook?outcomeId=KXSB-27-NO')
    expect([one.status, one.json.data.bids[0]]).toEqual([200, { price: 0.42, size: 10 }])
    const many = await world.post('/api/kalshi/fetchOrderBooks', { args: [['KXSB-27-NO', 'KXSB-27-NO-NO']] })
    expect(many.json.data['KXSB-27-NO'].bids).toEqual(one.json.data.bids)
    expect(many.json.data['KXSB-27-NO-NO'].asks[0]).toEqual({ price: 0.58, size: 10 })
    expect(kalshi.requests.every((question) => question === 'book:KXSB-27-NO')).toBe(true)
  })
})
