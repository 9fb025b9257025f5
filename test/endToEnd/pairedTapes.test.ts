// Recorded quotes of both venues, replayed by the simulated venues through the real adapters and ingest to the rows of the surface: the
// rows of every cycle equal those computed from the recording alone.
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { spawnArbitrage } from '#actors/arbitrage/arbitrageActor'
import { startSurfaceFeed } from '#actors/arbitrage/surfaceInputs'
import { spawnIngest } from '#actors/ingest/ingestActor'
import { start, stop } from '#actors/system'
import type { ClusterInput } from '#arbitrage/cluster'
import { inlineEngine } from '#arbitrage/engine'
import { VenueOwners } from '#core/books/epochFencing'
import { createArena } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { startLab } from '#lab/lab'
import type { HttpClient } from '#net/http'
import { createHttpClient } from '#net/httpClient'
import { openSocket } from '#net/socket'
import type { ArbitrageRow } from '#schemas/arbitrage'
import { createLocalBus } from '#storage/bus/local'
import { sharedFixture } from '#test/support/fixtures'
import { singleProcessLease } from '#test/support/lease'
import { answerOf, type PairQuotes, readCycles } from '#test/support/pairedTape'
import { kalshi } from '#venues/kalshi/index'
import { polymarket } from '#venues/polymarket/index'
import type { VenueManifest } from '#venues/venue'

const contracts = 100
const long = process.env.CROSSBOOK_TEST_LONG === '1'
const cyclesMax = long ? Number.POSITIVE_INFINITY : 150
/** Event-loop iterations in which what the simulated venues sent must become rows. */
const turnsMax = 20_000
/** After each second of the tape, before looking for what was sent in it. */
const turnsASecond = 10

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const shut of stops.splice(0).reverse()) await shut()
})

const clusterOf = ({ ticker, token }: PairQuotes): ClusterInput => ({
  clusterId: ticker,
  question: ticker,
  members: [
    {
      venue: 'kalshi',
      canonicalMarketId: null,
      marketId: ticker,
      yesBook: { bookId: ticker, complement: false },
      noBook: { bookId: ticker, complement: true },
      polarity: 'same',
      fee: { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' },
      settlementFee: { kind: 'none' },
      similarity: 1,
    },
    {
      venue: 'polymarket',
      canonicalMarketId: null,
      marketId: token,
      yesBook: { bookId: token, complement: false },
      noBook: { bookId: token, complement: true },
      polarity: 'same',
      fee: { kind: 'polymarket_curve', rate: 0.05, exponent: 1 },
      settlementFee: { kind: 'none' },
      similarity: 1,
    },
  ],
  pairs: [
    {
      a: 'kalshi',
      b: 'polymarket',
      matchScore: 100,
      matchBand: 'verified',
      matchDifferences: [],
      resolution: { compatible: true, reason: null, auditReasons: [] },
      resolutionEquivalence: 'verified',
    },
  ],
})

/** A folder with only this tape: the simulated venues play every tape they find, one after the other. */
async function folderOf(file: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'crossbook-tape-'))
  stops.push(() => rm(root, { recursive: true, force: true }))
  const folder = join(root, 'paired_tapes')
  await mkdir(folder)
  await copyFile(file, join(folder, basename(file)))
  return folder
}

