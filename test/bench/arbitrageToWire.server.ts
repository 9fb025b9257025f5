// Child process of arbitrageToWire.ts: the surface on its worker, the stream and the gateway as they run in service. Books come from the
// bus, to which this process publishes its changes and their times. On request, structures are searched on the same books.
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { type Arbitrage, spawnArbitrage } from '#actors/arbitrage/arbitrageActor'
import { type StructureFeeder, startStructureFeeder } from '#actors/arbitrage/structureInputs'
import { startSurfaceFeed } from '#actors/arbitrage/surfaceInputs'
import { start } from '#actors/system'
import { arbitrageChannel } from '#arbitrage/channel'
import type { ClusterInput } from '#arbitrage/cluster'
import type { MarketSetInput, StructureFacts } from '#arbitrage/structures/sets'
import { VenueOwners } from '#core/books/epochFencing'
import { createArena } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { Principal } from '#platform/auth/principal'
import type { BookUpdate } from '#schemas/topics'
import { startGateway } from '#server/gateway/gateway'
import { createLocalBus } from '#storage/bus/local'
import { startStream } from '#stream/server'
import { structureEngine } from '#workers/structureEngine'
import { workerEngine } from '#workers/surfaceEngine'

const [clusters, changesPerSecond, seconds, structureSets] = process.argv.slice(2).map(Number) as [
  ...[clusters: number, changesPerSecond: number, seconds: number],
  structureSets: number,
]
const intervalMs = 100
const contracts = 100
const levels = 20
const clock = systemClock
const log = silentLog
const bus = createLocalBus({
  onError: (error) => {
    throw error
  },
})
const arena = createArena(clusters * 2)
const structureSearch: { structures: StructureFeeder | null } = { structures: null }
const feed = new BookFeed(arena, (slot) => {
  arbitrage.touch(slot)
  structureSearch.structures?.touch(slot)
})
const arbitrage: Arbitrage = spawnArbitrage(start(), {
  intervalMs,
  contracts,
  limit: 50_000,
  createEngine: workerEngine({ arena, slots: clusters * 2, clock }),
  slotOf: feed.slotOf,
  clock,
  log,
})
const surface = await startSurfaceFeed({
  bus,
  feed,
  arbitrage,
  otherUsers: {
    needs: (venue, bookId) => structureSearch.structures?.needs(venue, bookId) === true,
    flush: () => structureSearch.structures?.flush(),
    slotsFreed: () => structureSearch.structures?.slotsFreed(),
  },
  clock,
  demandId: 'bench',
  owners: new VenueOwners(clock),
})
const bookIdOf = (venue: string, cluster: number): string => `${venue}-${cluster}`
await surface.setClusters(Array.from({ length: clusters }, (_, i) => clusterOf(i)))

const principal: Principal = { accountId: 'bench', keyId: 'bench', plan: 'enterprise', scopes: ['read'] }
const stream = await startStream({
  bus,
  clock,
  log,
  auth: { verify: () => ({ kind: 'valid', principal }), recheck: () => ({ kind: 'valid', principal }) },
  catalog: { resolve: (_venue, bookId) => ({ bookId, complement: false }), resolveAll: () => 'not_supported' },
  books: { get: () => undefined },
  limitsOf: () => ({ streamConnections: 10_000, subscriptionsPerConnection: 10_000 }),
  gatewayId: 'bench',
  channels: { arbitrage: arbitrageChannel(arbitrage.publisher, () => true, []) },
})
const gateway = await startGateway({
  host: '127.0.0.1',
  port: 0,
  http: () => ({ status: 404, headers: {}, body: '' }),
  stream,
})

if (structureSets > 0) {
  structureSearch.structures = await startStructureFeeder({
    bus,
    feed,
    createEngine: structureEngine({ arena, slots: clusters * 2, clock }),
    clock,
    log,
    memberId: 'bench',
    term: () => 1,
    booksMax: 2 * clusters,
    booksChanged: () => surface.otherUsersChanged(),
  })
  const sets = Array.from({ length: structureSets }, (_, i) => setOf(i))
  structureSearch.structures.setSets({ sets, overLimit: 0, tooManyMarkets: 0, refused: [] })
}

let seq = 0
const epoch = clock.now()
for (let i = 0; i < clusters; i++) for (const venue of ['polymarket', 'kalshi']) publish(venue, i, contracts)

