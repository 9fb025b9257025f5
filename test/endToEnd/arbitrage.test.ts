// The surface in one process: from a simulated book to the row at a subscriber, the same rows over HTTP, and the required plan.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '#core/log'
import { BID } from '#lab/engine/book'
import { type Lab, startLab } from '#lab/lab'
import { createKey, revokeKey } from '#platform/auth/keys'
import type { PlanName } from '#platform/auth/principal'
import type { ArbitrageRow } from '#schemas/arbitrage'
import { findRunningEmbedded } from '#storage/postgres/embedded'
import { createPool, type Pool } from '#storage/postgres/pool'
import { ask, eventually, type Served, StreamClient } from '#test/support/cluster/client'
import { labEnvironment } from '#test/support/cluster/labEnvironment'
import { openMarkets, whilePaused } from '#test/support/cluster/labTruth'
import { type RoleProcess, roleProcess } from '#test/support/cluster/roleProcess'
import { SurfaceClient } from '#test/support/cluster/surfaceClient'
import { prefillPostgres } from '#test/support/postgres'
import { cli } from './process/program.ts'

let lab: Lab
let crossbook: RoleProcess
let dataDir: string
let pool: Pool

async function served(plan: PlanName): Promise<Served & { keyId: string }> {
  const { apiKey, keyId } = await createKey(pool, { account: `arbitrage-${plan}`, plan, scopes: ['read'] })
  return { url: crossbook.url, stream: crossbook.stream, apiKey, keyId }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-arbitrage-'))
  await prefillPostgres(dataDir)
  lab = await startLab({ seed: 'arbitrage', ratePerSecond: 4 })
  crossbook = roleProcess({
    name: 'arbitrage',
    roles: 'all',
    dataDir,
    env: {
      PORT: '0',
      LOG_LEVEL: 'warn',
      CROSSBOOK_PINNED_MARKETS: '5',
      CROSSBOOK_ARBITRAGE_INTERVAL_MS: '200',
      ...labEnvironment(lab),
    },
  })
  await crossbook.start()
  pool = createPool({ url: (await findRunningEmbedded(dataDir))!, log: silentLog })
}, 120_000)
afterAll(async () => {
  await pool?.end()
  await crossbook?.stop()
  await lab?.stop()
  await rm(dataDir, { recursive: true, force: true })
}, 60_000)

const read = async (at: Served, query = ''): Promise<ArbitrageRow[]> => {
  const { status, body } = await ask(
    at,
    `/api/router/fetchArbitrage?limit=1000${query.includes('compat') ? '' : '&compat=false'}${query}`,
  )
  expect(status, JSON.stringify(body).slice(0, 300)).toBe(200)
  return body.data as ArbitrageRow[]
}

const executable = (rows: Iterable<ArbitrageRow>): ArbitrageRow[] => [...rows].filter((row) => row.executable)

/** The leg of a row on Kalshi refers to the book of this ticker. */
const tickerOf = ({ legs }: ArbitrageRow): string =>
  [legs.buyYes, legs.buyNo].find(({ venue }) => venue === 'kalshi')!.canonicalMarketId!.slice('kalshi:'.length)

