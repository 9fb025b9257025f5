// A full day of tape end to end, with a ClickHouse server shared by several processes: recorded by the writer, listed,
// downloaded, verified, read page by page and replayed at a hundred times real time. Each read must return what was
// recorded. CROSSBOOK_TEST_LONG=1: a day of 200,000 changes.
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createClickhouseTape } from '#history/clickhouseTape'
import { lateMs, startDailyExport } from '#history/files/dailyExportJob'
import { FileStore } from '#history/files/fileStore'
import { replayChannel } from '#history/paced/channel'
import { createTapeCoverage } from '#history/tapeCoverage'
import type { ListedFile } from '#schemas/history'
import { openTape, type TapeStore } from '#storage/clickhouse/client'
import { publishWatermark } from '#storage/clickhouse/watermark'
import { type ClickhouseServer, startClickhouseServer } from '#test/support/clickhouseHttpServer'
import { pythonDeadlineMs } from '#test/support/python/venv'
import { sdkPython, sdkRoot } from '#test/support/sdk/python'
import { isLong } from '#test/support/shortRuns'
import { changesOf, expectedOf, inOrder, tapedOf } from '#test/support/tape/compare'
import { type DayOfTape, dayMs, type ExpectedFrame, kinds, type Row, writeDay } from '#test/support/tape/dayOfTape'
import { readInPython } from '#test/support/tape/readInPython'
import { Client, startServer, type TestServer } from '../server/gateway/support.ts'
import { createWorld, keys } from '../server/http/world.ts'

const changes = isLong ? 200_000 : 2_000
const today = Math.floor(Date.now() / dayMs) * dayMs
const since = today - dayMs
const markets = [
  { venue: 'kalshi', outcomeId: 'KX-1' },
  { venue: 'kalshi', outcomeId: 'KX-2' },
  { venue: 'polymarket', outcomeId: '1234' },
  { venue: 'polymarket', outcomeId: '5678' },
]
const venues = [...new Set(markets.map(({ venue }) => venue))]

let clickhouse: ClickhouseServer
let writing: TapeStore
let reading: TapeStore
let dataDir: string
let shelf: FileStore
let server: TestServer
let day: DayOfTape
const pace = new ManualClock(today + 1)

