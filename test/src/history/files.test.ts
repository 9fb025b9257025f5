// Files of whole days: created by the engine once the day is over, by one of several processes; listed; downloaded
// whole and in ranges over a real socket.
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { silentLog } from '#core/log'
import { readRange } from '#history/files/byteRange'
import { filesAfterMs, lateMs, startDailyExport } from '#history/files/dailyExportJob'
import { makeFile } from '#history/files/exportDay'
import { type FileName, FileStore, fileKinds } from '#history/files/fileStore'
import { listHistoryFiles } from '#history/routes/historyFiles'
import { defaultPlans } from '#platform/plans/plans'
import type { ListedFile } from '#schemas/history'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import { publishWatermark } from '#storage/clickhouse/watermark'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'
import { sampleOf } from '#test/support/docs/samples'
import { kindsOf } from '#test/support/tape/parquet'
import { startServer, type TestServer } from '../server/gateway/support.ts'
import { createWorld, keys } from '../server/http/world.ts'

const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs) * dayMs
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const yesterday = dateOf(today - dayMs)

let tape: TestTape
let root: string
let server: TestServer
const clock = new ManualClock(today + 3_600_000)

function rowsOn(day: number, outcomeId: string, count: number) {
  const batch = emptyBatch('kalshi', outcomeId)
  for (let i = 0; i < count; i++) {
    const at = { venue: 'kalshi', outcomeId, ts: day + i * 1_000, recvTs: day + i * 1_000 + 5 }
    const size = randomBytes(6).readUIntBE(0, 6) / 1e6
    batch.topOfBook.push({
      ...at,
      bidMicros: i % 9 === 0 ? null : 400_000 + i,
      bidSize: size,
      askMicros: 500_000,
      askSize: 1,
    })
    if (i % 10 !== 0) continue
    batch.trades.push({ ...at, tradeId: `t${i}`, priceMicros: 450_000, size, side: 'buy', transactionHash: null })
  }
  return batch
}

beforeAll(async () => {
  tape = await openTestTape()
  root = join(tape.dataDir, 'history')
  const opened = {
    venue: 'kalshi',
    outcomeId: 'A',
    kind: 'opened',
    mechanism: 'ws-lossless',
    effectiveIntervalMs: null,
    reason: null,
  } as const
  await insertCoverage(tape.store, [{ ...opened, at: today - 2 * dayMs }], 'opened')
  const batches = [
    rowsOn(today - dayMs, 'A', 40_000),
    rowsOn(today - dayMs, 'B', 300),
    rowsOn(today - 2 * dayMs, 'A', 20),
  ]
  await tape.insert(batches)
  // Duplicate trades count once.
  await tape.insert(batches.map((batch) => ({ ...batch, topOfBook: [] })))
  server = await startServer({ http: createWorld({ history: { files: new FileStore(root) } }).handler })
})
afterAll(async () => {
  await server?.stop()
  await tape?.close()
})

const keeper = (over: Partial<Parameters<typeof startDailyExport>[0]> = {}) =>
  startDailyExport({
    store: tape.store,
    root,
    venues: ['kalshi', 'polymarket'],
    days: 3,
    bytesMax: 1e9,
    clock,
    log: silentLog,
    ...over,
  })

