// Polymarket US in service, from its catalog walk to a filled order, as a user sees it, in one process in front of the simulated venue.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '#platform/auth/keys'
import { ask, eventually, levelsOf, levelsOfTruth, type WireBook } from '#test/support/cluster/client'
import { withEngine } from '#test/support/engine'

const engine = withEngine({
  lab: { venues: ['polymarket', 'kalshi', 'polymarket_us'] },
  env: (lab) => ({
    VENUES: 'polymarket,kalshi,polymarket_us',
    CROSSBOOK_POLYMARKET_US_GATEWAY_URL: lab.polymarket_us.urls.GATEWAY,
    CROSSBOOK_POLYMARKET_US_API_URL: lab.polymarket_us.urls.API,
  }),
})

interface FoundMarket {
  marketId: string
  eventId: string
  status: string
  tickSize: number
  outcomes: { outcomeId: string; bestBid: number | null; bestAsk: number | null }[]
}

let market: FoundMarket
let apiKey: string
beforeAll(async () => {
  market = await eventually(async () => {
    const { body } = await ask(engine.served, '/api/polymarket_us/fetchMarkets?limit=200')
    const open = (body.data as FoundMarket[]).find(({ status, tickSize, outcomes: [long] }) => {
      const [bid, ask] = [long!.bestBid ?? 0, long!.bestAsk ?? 0]
      return status === 'active' && tickSize === 0.01 && bid > 0.25 && ask > bid && ask < 0.75
    })
    expect(open).toBeDefined()
    return open!
  })
  const granted = await createKey(engine.crossbook.pool!, {
    account: 'polymarket_us',
    plan: 'enterprise',
    scopes: ['read', 'trade'],
  })
  apiKey = granted.apiKey
}, 60_000)

async function post(path: string, body: object) {
  const response = await fetch(`${engine.served.url}/v1/exec/polymarket_us/orders/${path}`, {
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
const price = () => (market.outcomes[0]!.bestBid! - 0.1).toFixed(2)
const order = (over: object = {}) => ({
  marketId: market.marketId,
  outcomeId: market.outcomes[0]!.outcomeId,
  side: 'buy',
  type: 'limit',
  amount: 10,
  price: price(),
  ...over,
})

describe('reads', () => {
  it('a book is the venue’s own, short being one minus long', async () => {
    const { served, lab } = engine
    const path = (id: string) => `/api/polymarket_us/fetchOrderBook?outcomeId=${encodeURIComponent(id)}`
    lab.polymarket_us.engine.paused = true
    try {
      const truth = lab.polymarket_us.book(market.marketId)!
      const [long, short] = await Promise.all(
        market.outcomes.map(async ({ outcomeId }) => {
          const { status, body, text } = await ask(served, path(outcomeId))
          expect(status, text).toBe(200)
          return body.data as WireBook
        }),
      )
      expect(levelsOf(long!)).toBe(levelsOfTruth(truth))
      const mirror = (side: readonly (readonly [number, number])[]) =>
        side.map(([micros, size]) => [1_000_000 - micros, size] as [number, number])
      expect(levelsOf(short!)).toBe(levelsOfTruth({ ...truth, bids: mirror(truth.asks), asks: mirror(truth.bids) }))
    } finally {
      lab.polymarket_us.engine.paused = false
    }
  })

  it('its history is found under both outcomes, with its start; trades were never recorded', async () => {
    const since = Date.now() - 600_000
    for (const { outcomeId } of market.outcomes) {
      const replay = async (kind: string) =>
        fetch(
          `${engine.served.url}/v1/history/replay?venue=polymarket_us&kind=${kind}&since=${since}&until=${Date.now() + 60_000}&outcomeId=${encodeURIComponent(outcomeId)}`,
          { headers: { authorization: `Bearer ${apiKey}` } },
        )
      await eventually(async () => {
        const answer = await replay('tob')
        expect(answer.status).toBe(200)
        expect((await answer.text()).trim().split('\n').length, outcomeId).toBeGreaterThan(1)
      })
      expect((await replay('trades')).headers.get('x-tape-since')).toBe('never')
    }
  })

  it('its event lists it among its markets, and has no volume', async () => {
    const { body } = await ask(engine.served, `/api/polymarket_us/fetchEvents?eventId=${market.eventId}`)
    const [event] = body.data as { id: string; volume24h: unknown; markets: FoundMarket[] }[]
    expect(event!.markets.map(({ marketId }) => marketId)).toContain(market.marketId)
    expect(event!.volume24h).toBeNull()
  })

  it('reports what the venue lacks: no trades, no daily volume, and has() agrees', async () => {
    const { body: capabilities } = await ask(engine.served, '/api/polymarket_us/has')
    expect(capabilities.data).toMatchObject({
      fetchTrades: false,
      fetchOHLCV: false,
      fetchOrderBook: true,
      volume24h: false,
    })
    const id = encodeURIComponent(market.outcomes[0]!.outcomeId)
    const { status, body } = await ask(engine.served, `/api/polymarket_us/fetchTrades?outcomeId=${id}`)
    expect([status, body.error?.code]).toEqual([501, 'NOT_SUPPORTED'])
  })

  it('an id in an invalid format is 404, and so is an unknown one', async () => {
    for (const id of ['no-such', 'no-such:long']) {
      const { status, body } = await ask(engine.served, `/api/polymarket_us/fetchOrderBook?outcomeId=${id}`)
      expect([status, body.error?.code], id).toEqual([404, 'OUTCOME_NOT_FOUND'])
    }
  })

  it('the status lists it as connected, and polled or idle', async () => {
    await eventually(async () => {
      const { body } = await ask(engine.served, '/v1/status')
      const { venues } = body.data as { venues: { venue: string; connection: string }[] }
      expect(['idle', 'polling']).toContain(venues.find(({ venue }) => venue === 'polymarket_us')?.connection)
    })
  })
})

describe('an order', () => {
  it('dry-run finds the market from the catalog', async () => {
    const built = await post('build', order({ dryRun: true }))
    expect(built.unsigned).toMatchObject({
      marketSlug: market.marketId,
      intent: 'ORDER_INTENT_BUY_LONG',
      price: { value: price(), currency: 'USD' },
      quantity: 10,
    })
    expect(built.feeEstimate).toMatchObject({ coefficient: '0.0695', currency: 'USD' })
  })

  it('is built, rests at the venue, and is found by refresh', async () => {
    const { key, engine: floor } = engine.lab.polymarket_us
    const { executionId } = await post('build', order())
    const sent = await post(`${executionId}/submit`, key)
    expect(sent.status).toBe('acked')
    const resting = floor.orderManager.ordersOf(key.keyId)
    expect(resting.map(({ status, priceMicros }) => [status, priceMicros])).toEqual([
      ['open', Math.round(Number(price()) * 100) * 10_000],
    ])
    const seen = await post(`${executionId}/refresh`, key)
    expect([seen.status, seen.venueRef]).toEqual(['acked', sent.venueRef])
  })
})