/** Simulated venues, both adapters, bus and surface, all on one manual clock. */
async function world(folder: string, startMs: number, pairs: readonly PairQuotes[]) {
  const clock = new ManualClock(startMs)
  const lab = await startLab({ clock, recordings: folder, ratePerSecond: 0, markets: 1 })
  stops.push(() => lab.stop())
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  stops.push(() => bus.close())
  const system = start()
  stops.push(() => stop(system))
  let pendingRequests = 0
  const venue = (manifest: VenueManifest, urls: Record<string, string>, credentials: Record<string, string> | null) => {
    const http = createHttpClient({ venue: manifest.slug, requestsPerSecond: 1_000 })
    const request: HttpClient['request'] = async (call) => {
      pendingRequests++
      try {
        return await http.request(call)
      } finally {
        pendingRequests--
      }
    }
    const abort = new AbortController()
    const ingest = spawnIngest(system, {
      venue: manifest,
      context: {
        venue: manifest.slug,
        http: { request },
        clock,
        log: silentLog,
        urls: { ...manifest.urls, ...urls },
        credentials,
        signal: abort.signal,
      },
      bus,
      clock,
      log: silentLog,
      openSocket,
      random: () => 0.5,
      tickMs: 1,
      idleUnwatchMs: 3_600_000,
      bookSnapshotMs: 3_600_000,
      lease: singleProcessLease(clock.now()),
    })
    stops.push(async () => {
      abort.abort()
      await ingest.stop()
      await http.close()
    })
    return ingest
  }
  const ingests = new Map([
    ['kalshi', venue(kalshi, lab.kalshi.urls, lab.kalshi.credentials)],
    ['polymarket', venue(polymarket, lab.polymarket.urls, null)],
  ])
  stops.push(
    await bus.subscribe('demand', ({ venue: slug, gatewayId, marketIds }) =>
      ingests.get(slug)?.actor.send({ kind: 'demand', gatewayId, marketIds }),
    ),
  )
  const arena = createArena(64)
  const feed = new BookFeed(arena, (slot) => arbitrage.touch(slot))
  const arbitrage = spawnArbitrage(system, {
    intervalMs: 100,
    contracts,
    limit: 1_000,
    createEngine: inlineEngine(arena),
    slotOf: feed.slotOf,
    clock,
    log: silentLog,
  })
  stops.push(() => arbitrage.stop())
  const surface = await startSurfaceFeed({
    bus,
    feed,
    arbitrage,
    clock,
    demandId: 'test',
    owners: new VenueOwners(clock),
  })
  stops.push(() => surface.stop())
  let compiled = false
  const loading = surface.setClusters(pairs.map(clusterOf)).then(() => {
    compiled = true
  })
  const rows = (): ArbitrageRow[] =>
    [...arbitrage.publication.rows.present()].map((row) => {
      arbitrage.publication.rows.write(row)
      return JSON.parse(row.bytes.toString('utf8', 0, row.size)) as ArbitrageRow
    })
  /** Runs real sockets and the manual clock together until `reached`. */
  const until = async (reached: () => boolean, what: () => string): Promise<void> => {
    for (let turns = 0; !reached(); turns++) {
      if (turns === turnsMax) throw new Error(what())
      await turn()
      if (turns % 4 === 3) clock.advance(1)
    }
  }
  const isRead = (): boolean =>
    pendingRequests === 0 &&
    lab.kalshi.counters().framesSent === ingests.get('kalshi')!.counters().frames &&
    lab.polymarket.counters().framesSent === ingests.get('polymarket')!.counters().frames
  /** Second by second, so that no message is late when it is read, however busy the machine. */
  const pass = async (toMs: number): Promise<void> => {
    while (clock.now() < toMs) {
      clock.advance(Math.min(1_000, toMs - clock.now()))
      for (let turns = 0; turns < turnsASecond || (turns < turnsMax && !isRead()); turns++) await turn()
    }
  }
  await until(
    () => compiled,
    () => 'the clusters were never loaded',
  )
  await loading
  return { rows, until, pass }
}

const comparedFields = ({ legs, totalCost, netEdge, executable, label }: ArbitrageRow) => ({
  filledYes: legs.buyYes.filled,
  filledNo: legs.buyNo.filled,
  totalCost,
  netEdge,
  executable,
  label,
})

/** An expected row, and the fields compared. */
const expectedFields = (answer: ReturnType<typeof answerOf>) => ({
  ...answer,
  executable: answer.netEdge !== null,
  label: answer.netEdge !== null && answer.netEdge > 0 ? 'arbitrage' : 'indicative price discrepancy',
})

describe('paired tapes', () => {
  const tapes = ['mexico_england', 'mexico_england_main', 'paraguay_france']
  it.for(long ? tapes : tapes.slice(0, 1))(
    '%s: in every cycle each ordered pair costs what the recording implies, including fees',
    // In parallel with another suite the longest tape took four minutes.
    { timeout: long ? 900_000 : 300_000 },
    async (name, { skip }) => {
      const file = sharedFixture(`cross_venue/paired_tapes/cross_venue_${name}.jsonl.gz`)
      if (file === null) return skip('the recordings in ../shared are absent')
      const { startMs, cycles } = readCycles(file)
      const { rows, until, pass } = await world(await folderOf(file), startMs, cycles.at(-1)!.pairs)
      let priced = 0
      for (const [n, { untilMs, pairs }] of cycles.slice(0, cyclesMax).entries()) {
        // The simulated venues play in steps of 20 ms.
        await pass(untilMs + 20)
        const expected = Object.fromEntries(
          pairs.flatMap((pair) => [
            [`${pair.ticker}:kalshi:polymarket`, expectedFields(answerOf(pair, 'kalshi', contracts))] as const,
            [`${pair.ticker}:polymarket:kalshi`, expectedFields(answerOf(pair, 'polymarket', contracts))] as const,
          ]),
        )
        const now = () => Object.fromEntries(rows().map((row) => [row.clusterId, comparedFields(row)]))
        const text = (value: object): string => JSON.stringify(Object.entries(value).sort())
        await until(
          () => text(now()) === text(expected),
          () => {
            expect(now(), `cycle ${n} of ${name}`).toEqual(expected)
            return 'equal only at the end'
          },
        )
        priced += Object.values(expected).filter(({ executable }) => executable).length
      }
      expect(priced).toBeGreaterThan(100)
    },
  )
})
