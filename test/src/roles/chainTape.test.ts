// Trades from a chain through the ingest role: published, recorded and covered, withdrawn when their block is orphaned,
// and continued after a restart.

import { toEventSelector } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { start, stop } from '#actors/system'
import { readConfig } from '#config'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { LabChain } from '#lab/chain/chain'
import { type LabNode, startLabNode } from '#lab/chain/node'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { runIngest } from '#roles/ingestRole'
import { createMetrics } from '#roles/metrics'
import { createStreamCatalog } from '#roles/streamCatalog'
import type { RunningVenue } from '#roles/venues'
import type {
  CoverageEvent,
  TapeTradeRow,
  TradeUpdate,
  TradeWithdrawal,
  VenueHealth,
  WalletPoll,
} from '#schemas/topics'
import { createLocalBus } from '#storage/bus/local'
import { startStream } from '#stream/server'
import { sampleEvent } from '#test/src/marketData/catalog/samples'
import { KeyStore, MemoryBus, principal, tradeUpdate } from '#test/src/stream/support'
import { chainMarket, chainTrades, enterLog, knownTopics, wallet } from '#test/support/chainVenue'
import { booksOnly, contextOf } from '#test/support/ingest'
import { withPostgres } from '#test/support/postgres'
import type { VenueManifest } from '#venues/venue'

const postgres = withPostgres()
const clock = new ManualClock(Date.UTC(2026, 10, 20))
const bookId = 'm:Yes'

test('the events are those whose topics are known', () => {
  expect(chainTrades.events.map((event) => toEventSelector(event))).toEqual(knownTopics)
})

const manifest: VenueManifest = {
  slug: 'rain',
  title: 'Rain',
  urls: {},
  credentialNames: [],
  volume24h: false,
  data: {
    ...booksOnly,
    chainTrades,
    fetchOrderBook: async (_context, bookId) => ({
      bookId,
      bids: [[400_000, 1]],
      asks: [[600_000, 1]],
      eventTs: null,
      recvTs: clock.now(),
      lastTradeMicros: null,
      isNegRisk: null,
      tickMicros: null,
    }),
    poll: { intervalMs: 5_000, concurrency: 1 },
  },
}

let chain: LabChain
let node: LabNode
let http: OwnedHttpClient
beforeAll(async () => {
  http = createHttpClient({ venue: 'rain', requestsPerSecond: 10_000 })
  const catalog = createPostgresCatalog(postgres.pool, { clock })
  await catalog.upsertEvents('rain', [sampleEvent('e', [chainMarket('m')])], [], clock.now())
})
const actors = start()
afterAll(() => http?.close())
afterAll(() => stop(actors))

const published: TradeUpdate[] = []
const taped: TapeTradeRow[] = []
const withdrawn: TradeWithdrawal[] = []
const covered: CoverageEvent[] = []
const looked: WalletPoll[] = []
let health: VenueHealth | undefined
let close: (() => Promise<void>) | null = null

const venueOf = (url: string | null): RunningVenue => ({
  manifest,
  context: { ...contextOf('rain', clock), http, urls: url === null ? {} : { RPC: url } },
})

async function startRole(): Promise<void> {
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  const metrics = createMetrics()
  await bus.subscribe('trades', (trade) => void published.push(trade))
  await bus.subscribe('health', (beat) => {
    health = beat
  })
  await bus.consume('tape', 'test', async ({ values }) => void taped.push(...values.flatMap(({ trades }) => trades)))
  await bus.consume('withdrawals', 'test', async ({ values }) => void withdrawn.push(...values))
  await bus.consume('coverage', 'test', async ({ values }) => void covered.push(...values))
  await bus.consume(
    'walletTrades',
    'test',
    async ({ values }) => void looked.push(...values.filter((each): each is WalletPoll => 'lookedAt' in each)),
  )
  const started = await runIngest({
    actors,
    config: readConfig({ CROSSBOOK_PINNED_MARKETS: '0', CROSSBOOK_TRADERS: 'true' }),
    bus,
    busMode: 'local',
    busHealth: { isProven: () => true },
    pool: postgres.pool,
    venues: [venueOf(node.url)],
    metrics,
    clock,
    log: silentLog,
  })
  const want = () =>
    bus.publish('demand', 'rain', { gatewayId: 'g', venue: 'rain', marketIds: [bookId], at: clock.now() })
  want()
  const wanting = clock.every(5_000, want)
  close = async () => {
    wanting.cancel()
    await started.stop()
    await bus.close()
    metrics.stop()
  }
}

async function stopRole(): Promise<void> {
  const stopping = close?.()
  let stopped = false
  void stopping?.then(() => {
    stopped = true
  })
  await until(() => expect(stopped).toBe(true))
  close = null
}