// The pause that the machine itself causes.
const idle = new Worker(new URL('./idle.worker.ts', import.meta.url))
const idlePauseMs = async (): Promise<number> => {
  idle.postMessage('since when')
  return ((await once(idle, 'message')) as [number])[0]
}

process.on('message', async () => {
  await idlePauseMs()
  const sentAt: number[] = []
  const total = changesPerSecond * seconds
  const pauses = monitorEventLoopDelay({ resolution: 1 })
  pauses.enable()
  const [cpu, mainCpu] = [process.cpuUsage(), process.threadCpuUsage()]
  const startedAt = performance.now()
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1_000) * changesPerSecond))
    while (sentAt.length < due) {
      const change = sentAt.length
      sentAt.push(performance.timeOrigin + performance.now())
      // The fillable size is the number of the change in hundredths; the row repeats it.
      publish('polymarket', change % clusters, (change + 1) / 100)
    }
    if (sentAt.length < total) return
    clearInterval(timer)
    pauses.disable()
    const longestPauseMs = pauses.max / 1e6
    const usPerChange = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / total
    const spent = {
      cpuUs: usPerChange(process.cpuUsage(cpu)),
      mainCpuUs: usPerChange(process.threadCpuUsage(mainCpu)),
    }
    void idlePauseMs().then((idleMs) => {
      setTimeout(() => process.send?.({ sentAt, longestPauseMs, idleMs, ...spent }), 500)
    })
  }, 1)
})
process.send?.({ url: gateway.url })

function publish(venue: string, cluster: number, askSize: number): void {
  // One question in ten is cheaper at one venue, so that there are some structures.
  const off = venue === 'kalshi' && cluster % 10 === 0 ? 10 : 0
  const price = (cents: number): string => ((cents - off) / 100).toFixed(2)
  const bids = Array.from({ length: levels }, (_, i) => `{"price":${price(47 - i)},"size":${500 + i}}`)
  const asks = `{"price":${price(50)},"size":${askSize}}`
  const update: BookUpdate = {
    venue,
    marketId: bookIdOf(venue, cluster),
    state: 'live',
    seq: ++seq,
    epoch,
    eventTs: clock.now(),
    recvTs: clock.now(),
    core: Buffer.from(`{"bids":[${bids.join(',')}],"asks":[${asks}],"timestamp":${clock.now()}`),
    lastTradeMicros: null,
  }
  bus.publish('books', `${venue}:${update.marketId}`, update)
}

/** The question of one venue implies that of the other: both books of a cluster. */
function setOf(i: number): MarketSetInput {
  const facts = (venue: string): StructureFacts => ({
    market: {
      key: `${venue}:${i}`,
      venue,
      fee: { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' },
      settlementFee: { kind: 'none' },
      tickMicros: 10_000,
      stepUnits: 1,
      minimumUnits: 1,
      minimumMicros: 0,
      minimumOtherMicros: 0,
    },
    title: clusterOf(i).question,
    yesBook: { bookId: bookIdOf(venue, i), complement: false },
    noBook: { bookId: bookIdOf(venue, i), complement: true },
    refused: null,
  })
  const [a, b] = [`polymarket:${i}`, `kalshi:${i}`]
  return {
    name: a,
    facts: [facts('polymarket'), facts('kalshi')],
    relations: [{ id: `r${i}`, band: 'verified', kind: 'a_implies_b', a, b }],
  }
}

function clusterOf(i: number): ClusterInput {
  const member = (venue: string): ClusterInput['members'][number] => ({
    venue,
    canonicalMarketId: `${venue}:${i}`,
    marketId: String(i),
    yesBook: { bookId: bookIdOf(venue, i), complement: false },
    noBook: { bookId: bookIdOf(venue, i), complement: true },
    polarity: 'same',
    fee: { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' },
    settlementFee: { kind: 'none' },
    similarity: 1,
  })
  return {
    clusterId: `c${i}`,
    question: `Will the price of Bitcoin be above $${100_000 + i} on December 31, 2026?`,
    members: [member('polymarket'), member('kalshi')],
    pairs: [
      {
        a: 'polymarket',
        b: 'kalshi',
        matchScore: 100,
        matchBand: 'verified',
        matchDifferences: [],
        resolution: { compatible: true, reason: null, auditReasons: [] },
        resolutionEquivalence: 'verified',
      },
    ],
  }
}
