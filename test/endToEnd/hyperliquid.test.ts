// A whole order on Hyperliquid through one process: the real ingest finds the markets, a book arrives over its socket, and an order goes
// from build to fill.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { createKey } from '#platform/auth/keys'
import { findRunningEmbedded } from '#storage/postgres/embedded'
import { createPool } from '#storage/postgres/pool'
import { owner, sign } from '#test/src/venues/hyperliquid/exec/world'
import {
  ask,
  eventually,
  levelsOf,
  levelsOfTruth,
  type Served,
  StreamClient,
  type WireBook,
} from '#test/support/cluster/client'
import { type RoleProcess, roleProcess } from '#test/support/cluster/roleProcess'
import { prefillPostgres } from '#test/support/postgres'

interface Row {
  marketId: string
  title: string
  volume24h: number | null
  status: string
  outcomes: { outcomeId: string; label: string; price: number | null }[]
}

let lab: Lab
let crossbook: RoleProcess
let dataDir: string
let served: Served
let market: Row

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-hyperliquid-'))
  await prefillPostgres(dataDir)
  lab = await startLab({ seed: 'hyperliquid', ratePerSecond: 2, venues: ['hyperliquid'], markets: 20 })
  crossbook = roleProcess({
    name: 'hyperliquid',
    roles: 'all',
    dataDir,
    env: {
      PORT: '0',
      LOG_LEVEL: 'warn',
      VENUES: 'hyperliquid',
      CROSSBOOK_PINNED_MARKETS: '2',
      CROSSBOOK_CATALOG_INTERVAL_MS: '2000',
      // A walk every two seconds is more than the venue itself would allow.
      CROSSBOOK_HYPERLIQUID_BUDGET_PERCENT: '1000',
      CROSSBOOK_HYPERLIQUID_REST_URL: lab.hyperliquid.urls.REST,
      CROSSBOOK_HYPERLIQUID_WS_URL: lab.hyperliquid.urls.WS,
    },
  })
  await crossbook.start()
  served = { url: crossbook.url, stream: crossbook.stream, apiKey: await issueKey() }
}, 120_000)
afterAll(async () => {
  await crossbook?.stop()
  await lab?.stop()
  await rm(dataDir, { recursive: true, force: true })
}, 60_000)

async function issueKey(): Promise<string> {
  const url = await findRunningEmbedded(dataDir)
  if (url === null) throw new Error('the running process left no address')
  const pool = createPool({ url, log: silentLog })
  try {
    return (await createKey(pool, { account: 'trader', plan: 'enterprise', scopes: ['read', 'trade'] })).apiKey
  } finally {
    await pool.end()
  }
}