function request(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<IncomingMessage> {
  const authorization = `Bearer ${keys.builder}`
  return new Promise((resolve, reject) =>
    get(`${server.gateway.url}${path}`, { method, headers: { authorization, ...headers } }, resolve).on(
      'error',
      reject,
    ),
  )
}
const listed = async (query = ''): Promise<{ data: ListedFile[]; nextCursor?: string }> =>
  JSON.parse((await buffer(await request(`/v1/history/files${query}`))).toString())

describe('a day', () => {
  test('is exported only after its writers have passed it, and then once, by any process', async () => {
    const shelf = new FileStore(root)
    let until = today + lateMs - 1
    const progress = publishWatermark({ store: tape.store, clock, log: silentLog, writer: 'w', until: () => until })
    const [one, two] = [keeper(), keeper()]
    clock.advance(10_000)
    await expect.poll(() => tape.store.rows('SELECT 1 FROM tape_progress FORMAT JSONEachRow')).toHaveLength(1)
    await one.round()
    expect((await shelf.list()).map(({ date }) => date)).toEqual([dateOf(today - 2 * dayMs), dateOf(today - 2 * dayMs)])
    until = today + lateMs
    clock.advance(10_000)
    await expect
      .poll(
        async () =>
          (
            await tape.store.rows<{ n: number }>(
              `SELECT toUInt32(count()) AS n FROM tape_progress WHERE until = ${until} FORMAT JSONEachRow`,
            )
          )[0]?.n,
      )
      .toBe(1)
    await Promise.all([one.round(), two.round()])
    const made = await shelf.list()
    expect(made.map(({ date, venue, kind, rows }) => [date, venue, kind, rows])).toEqual([
      [yesterday, 'kalshi', 'tob', 40_300],
      [yesterday, 'kalshi', 'trades', 4_030],
      [dateOf(today - 2 * dayMs), 'kalshi', 'tob', 20],
      [dateOf(today - 2 * dayMs), 'kalshi', 'trades', 2],
    ])
    await Promise.all([one.round(), two.round()])
    expect(await shelf.list()).toEqual(made)
    await Promise.all([one.stop(), two.stop(), progress.stop(false)])
  })

  test('is exported a minute after the start, so that frequently restarted programs export, too', async () => {
    const own = join(root, '..', 'begun')
    const begun = keeper({ root: own })
    clock.advance(filesAfterMs - 1)
    expect(await new FileStore(own).list()).toEqual([])
    clock.advance(1)
    await expect.poll(async () => (await new FileStore(own).list()).length, { timeout: 20_000 }).toBe(4)
    await begun.stop()
  })

  test('keeps the first file when it is created twice, and never exposes an incomplete one', async () => {
    const shelf = new FileStore(join(root, '..', 'race'))
    const name: FileName = { date: yesterday, venue: 'kalshi', kind: 'trades' }
    const deps = { store: tape.store, shelf, now: () => clock.now(), signal: new AbortController().signal }
    const made = await Promise.all([makeFile(name, deps), makeFile(name, deps), makeFile(name, deps)])
    expect(made.toSorted()).toEqual(['elsewhere', 'elsewhere', 'made'])
    const existing = (await shelf.find(name))!
    const bytes = await readFile(shelf.pathOf(existing))
    const text = { outcomeId: 'String', tradeId: 'String', side: 'String', transactionHash: 'String' }
    expect(await kindsOf(tape.store, shelf.pathOf(existing))).toMatchObject(text)
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([existing.size, existing.sha256])
    // Interrupted: the partial data is not a file of that day.
    const store = {
      ...tape.store,
      file: async () =>
        (async function* () {
          yield Buffer.from('PAR1 and then')
          throw new Error('the engine died')
        })(),
    }
    const other: FileName = { ...name, kind: 'tob' }
    await expect(makeFile(other, { ...deps, store })).rejects.toThrow('the engine died')
    expect(await shelf.find(other)).toBeNull()
  })

  test('is postponed while rows still arrive', async () => {
    const name: FileName = { date: dateOf(today), venue: 'kalshi', kind: 'tob' }
    const shelf = new FileStore(root)
    const store = {
      ...tape.store,
      async file(...args: Parameters<typeof tape.store.file>) {
        await tape.insert([rowsOn(today, 'late', 3)])
        return tape.store.file(...args)
      },
    }
    const deps = { store, shelf, now: () => clock.now(), signal: new AbortController().signal }
    expect(await makeFile(name, deps)).toBe('unsettled')
    expect(await shelf.find(name)).toBeNull()
  })

  test('is deleted when it is too old or exceeds the space limit, and not created again', async () => {
    const own = join(root, '..', 'bounded')
    const shelf = new FileStore(own)
    const small = keeper({ root: own, bytesMax: 40_000 })
    await small.round()
    const left = await shelf.list()
    expect(left.length).toBeLessThan(4)
    await small.round()
    expect(await shelf.list()).toEqual(left)
    await small.stop()
    const later = keeper({ root: own, clock: new ManualClock(today + 9 * dayMs), days: 3 })
    await later.round()
    expect(await shelf.list()).toEqual([])
    await later.stop()
  })
})

describe('a client', () => {
  const url = `/v1/history/files/${yesterday}/kalshi/tob`

  test('lists the files page by page', async () => {
    const all = (await listed()).data
    expect(all).toHaveLength(4)
    expect(all[0]).toMatchObject({ date: yesterday, venue: 'kalshi', kind: 'tob', rows: 40_300, url })
    const pages: ListedFile[] = []
    let cursor = ''
    do {
      const page = await listed(`?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      pages.push(...page.data)
      cursor = page.nextCursor ?? ''
    } while (cursor !== '')
    expect(pages).toEqual(all)
    expect((await listed(`?date=${yesterday}&venue=kalshi&kind=trades`)).data).toEqual([all[1]])
  })

  test.each([1, 2, 3, 4, 5])('gets every file once, %i a page', async (limit) => {
    const files = ['2027-01-02', '2027-01-01'].flatMap((date) =>
      ['polymarket', 'polymarket_us'].flatMap((venue) => fileKinds.map((kind) => ({ date, venue, kind }))),
    )
    const history = {
      files: { list: async () => files },
      cursors: createCursorCodec(randomBytes(32)),
      serves: () => true,
    }
    const deps = { history, plans: defaultPlans, clock: new ManualClock(Date.UTC(2027, 0, 3)) }
    const pages: object[] = []
    let cursor: string | undefined
    do {
      const query = { limit, ...(cursor !== undefined && { cursor }) }
      const input = { query, principal: { plan: 'enterprise' } }
      const { data, siblings } = (await listHistoryFiles.handle(input as never, deps as never)) as unknown as {
        data: (typeof files)[number][]
        siblings: { nextCursor?: string }
      }
      pages.push(...data.map(({ date, venue, kind }) => ({ date, venue, kind })))
      cursor = siblings.nextCursor
    } while (cursor !== undefined)
    expect(pages).toEqual(files)
  })

  test('downloads a file of another day with the command in docs/history.md', async () => {
    const file = (await listed(`?date=${yesterday}&kind=tob`)).data[0]!
    const command = sampleOf('docs/history.md', 'curl -sf').replace(/\d{4}-\d\d-\d\d/, yesterday)
    const env = { PATH: process.env.PATH ?? '', KEY: keys.builder, URL: server.gateway.url }
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], {
      cwd: tape.dataDir,
      env,
    })
    expect(stdout).toBe(`${file.sha256}  day.parquet\n`)
  })

  test('downloads the whole file or any range, and resumes after an interruption', async () => {
    const file = (await listed(`?date=${yesterday}&kind=tob`)).data[0]!
    const whole = await request(url)
    expect(whole.headers).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(file.size),
      'accept-ranges': 'bytes',
      etag: `"${file.sha256}"`,
    })
    const bytes = await buffer(whole)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256)
    expect(file.size).toBeGreaterThan(300_000)
    const local = join(tape.dataDir, 'taken.parquet')
    await writeFile(local, bytes)
    const [counted] = await tape.store.rows<{ n: number }>(
      `SELECT toUInt32(count()) AS n FROM file('${local}', Parquet) FORMAT JSONEachRow`,
    )
    expect(counted?.n).toBe(file.rows)

    const half = Math.floor(file.size / 2)
    const rest = await request(url, { range: `bytes=${half}-`, 'if-range': `"${file.sha256}"` })
    expect([rest.statusCode, rest.headers['content-range']]).toEqual([
      206,
      `bytes ${half}-${file.size - 1}/${file.size}`,
    ])
    expect((await buffer(rest)).equals(bytes.subarray(half))).toBe(true)
    expect((await buffer(await request(url, { range: 'bytes=-8' }))).equals(bytes.subarray(-8))).toBe(true)

    const other = await request(url, { range: `bytes=${half}-`, 'if-range': '"another"' })
    expect([other.statusCode, (await buffer(other)).length]).toEqual([200, file.size])
    const beyond = await request(url, { range: `bytes=${file.size}-` })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${file.size}`])
    expect(JSON.parse((await buffer(beyond)).toString())).toMatchObject({
      success: false,
      error: { code: 'VALIDATION_ERROR' },
    })
    for (const tags of [`"${file.sha256}"`, '*'])
      expect((await request(url, { 'if-none-match': tags })).statusCode).toBe(304)
    const head = await request(url, {}, 'HEAD')
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(file.size)])
  })

  test('gets every byte when it reads slowly', async () => {
    const slow = await request(url)
    const parts: Buffer[] = []
    for await (const part of slow) {
      parts.push(part as Buffer)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(createHash('sha256').update(Buffer.concat(parts)).digest('hex')).toBe(
      (await listed(`?date=${yesterday}&kind=tob`)).data[0]!.sha256,
    )
  })

  test('gets 404 for missing files and 400 for invalid names', async () => {
    const statusOf = async (path: string) => (await request(path)).statusCode
    expect(await statusOf(`/v1/history/files/${dateOf(today)}/kalshi/tob`)).toBe(404)
    expect(await statusOf('/v1/history/files/2026-02-31/kalshi/tob')).toBe(400)
    expect(await statusOf(`/v1/history/files/${yesterday}/kalshi/candles`)).toBe(400)
    expect(await statusOf(`/v1/history/files/${yesterday}/nowhere/tob`)).toBe(404)
    expect(await statusOf('/v1/history/files/2020-01-01/kalshi/tob')).toBe(404)
  })
})

