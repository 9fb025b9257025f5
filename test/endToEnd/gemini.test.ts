// Gemini in service, from its catalog walk to a resting order, as a user sees it, in one process in front of the simulated venue.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '#platform/auth/keys'
import { ask, eventually, levelsOf, levelsOfTruth, StreamClient, type WireBook } from '#test/support/cluster/client'
import { withEngine } from '#test/support/engine'

const engine = withEngine({
  lab: { venues: ['polymarket', 'kalshi', 'gemini'] },
  env: (lab) => ({
    VENUES: 'polymarket,kalshi,gemini',
    CROSSBOOK_GEMINI_REST_URL: lab.gemini.urls.REST,
    CROSSBOOK_GEMINI_WS_URL: lab.gemini.urls.WS,
    CROSSBOOK_GEMINI_LANE: 'true',
  }),
})

interface FoundMarket {
  marketId: string
  status: string
  outcomes: { outcomeId: string; bestBid: number | null; bestAsk: number | null }[]
}

let market: FoundMarket
let apiKey: string
beforeAll(async () => {
  market = await eventually(async () => {
    const { body } = await ask(engine.served, '/api/gemini/fetchMarkets?limit=200')
    const open = (body.data as FoundMarket[]).find(({ status, outcomes: [yes] }) => {
      const [bid, ask] = [yes!.bestBid ?? 0, yes!.bestAsk ?? 0]
      return status === 'active' && bid > 0.25 && ask > bid && ask < 0.75
    })
    expect(open).toBeDefined()
    return open!
  })
  const granted = await createKey(engine.crossbook.pool!, {
    account: 'gemini',
    plan: 'enterprise',
    scopes: ['read', 'trade'],
  })
  apiKey = granted.apiKey
}, 60_000)

async function post(path: string, body: object) {
  const response = await fetch(`${engine.served.url}/v1/exec/gemini/orders/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { success: boolean; data: Record<string, unknown> }
  expect([response.status, answer.success], JSON.stringify(answer)).toEqual([200, true])
  return answer.data
}

/** Deep enough to rest. */
const price = () => market.outcomes[0]!.bestBid! - 0.1
const order = (over: object = {}) => ({
  outcome: market.marketId,
  outcomeSide: 'YES',
  isBuy: true,
  price: price().toFixed(2),
  size: 10,
  ...over,
})

describe('reads', () => {
  it('a book becomes live once it is read, and equals the venue’s own, NO being one minus YES', async () => {
    const { served, lab } = engine
    const path = (id: string) => `/api/gemini/fetchOrderBook?outcomeId=${encodeURIComponent(id)}`
    const [yes, no] = market.outcomes.map(({ outcomeId }) => outcomeId)
    lab.gemini.engine.paused = true
    try {
      await eventually(async () => {
        const { status, body, text } = await ask(served, path(yes!))
        expect(status, text).toBe(200)
        expect(body.provenance).toEqual({ source: 'service-live' })
        expect(levelsOf(body.data as WireBook)).toBe(levelsOfTruth(lab.gemini.book(market.marketId)!))
      })
      const { body } = await ask(served, path(no!))
      const truth = lab.gemini.book(market.marketId)!
      expect((body.data as WireBook).bids[0]).toEqual({
        price: expect.closeTo(1 - truth.asks[0]![0] / 1e6, 9),
        size: truth.asks[0]![1],
      })
    } finally {
      lab.gemini.engine.paused = false
    }
  })

  it('the stream sends the book first', async () => {
    const client = await StreamClient.open(engine.served)
    try {
      client.subscribe('gemini', market.marketId)
      const frame = await client.frame(({ type }) => type === 'snapshot')
      expect(frame).toMatchObject({ venue: 'gemini', marketId: market.marketId })
    } finally {
      client.close()
    }
  })

  it('has() reports the venue’s capabilities, and the trades are the venue’s', async () => {
    const { body: capabilities } = await ask(engine.served, '/api/gemini/has')
    expect(capabilities.data).toMatchObject({ fetchTrades: true, streamOrderBookAll: false, volume24h: 'venue' })
    const { status, body, text } = await ask(
      engine.served,
      `/api/gemini/fetchTrades?outcomeId=${market.marketId}&limit=5`,
    )
    expect(status, text).toBe(200)
    expect(body.provenance).toEqual({ source: 'venue-rest' })
    expect(body.data).toHaveLength(5)
  })

  it('an id in an invalid format is 404, and so is an unknown one', async () => {
    for (const id of ['no-such', 'GEMI-NOSUCH261231-AAA']) {
      const { status, body } = await ask(engine.served, `/api/gemini/fetchOrderBook?outcomeId=${id}`)
      expect([status, body.error?.code], id).toEqual([404, 'OUTCOME_NOT_FOUND'])
    }
  })
})

describe('an order', () => {
  it('dry-run finds the market from the catalog', async () => {
    const built = await post('build', order({ dryRun: true }))
    expect(built.unsigned).toMatchObject({
      symbol: market.marketId,
      outcome: 'yes',
      side: 'buy',
      price: price().toFixed(2),
      quantity: '10',
    })
  })

  it('is built, rests at the venue, and is found by refresh', async () => {
    const { credentials } = engine.lab.gemini
    const { executionId } = await post('build', order())
    const sent = await post(`${executionId}/submit`, credentials)
    expect(sent.status).toBe('acked')
    const resting = engine.lab.gemini.engine.orderManager.ordersOf(credentials.apiKey)
    expect(resting.map(({ status, priceMicros }) => [status, priceMicros])).toEqual([
      ['open', Math.round(price() * 100) * 10_000],
    ])
    const seen = await post(`${executionId}/refresh`, credentials)
    expect([seen.status, seen.venueRef]).toEqual(['acked', sent.venueRef])
  })
})