async function post(path: string, body: object): Promise<{ status: number; data: Record<string, unknown> }> {
  const response = await fetch(`${served.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${served.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })
  const answer = (await response.json()) as { data?: Record<string, unknown> }
  expect(response.status, JSON.stringify(answer)).toBe(200)
  return { status: response.status, data: answer.data! }
}

it('the ingest lists every market of the venue, with its volume', async () => {
  const listed = lab.hyperliquid.catalogMarkets().filter(({ status }) => status === 'active')
  const rows = await eventually(async () => {
    const { body } = await ask(served, '/api/hyperliquid/fetchMarkets?limit=200&sort=volume')
    const found = body.data as Row[]
    expect(found).toHaveLength(listed.length)
    return found
  })
  expect(rows.map(({ marketId }) => marketId).sort()).toEqual(listed.map(({ marketId }) => marketId).sort())
  expect(rows.every(({ volume24h, status }) => volume24h !== null && volume24h > 0 && status === 'active')).toBe(true)
  market = rows.find(({ outcomes }) => {
    const price = outcomes[0]?.price ?? 0
    return price > 0.3 && price < 0.7
  })!
  expect(market.outcomes).toHaveLength(2)
})

it.each([0, 1])('the book of side %s becomes live and equals the venue’s', async (side) => {
  const { outcomeId } = market.outcomes[side]!
  const path = `/api/hyperliquid/fetchOrderBook?outcomeId=${encodeURIComponent(outcomeId)}`
  await eventually(async () => {
    const { status, body } = await ask(served, path)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.provenance).toEqual({ source: 'service-live' })
  })
  lab.hyperliquid.engine.paused = true
  try {
    await eventually(async () => {
      const { body } = await ask(served, path)
      const { bids, asks, eventTs } = lab.hyperliquid.book(outcomeId)!
      // The feed has five levels a side.
      const shown = { bids: bids.slice(0, 5), asks: asks.slice(0, 5), eventTs }
      expect(levelsOf(body.data as WireBook)).toBe(levelsOfTruth(shown))
    })
  } finally {
    lab.hyperliquid.engine.paused = false
  }
})

it('the stream sends the book first and follows it', async () => {
  const client = await StreamClient.open(served)
  const { outcomeId } = market.outcomes[0]!
  try {
    client.subscribe('hyperliquid', outcomeId)
    await client.frame(({ type }) => type === 'update')
    const types = client.of('hyperliquid', outcomeId).map(({ type }) => type)
    expect(types.slice(0, 3)).toEqual(['subscribed', 'snapshot', 'update'])
  } finally {
    client.close()
  }
})

it('its trades are returned, newest first', async () => {
  const { outcomeId } = market.outcomes[0]!
  const trades = await eventually(async () => {
    const { body } = await ask(
      served,
      `/api/hyperliquid/fetchTrades?outcomeId=${encodeURIComponent(outcomeId)}&limit=5`,
    )
    const found = body.data as { outcomeId: string; timestamp: number; side: string }[]
    expect(found.length, JSON.stringify(body)).toBeGreaterThan(1)
    return found
  })
  expect(trades.every((trade) => trade.outcomeId === outcomeId && /^(buy|sell)$/.test(trade.side))).toBe(true)
  const times = trades.map(({ timestamp }) => timestamp)
  expect(times).toEqual([...times].sort((a, b) => b - a))
})

it('an order is built: first as a dry run, then for real, signed, submitted and filled', async () => {
  const { asks } = lab.hyperliquid.book(market.outcomes[0]!.outcomeId)!
  const order = {
    outcome: market.marketId,
    outcomeSide: 'YES',
    isBuy: true,
    price: asks[0]![0] / 1e6 + 0.05,
    size: 30,
    owner: owner.address,
  }
  const dry = await post('/v1/exec/hyperliquid/orders/build', { ...order, dryRun: true })
  expect(dry.data).toMatchObject({ collateral: { ledger: 'spot', destinationDex: null } })
  const { data: built } = await post('/v1/exec/hyperliquid/orders/build', order)
  expect(built).toMatchObject({ status: 'built', feeEstimate: { maker: '0', taker: '0' } })
  const signature = await sign(built as never)
  const path = `/v1/exec/hyperliquid/orders/${String(built.executionId)}`
  await post(`${path}/submit`, { signature })
  await eventually(async () => {
    const { data } = await post(`${path}/refresh`, {})
    expect(data.status).toBe('filled')
  })
}, 60_000)

it('a settled market is reported as resolved, although the venue no longer lists it, and accepts no orders', async () => {
  lab.hyperliquid.faults.resolve({ market: market.outcomes[0]!.outcomeId, result: 'yes' })
  const order = {
    outcome: market.marketId,
    outcomeSide: 'YES',
    isBuy: true,
    price: 0.5,
    size: 30,
    owner: owner.address,
  }
  await eventually(async () => {
    const { body } = await ask(served, `/api/hyperliquid/fetchMarkets?limit=200&status=all`)
    const row = (body.data as Row[]).find(({ marketId }) => marketId === market.marketId)
    expect(row, JSON.stringify(body).slice(0, 300)).toMatchObject({
      status: 'resolved',
      outcomes: [{ price: 1 }, { price: 0 }],
    })
  })
  await expect(post('/v1/exec/hyperliquid/orders/build', { ...order, dryRun: true })).rejects.toThrow(/takes no orders/)
}, 60_000)