/** Advances the clock until the assertion passes. */
const until = (isSo: () => void) =>
  vi.waitFor(
    () => {
      clock.advance(200)
      isSo()
    },
    { timeout: 20_000, interval: 2 },
  )
const mine = (count: number) => {
  for (let n = 0; n < count; n++) {
    clock.advance(1_000)
    chain.mine()
  }
}
const headRead = () => expect(node.calls.get('eth_getLogs') ?? 0).toBeGreaterThan(0)

let seeds = 0
beforeEach(async () => {
  await postgres.pool.query('DELETE FROM chain_positions')
  for (const list of [published, taped, withdrawn, covered, looked]) list.length = 0
  chain = new LabChain({ seed: `role ${seeds++}`, clock })
  node = await startLabNode(chain, { chainId: chainTrades.chainId })
  mine(5)
})
afterEach(async () => {
  if (close !== null) await stopRole()
  await node.stop()
})

/** Starts the role, watches its book and reads the chain to its head. */
async function begun(): Promise<void> {
  await startRole()
  await until(() => expect(health?.watchedBooks).toBe(1))
  await until(() => {
    mine(1)
    headRead()
  })
}

describe('with a node', () => {
  test('publishes, records and covers a trade once its block is confirmed, and measures the delay', async () => {
    await begun()
    const { hash } = chain.send([enterLog(10, 4)])
    mine(1)
    const block = chain.head
    mine(2)
    await until(() => expect(taped).toHaveLength(1))
    expect(published).toHaveLength(1)
    expect(published[0]).toMatchObject({
      venue: 'rain',
      marketId: bookId,
      provenance: 'chain-scan',
      data: {
        id: `${block.hash}:0`,
        timestamp: block.timestamp * 1_000,
        type: 'Buy',
        price: 0.4,
        shares: 10,
        usd: 4,
        transactionHash: hash,
        wallet: expect.stringMatching(new RegExp(wallet, 'i')),
      },
    })
    expect(taped[0]).toMatchObject({
      outcomeId: bookId,
      priceMicros: 400_000,
      size: 10,
      side: 'buy',
      transactionHash: hash,
    })
    await until(() => expect(covered.filter(({ reason }) => reason === 'trades are read').length).toBeGreaterThan(0))
    await until(() => expect(health?.tradesLatencyMs).toBeGreaterThanOrEqual(2_000))
  })

  test('reports the last block read to the trader record, even without trades', async () => {
    await begun()
    await until(() => {
      mine(1)
      expect(looked.length).toBeGreaterThan(1)
    })
    expect(taped).toEqual([])
    const blocks = new Set(Array.from({ length: chain.head.number }, (_, n) => chain.block(n + 1)!.timestamp * 1_000))
    expect(looked.filter(({ venue, lookedAt }) => venue !== 'rain' || !blocks.has(lookedAt))).toEqual([])
    expect(looked.map(({ lookedAt }) => lookedAt)).toEqual(looked.map(({ lookedAt }) => lookedAt).toSorted())
    node.faults.status = 503
    await until(() => expect(node.calls.size).toBeGreaterThan(0))
    const before = looked.length
    mine(60)
    expect(looked.length).toBe(before)
  })

  test('withdraws trades after a reorganisation and publishes those of the new branch', async () => {
    await begun()
    chain.send([enterLog(10, 4)])
    const goes = chain.send([enterLog(5, 1)])
    mine(3)
    await until(() => expect(taped).toHaveLength(2))
    const before = taped.map(({ tradeId }) => tradeId)
    chain.reorganise(3, ({ hash }) => hash !== goes.hash)
    mine(3)
    await until(() => expect(withdrawn).toHaveLength(2))
    await until(() => expect(taped).toHaveLength(3))
    expect(withdrawn.map(({ tradeId }) => tradeId).sort()).toEqual(before.sort())
    expect(taped[2]).toMatchObject({ size: 10 })
    expect(before).not.toContain(taped[2]!.tradeId)
    expect(published).toHaveLength(3)
  })

  test('continues after a restart: records what happened meanwhile, nothing twice', async () => {
    await begun()
    chain.send([enterLog(1, 0.5)])
    mine(3)
    await until(() => expect(taped).toHaveLength(1))
    await stopRole()
    chain.send([enterLog(2, 0.5)])
    mine(3)
    await startRole()
    await until(() => expect(taped).toHaveLength(2))
    chain.send([enterLog(3, 0.5)])
    mine(3)
    await until(() => expect(taped).toHaveLength(3))
    expect(taped.map(({ size }) => size)).toEqual([1, 2, 3])
  })

  test('only loses time when a node rejects ranges, then everything, then lags', async () => {
    node.faults.rangeMax = 2
    await begun()
    chain.send([enterLog(1, 0.5)])
    mine(20)
    await until(() => expect(taped).toHaveLength(1))
    node.faults.status = 503
    chain.send([enterLog(2, 0.5)])
    mine(4)
    const requestCount = () => [...node.calls.values()].reduce((sum, count) => sum + count, 0)
    await until(() => expect(requestCount()).toBeGreaterThan(0))
    node.faults.status = null
    node.faults.behind = 30
    await until(() => expect(node.calls.get('eth_blockNumber')).toBeGreaterThan(3))
    node.faults.behind = 0
    await until(() => expect(taped).toHaveLength(2))
    expect(withdrawn).toEqual([])
  })

  test('does not read a node of another chain', async () => {
    node.faults.chainId = 1
    await startRole()
    await until(() => expect(node.calls.get('eth_chainId')).toBeGreaterThan(1))
    expect(node.calls.get('eth_getLogs')).toBeUndefined()
  })
})