beforeAll(async () => {
  clickhouse = await startClickhouseServer()
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-day-'))
  writing = await openTape({ url: clickhouse.url, dataDir })
  reading = await openTape({ url: clickhouse.url, dataDir })
  shelf = new FileStore(dataDir)
  day = await writeDay(writing, { since, markets, changes })
  const tape = createClickhouseTape(reading)
  const coverage = createTapeCoverage(reading)
  const catalog = { findOutcomes: async () => [], findMarket: async () => null }
  const replay = replayChannel({
    ...{ tape, coverage, catalog, clock: pace, log: silentLog, credits: undefined },
    ...{ serves: () => true, meant: async () => null, entitled: () => true, floorOf: () => null },
  })
  const world = createWorld({ history: { files: shelf, tape, coverage, catalog } })
  world.clock.advance(Math.max(0, today + 2 * lateMs - world.clock.now()))
  server = await startServer({ http: world.handler, channels: { replay } })
}, 600_000)
afterAll(async () => {
  await server?.stop()
  await Promise.all([writing?.close(), reading?.close()])
  await clickhouse?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${server.gateway.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${keys.builder}`, ...init.headers },
  })

async function rowsIn(name: string, parquet: Buffer): Promise<Row[]> {
  const file = join(dataDir, `${name}.parquet`)
  await writeFile(file, parquet)
  return reading.rows<Row>(`SELECT * FROM file('${file}', Parquet) FORMAT JSONEachRow`)
}

describe('a day of tape', () => {
  test('is listed and downloaded as files with exactly the recorded rows', async () => {
    const clock = new ManualClock(today + 2 * lateMs)
    const progress = publishWatermark({ store: writing, clock, log: silentLog, writer: 'w', until: () => clock.now() })
    await progress.stop(true)
    const keeper = startDailyExport({
      ...{ store: reading, root: dataDir, venues, days: 1, bytesMax: 1e9, clock, log: silentLog },
    })
    await keeper.round()
    await keeper.stop()
    const { data: listed } = (await (await get(`/v1/history/files?date=${day.date}`)).json()) as { data: ListedFile[] }
    const all = venues.flatMap((venue) => kinds.map((kind) => [venue, kind, tapedOf(day, kind, venue).length]))
    expect(listed.map(({ venue, kind, rows }) => [venue, kind, rows])).toEqual(all)
    for (const { venue, kind, url, size, sha256 } of listed) {
      const bytes = Buffer.from(await (await get(url)).arrayBuffer())
      expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256])
      expect(inOrder(kind, await rowsIn(`${venue}-${kind}`, bytes))).toEqual(inOrder(kind, tapedOf(day, kind, venue)))
    }
  }, 600_000)

  test.each(kinds)(
    'is read page by page, kind %s, as lines and as Parquet',
    async (kind) => {
      for (const { venue, outcomeId } of markets) {
        const rows: Row[] = []
        for (let cursor = '', page = 0; ; page++) {
          const query = `venue=${venue}&outcomeId=${outcomeId}&kind=${kind}&since=${since}&until=${today - 1}&limit=20000${cursor}`
          const lines = (await (await get(`/v1/history/replay?${query}`)).text()).trimEnd().split('\n')
          const end = JSON.parse(lines.pop()!) as { next: string | null }
          const read = lines.map((line) => JSON.parse(line) as Row)
          rows.push(...read.map((row) => ({ ...row, outcomeId })))
          if (page === 0) {
            const packed = await (await get(`/v1/history/replay?${query}&format=parquet`)).arrayBuffer()
            const columns = await rowsIn(`${outcomeId}-${kind}-page`, Buffer.from(packed))
            expect(columns).toEqual(read.map(({ k: _, ...row }) => ({ ...row, venue, outcomeId })))
          }
          if (end.next === null) break
          cursor = `&cursor=${encodeURIComponent(end.next)}`
        }
        expect(rows.length).toBeGreaterThan(10)
        expect(inOrder(kind, rows)).toEqual(inOrder(kind, tapedOf(day, kind, venue, outcomeId)))
      }
    },
    600_000,
  )

  test('is replayed at 100× with every book and trade of all markets in one order, none before its time', async () => {
    const client = await Client.open(server.url)
    const requestedMarkets = markets.map(({ venue, outcomeId: marketId }) => ({ venue, marketId }))
    const begun = pace.monotonic()
    client.ws.send(
      JSON.stringify({ op: 'subscribeReplay', markets: requestedMarkets, since, until: today - 1, speed: 100 }),
    )
    const [replayed, gaps]: [ExpectedFrame[], unknown[]] = [[], []]
    for (let ended = false; !ended; ) {
      if (client.frames.length === 0) {
        pace.advance(50)
        await setImmediate()
      }
      const due = since + (pace.monotonic() - begun) * 100
      for (const frame of client.frames.splice(0)) {
        expect(frame.type).not.toBe('error')
        if (frame.type === 'replayGap') gaps.push([frame.venue, frame.marketId, frame.data])
        const one = expectedOf(frame)
        if (one !== null) {
          expect(one.at).toBeLessThanOrEqual(due)
          replayed.push(one)
        }
        ended = frame.type === 'replayEnd'
      }
    }
    client.ws.terminate()
    expect(changesOf(replayed)).toEqual(changesOf(day.expected))
    const { from, to, reason } = day.gap
    const [{ venue, outcomeId }] = markets as [(typeof markets)[0]]
    const isoOf = (ms: number) => new Date(ms).toISOString()
    expect(gaps).toContainEqual([venue, outcomeId, { kind: 'gap', from: isoOf(from), to: isoOf(to), reason }])
  }, 600_000)

  test.runIf(isLong)(
    'is read by the Python client as rows, frames and files, with its gaps',
    async ({ skip }) => {
      const { python, reason } = await sdkPython('test', 'frames')
      if (python === null) return skip(reason)
      const { url } = server.gateway
      const env = { CROSSBOOK_URL: url, CROSSBOOK_KEY: keys.builder, PYTHONPATH: join(sdkRoot, 'src') }
      await readInPython(python, day, env)
    },
    pythonDeadlineMs + 500_000,
  )

  test('a HEAD request releases its connection, so more of them than there are connections do not block later reads', async () => {
    const query = `venue=kalshi&outcomeId=KX-1&kind=l2&since=${since}&until=${today - 1}`
    for (let i = 0; i < 40; i++) expect((await get(`/v1/history/replay?${query}`, { method: 'HEAD' })).status).toBe(200)
    expect((await (await get(`/v1/history/replay?${query}&limit=1`)).text()).length).toBeGreaterThan(100)
  }, 60_000)
})