describe('the surface of one process', () => {
  it('acknowledges a subscriber, sends a snapshot, then the row whose book changed', async () => {
    const client = await SurfaceClient.open(await served('builder'))
    try {
      await client.until((rows) => expect(executable(rows.values()).length).toBeGreaterThan(0), 60_000)
      const types = client.stream.frames.filter(({ type }) => type !== 'authenticated').map(({ type }) => type)
      expect(types.slice(0, 2)).toEqual(['subscribed', 'arbitrage'])
      await whilePaused(lab, async () => {
        const [row] = executable(client.take().rows.values()).filter(({ legs }) => legs.buyNo.venue === 'kalshi')
        const ticker = tickerOf(row!)
        // NO on Kalshi is the complement of the bids: with all but one contract removed from the best bid it costs more.
        const { engine } = lab.kalshi
        const { key } = lab.kalshi.listing.byTicker.get(ticker)!
        engine.setLevel(key, BID, engine.market(key)!.truth().bids[0]![0], 100_000)
        await client.until((rows) => expect(rows.get(row!.clusterId)?.legs.buyNo.vwap).toBeCloseTo(bestNo(), 6))
        const mark = client.wholeFrames.length
        engine.setLevel(key, BID, engine.market(key)!.truth().bids[0]![0], 1)
        await client.until((rows) => expect(rows.get(row!.clusterId)!.legs.buyNo.vwap).toBeGreaterThan(bestNo() + 1e-6))
        const changedFrames = client.wholeFrames.slice(mark).filter(({ changed }) => changed.includes(row!.clusterId))
        expect(changedFrames.map(({ kind }) => kind)).toContain('delta')

        function bestNo(): number {
          return 1 - engine.market(key)!.truth().bids[0]![0] / 1e6
        }
      })
    } finally {
      client.close()
    }
  })

  it('HTTP returns the rows that the stream publishes, with the same filters', async () => {
    const at = await served('builder')
    const client = await SurfaceClient.open(at)
    const filtered = await SurfaceClient.open(at, { minEdge: 1, executableOnly: true })
    try {
      await client.until((rows) => expect(rows.size).toBeGreaterThan(0))
      await whilePaused(lab, async () => {
        await eventually(async () => {
          const rows = await read(at)
          expect(rows.length).toBe(client.take().rows.size)
          for (const row of rows) expect(client.rows.get(row.clusterId)).toEqual(row)
        })
        const some = await read(at, '&minEdge=1&executableOnly=true')
        expect(some.every((row) => row.executable && row.netEdge! >= 1)).toBe(true)
        await eventually(() =>
          expect([...filtered.take().rows.keys()].sort()).toEqual(some.map(({ clusterId }) => clusterId).sort()),
        )
        const smaller = await read(at, '&contracts=5')
        expect(smaller.every(({ contracts, payout }) => contracts === 5 && payout === 5)).toBe(true)
        const compat = await read(at, '&compat=true')
        const [row] = compat as unknown as Record<string, { marketId?: string; outcomes?: unknown[] }>[]
        expect(row).toMatchObject({
          relation: 'identity',
          confidence: expect.any(Number),
          buyVenue: expect.any(String),
        })
        expect(row!.marketA!.marketId).toContain(':')
        expect(row!.marketA!.outcomes).toHaveLength(2)
      })
    } finally {
      client.close()
      filtered.close()
    }
  })

  it('refuses venues without a surface, invalid sizes, and the free plan', async () => {
    const at = await served('builder')
    const { status, body } = await ask(at, '/api/kalshi/fetchArbitrage')
    expect([status, body.error?.code]).toEqual([501, 'NOT_SUPPORTED'])
    const wrong = await ask(at, '/api/router/fetchArbitrage?contracts=-1')
    expect([wrong.status, wrong.body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
    const free = await served('free')
    const refused = await ask(free, '/api/router/fetchArbitrage')
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'PLAN_REQUIRED'])
    const client = await StreamClient.open(free)
    client.send({ op: 'subscribeArbitrage' })
    const error = await client.frame(({ type }) => type === 'error')
    expect(error).toMatchObject({ code: 'PLAN_UPGRADE_REQUIRED', channel: 'arbitrage' })
    expect(client.closed).toBe(false)
    client.close()
  })

  it('a stale book makes its legs unexecutable at once', async () => {
    const client = await SurfaceClient.open(await served('builder'))
    try {
      await client.until((rows) => expect(executable(rows.values()).length).toBeGreaterThan(0))
      lab.kalshi.faults.disconnect({ refuseMs: 3_000 })
      await client.until((rows) => {
        const legs = [...rows.values()].flatMap((row) => [row.legs.buyYes, row.legs.buyNo])
        const stale = legs.filter(({ venue, reasons }) => venue === 'kalshi' && reasons.includes('stale_book'))
        expect(stale.length).toBeGreaterThan(0)
        expect(stale.every((leg) => !leg.executable)).toBe(true)
        expect(executable(rows.values())).toEqual([])
      })
      // They return with the venue.
      await client.until((rows) => expect(executable(rows.values()).length).toBeGreaterThan(0))
    } finally {
      client.close()
    }
  })

  it('the command line prints it, once or continuously', async () => {
    const builder = await served('builder')
    const { apiKey } = builder
    await eventually(async () => expect((await read(builder)).length).toBeGreaterThan(2))
    const at = ['--url', crossbook.url, '--api-key', apiKey]
    const reading = await cli(dataDir, 'arb', ...at, '--limit', '5')
    expect(reading.code, reading.error).toBe(0)
    expect(reading.lines[0]).toMatch(/EDGE \$ .* BUY YES .* QUESTION/)
    expect(reading.lines.at(-1)).toMatch(/^\d+ rows, \d+ arbitrage, computed /)
    const json = await cli(dataDir, 'arb', ...at, '--limit', '2', '--json')
    expect(json.lines.map((line) => (JSON.parse(line) as ArbitrageRow).contracts)).toEqual([100, 100])
    const watching = spawn(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      'src/cli.ts',
      'arb',
      '--watch',
      ...at,
    ])
    let output = ''
    watching.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    const ended = once(watching, 'exit')
    try {
      // Snapshot and changes, one line each when the output is not a terminal.
      await eventually(() => expect(output.split('\n').length).toBeGreaterThan(300))
      expect(output).toMatch(/^\S+ +[*+ ] edge -?[\d.]+ .* kalshi (yes|no) @ /m)
    } finally {
      watching.kill('SIGINT')
    }
    expect(await ended).toEqual([0, null])
  })

  // Waits for a real minute; test/src/server/gateway/streamKeys.test.ts asserts the same with a manual clock.
  it.runIf(process.env.CROSSBOOK_TEST_LONG === '1')(
    'an account that loses its plan or key loses the channel within a minute, and nothing else',
    async () => {
      const [downgraded, revoked, kept] = [await served('builder'), await served('builder'), await served('builder')]
      const clients = [
        await SurfaceClient.open(downgraded),
        await SurfaceClient.open(revoked),
        await SurfaceClient.open(kept),
      ]
      const ticker = openMarkets(lab, 'kalshi')[0]!
      try {
        for (const client of clients) {
          client.stream.subscribe('kalshi', ticker)
          await client.until((rows) => expect(rows.size).toBeGreaterThan(0))
        }
        await pool.query('UPDATE api_keys SET plan = $1 WHERE id = $2', ['free', downgraded.keyId])
        await revokeKey(pool, revoked.keyId)
        const codes = ['PLAN_UPGRADE_REQUIRED', 'UNAUTHORIZED']
        for (const [i, code] of codes.entries()) {
          await eventually(() => {
            const errors = clients[i]!.take().stream.frames.filter(({ type }) => type === 'error')
            expect(errors.map((frame) => [frame.code, frame.channel])).toContainEqual([code, 'arbitrage'])
          }, 75_000)
        }
        const marks = clients.map((client) => client.stream.mark())
        // Measured in passes of the surface: the client that kept its plan receives the next ones.
        await eventually(() =>
          expect(clients[2]!.after(marks[2]!).filter(({ type }) => type === 'arbitrage').length).toBeGreaterThan(3),
        )
        for (const [i, client] of clients.slice(0, 2).entries()) {
          expect(client.after(marks[i]!).filter(({ type }) => type === 'arbitrage')).toEqual([])
          expect(client.stream.closed).toBe(false)
        }
        await clients[0]!.stream.updatesAfter(marks[0]!)
      } finally {
        for (const client of clients) client.close()
      }
    },
    120_000,
  )
})