describe('readers of the stream', () => {
  const market = chainMarket('m')
  const catalog = {
    findOutcomes: async () => [{ venue: 'rain', outcome: market.outcomes[0]!, market }],
    findMarketNamed: async () => null,
    findMarket: async () => null,
  } as never
  const streams = (url: string | null) => createStreamCatalog([venueOf(url)], catalog, clock, () => 3_200)

  test('receive the source, the delay and the completeness of trades with the acknowledgement', () => {
    expect(streams('http://node').disclosureOf?.('rain')).toEqual({
      provenance: 'chain-scan',
      latencyMs: 3_200,
      completeness: chainTrades.completeness,
    })
  })

  test.each(['http://node', null])('subscribe: the node is %s', async (url) => {
    const bus = new MemoryBus()
    const auth = new KeyStore()
    auth.keys.set('good', principal())
    const stream = await startStream({
      bus,
      clock,
      log: silentLog,
      auth,
      catalog: streams(url),
      books: { get: () => undefined },
      limitsOf: () => ({ subscriptionsPerConnection: 20, streamConnections: 1 }),
      gatewayId: 'g',
    })
    const frames: Record<string, unknown>[] = []
    const send = (bytes: Buffer) => {
      frames.push(JSON.parse(String(bytes)))
      return 'sent' as const
    }
    const socket = { id: 1, send, cork: (run: () => void) => run(), bufferedAmount: () => 0, close: () => undefined }
    const connection = stream.open(socket, 'good')
    const op = { op: 'subscribe', channel: 'trades', venue: 'rain', marketId: bookId }
    connection.message(Buffer.from(JSON.stringify(op)), false)
    await vi.waitFor(() => expect(frames).toHaveLength(1))
    if (url === null) expect(frames[0]).toMatchObject({ type: 'error', code: 'NOT_SUPPORTED', channel: 'trades' })
    else {
      const disclosure = { provenance: 'chain-scan', latencyMs: 3_200, completeness: chainTrades.completeness }
      expect(frames[0]).toEqual({
        type: 'subscribed',
        channel: 'trades',
        venue: 'rain',
        marketId: bookId,
        outcomeId: bookId,
        catalogMarketId: market.marketId,
        nativeId: bookId,
        disclosure,
      })
      bus.publish('trades', `rain:${bookId}`, { ...tradeUpdate(bookId, 1, 'rain'), provenance: 'chain-scan' })
      stream.flush()
      expect(frames[1]).toMatchObject({ type: 'trade', marketId: bookId, provenance: 'chain-scan' })
    }
    await stream.stop()
  })

  test('receive no trades and no promise of any without a node', async () => {
    expect(streams(null).resolve('rain', bookId, 'trades')).toBe('not_supported')
    expect(streams(null).disclosureOf?.('rain')).toBeUndefined()
    expect(await streams('http://node').resolve('rain', bookId, 'trades')).toMatchObject({ bookId })
  })
})

test('an ingest process refuses to start when a venue with trades from a chain is configured to be split', async () => {
  const local = createLocalBus({ onError: (error) => expect.unreachable(String(error)) })
  const metrics = createMetrics()
  const run = (parts: string) =>
    runIngest({
      actors,
      config: readConfig({ CROSSBOOK_INGEST_PARTS: parts }),
      bus: local,
      busMode: 'kafka',
      busHealth: { isProven: () => true },
      pool: postgres.pool,
      venues: [venueOf('http://127.0.0.1:1')],
      metrics,
      clock,
      log: silentLog,
    })
  await expect(run('rain:2')).rejects.toThrow('CROSSBOOK_INGEST_PARTS: rain cannot be split')
  metrics.stop()
})