test('parses ranges as RFC 9110 defines, never beyond the file', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.option(fc.nat(600)), fc.option(fc.nat(600)), (size, from, to) => {
      const range = readRange(`bytes=${from ?? ''}-${to ?? ''}`, size)
      if (range === null || range === 'unsatisfiable') return
      expect(range.first).toBeGreaterThanOrEqual(0)
      expect(range.last).toBeGreaterThanOrEqual(range.first)
      expect(range.last).toBeLessThan(size)
    }),
  )
  expect(
    ['bytes=0-', 'bytes=5-2', 'bytes=0-1,4-5', 'items=0-1', 'bytes=-', undefined].map((text) => readRange(text, 10)),
  ).toEqual([{ first: 0, last: 9 }, null, null, null, null, null])
  expect(['bytes=-600', 'Bytes=2-4', 'bytes=8-600'].map((text) => readRange(text, 10))).toEqual([
    { first: 0, last: 9 },
    { first: 2, last: 4 },
    { first: 8, last: 9 },
  ])
  expect(['items=20-', 'bytes=0-1,50-60', 'bytes=a-'].map((text) => readRange(text, 10))).toEqual([null, null, null])
  expect([readRange('bytes=10-', 10), readRange('bytes=-0', 10)]).toEqual(['unsatisfiable', 'unsatisfiable'])
})
