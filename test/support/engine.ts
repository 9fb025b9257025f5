// The whole program in this process, in front of two lab venues, with an API key. One per test file, shared by its tests.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { createLog } from '#core/log'
import { type Lab, type LabOptions, startLab } from '#lab/lab'
import { createKey } from '#platform/auth/keys'
import { type Crossbook, startCrossbook } from '#roles/crossbook'
import { streamUrl } from '#roles/process'
import { connectTape, type TapeStore } from '#storage/clickhouse/client'
import { type ClickhouseServer, startClickhouseServer } from './clickhouseHttpServer.ts'
import { ask, eventually, type Served, StreamClient } from './cluster/client.ts'
import { labEnvironment } from './cluster/labEnvironment.ts'
import { type labVenues, openMarkets } from './cluster/labTruth.ts'
import { sharedPostgres } from './postgres.ts'

export type EngineVenue = (typeof labVenues)[number]

export interface Engine {
  readonly lab: Lab
  readonly crossbook: Crossbook
  readonly served: Served
  /** What the program wrote to the tape, read independently; only with `tapeServer`. */
  readonly tape: TapeStore
  /** A market that no test in this file has used, far below the pinned ones of the catalog. */
  fresh(venue: EngineVenue): string
}

type Env = Readonly<Record<string, string>>

export interface EngineOptions {
  lab?: LabOptions
  /** Overrides of the usual test settings: nothing pinned, free ports, a quiet log. */
  env?: Env | ((lab: Lab) => Env)
  /** The tape is on a separate server, so that a test can read it too. */
  tapeServer?: boolean
}

/** Call it at the top of a test file; the result can be used inside tests only. */
export function withEngine(options: EngineOptions = {}): Engine {
  let lab: Lab | undefined
  let crossbook: Crossbook | undefined
  let served: Served | undefined
  let dataDir: string | undefined
  let server: ClickhouseServer | undefined
  let tape: TapeStore | undefined
  const used = { polymarket: 2, kalshi: 2 }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'crossbook-engine-'))
    const [postgres] = await Promise.all([
      sharedPostgres(),
      startLab({ seed: 'engine', ratePerSecond: 4, ...options.lab }).then((started) => {
        lab = started
      }),
    ])
    if (options.tapeServer) {
      server = await startClickhouseServer()
      tape = await connectTape({ url: server.url, dataDir })
    }
    const config = readConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      CROSSBOOK_PINNED_MARKETS: '0',
      // It watches books by itself; most tests want only the books that they request.
      CROSSBOOK_ARBITRAGE: 'false',
      // Starts quickly; the program's own server is tested elsewhere (process/, readme, embedded).
      DATABASE_URL: await postgres.createDatabase(),
      ...labEnvironment(lab!),
      ...(server === undefined ? {} : { CLICKHOUSE_URL: server.url }),
      ...(typeof options.env === 'function' ? options.env(lab!) : options.env),
    })
    crossbook = await startCrossbook(config, { clock: systemClock, log: createLog(process.env.LOG_LEVEL ?? 'silent') })
    const { pool, url } = crossbook
    const { apiKey } = await createKey(pool!, { account: 'engine', plan: 'enterprise', scopes: ['read'] })
    served = { url: url!, stream: streamUrl(url!), apiKey }
    await catalogWalked(served)
  }, 90_000)

  afterAll(async () => {
    await crossbook?.stop()
    await lab?.stop()
    await tape?.close()
    await server?.stop()
    if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true })
  }, 60_000)

  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the engine is not running: use it inside tests')
    return part
  }
  return {
    get lab() {
      return started(lab)
    },
    get crossbook() {
      return started(crossbook)
    },
    get served() {
      return started(served)
    },
    get tape() {
      return started(tape)
    },
    fresh: (venue) => openMarkets(started(lab), venue)[used[venue]++]!,
  }
}

/** Before that, a read of a list may correctly be empty. */
async function catalogWalked(served: Served): Promise<void> {
  for (const venue of ['polymarket', 'kalshi']) {
    await eventually(async () => {
      const { body } = await ask(served, `/api/${venue}/fetchMarkets?limit=1`)
      expect(body.data, JSON.stringify(body)).toHaveLength(1)
    })
  }
}

/** A subscriber of one book that has already received it live. */
export async function watching({ served }: Engine, venue: EngineVenue, marketId: string): Promise<StreamClient> {
  const client = await StreamClient.open(served)
  client.subscribe(venue, marketId)
  await client.frame(({ type }) => type === 'update' || type === 'snapshot')
  return client
}

/** Upstream book subscriptions of a market, as the venue itself counts them. */
export const upstream = ({ lab }: Engine, venue: EngineVenue, marketId: string): number =>
  lab[venue].counters().subscriptions[marketId] ?? 0

export const isLong = process.env.CROSSBOOK_TEST_LONG === '1'

/** The seed of a test; pass it to `expect` to print it with a failure. */
export const seedOf = (name: string): string => `${name}/${process.env.CROSSBOOK_TEST_SEED ?? '1'}`
