// The store on the real engine, embedded and by URL. Both use the same code path, so both must keep each promise.
import { spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectTape, openTape, type TapeStore } from '#storage/clickhouse/client'
import { migrateTape, statementsOf } from '#storage/clickhouse/migrate'
import { type ClickhouseServer, startClickhouseServer } from '#test/support/clickhouseHttpServer'
import { startFaultProxy } from '#test/support/faultProxy'

let server: ClickhouseServer
let store: TapeStore

beforeAll(async () => {
  server = await startClickhouseServer()
  store = await openTape({ url: server.url, dataDir: '/nowhere' })
})

afterAll(async () => {
  await store?.close()
  await server?.stop()
})

const once = { table: 'once', columns: ['n', 's'], within: 'n > 0' }

const count = async (table: string) =>
  (await store.rows<{ n: number }>(`SELECT count() AS n FROM ${table} FORMAT JSONEachRow`))[0]?.n

describe('statements', () => {
  test('returns one file for a single-file format, however many blocks it takes', async () => {
    const parts: Uint8Array[] = []
    const sql = 'SELECT number FROM numbers({n:UInt32}) SETTINGS max_block_size = 1000 FORMAT Parquet'
    for await (const part of await store.stream(sql, { n: 30_000 })) parts.push(part)
    const file = Buffer.concat(parts)
    expect(file.subarray(0, 4).toString()).toBe('PAR1')
    // One header and one footer.
    expect([file.indexOf('PAR1', 4), file.lastIndexOf('PAR1')]).toEqual([file.length - 4, file.length - 4])
  })

  test('passes any text as a parameter, alone and in an array', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.string({ unit: 'grapheme' })),
        async (text, list) => {
          const rows = await store.rows<{ text: string; list: string[] }>(
            'SELECT {text:String} AS text, {list:Array(String)} AS list FORMAT JSONEachRow',
            { text, list },
          )
          expect(rows).toEqual([{ text, list }])
        },
      ),
      { numRuns: 60 },
    )
  })

  test('keeps concurrent statements with parameters apart', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        store.rows<{ a: string; b: number }>(
          'SELECT {a:String} AS a, sum(number) AS b FROM numbers({n:UInt32}) FORMAT JSONEachRow',
          {
            a: `text ${n}`,
            n,
          },
        ),
      ),
    )
    expect(answers).toEqual(answers.map((_, n) => [{ a: `text ${n}`, b: n === 0 ? 0 : (n * (n - 1)) / 2 }]))
  })

  test('runs statements that describe something', async () => {
    expect(await store.rows('EXISTS TABLE top_of_book FORMAT JSONEachRow')).toEqual([{ result: 1 }])
    expect((await store.rows('EXPLAIN SELECT 1 FORMAT JSONEachRow')).length).toBeGreaterThan(0)
    expect((await store.rows('DESCRIBE TABLE coverage FORMAT JSONEachRow')).length).toBe(7)
    expect((await store.rows('SHOW TABLES FORMAT JSONEachRow')).length).toBeGreaterThan(5)
  })

  test('rejects a refused statement with the engine’s error code', async () => {
    await expect(store.rows('SELECT nothing FROM nowhere FORMAT JSONEachRow')).rejects.toMatchObject({ code: '60' })
  })

  test('breaks the stream when a statement fails midway, so its rows never look complete', async () => {
    const drain = async () => {
      let bytes = 0
      const stream = await store.stream(
        'SELECT throwIf(number = 900000) FROM numbers(1000000) SETTINGS max_block_size = 10000 FORMAT JSONEachRow',
      )
      for await (const chunk of stream) bytes += chunk.length
      return bytes
    }
    await expect(drain()).rejects.toThrow()
  })

  test('streams a long response in parts', async () => {
    let parts = 0
    let bytes = 0
    for await (const chunk of await store.stream('SELECT number FROM numbers(1000000) FORMAT JSONEachRow')) {
      parts += 1
      bytes += chunk.length
    }
    expect(parts).toBeGreaterThan(10)
    expect(bytes).toBe('{"number":}\n'.length * 1_000_000 + 5_888_890)
  })
})

describe('inserts', () => {
  beforeAll(() =>
    store.command(
      'CREATE TABLE once (n UInt16, s String) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 1000',
    ),
  )

  test('stores any byte in RowBinary rows, including empty lines and semicolons', async () => {
    const text = Buffer.from('\n\n;\n\n\0\\N\t\'"{a:String}--', 'latin1')
    const row = Buffer.concat([Buffer.from([10, 10, text.length]), text])
    await store.insert(once, row, 'bytes')
    expect(await store.rows('SELECT n, hex(s) AS s FROM once WHERE n = 2570 FORMAT JSONEachRow')).toEqual([
      { n: 2570, s: text.toString('hex').toUpperCase() },
    ])
  })

  test('inserts once per token', async () => {
    const before = (await count('once')) as number
    const row = Buffer.from([1, 0, 1, 65])
    for (const token of ['a', 'a', 'b', 'a', 'b']) await store.insert(once, row, token)
    expect(await count('once')).toBe(before + 2)
  })

  test('refuses an insert while an earlier attempt of it is still running at the server, and accepts it afterwards', async () => {
    const token = 'earlier-try'
    const earlier = await fetch(`${server.url}?query_id=${token}&max_block_size=1`, {
      method: 'POST',
      body: 'SELECT sleepEachRow(0.1) FROM numbers(30) FORMAT TSV',
    })
    const { value } = await earlier.body!.getReader().read()
    expect(String.fromCharCode(...value!.subarray(0, 2))).toBe('0\n')
    const before = await count('once')
    const row = Buffer.from([9, 0, 1, 66])
    await expect(store.insert(once, row, token)).rejects.toThrow('already running')
    expect(await count('once')).toBe(before)
    await vi.waitFor(() => store.insert(once, row, token), 20_000)
    expect(await count('once')).toBe(before! + 1)
  })

  test('still deduplicates by token after the engine was killed and restarted', async () => {
    const before = (await count('once')) as number
    await store.insert(once, Buffer.from([2, 0, 0]), 'killed')
    const pid = server.pid()
    server.kill()
    await vi.waitFor(
      async () => {
        expect(server.pid()).not.toBe(pid)
        expect(await store.ping()).toBe(true)
      },
      { timeout: 20_000 },
    )
    await store.insert(once, Buffer.from([2, 0, 0]), 'killed')
    expect(await count('once')).toBe(before + 1)
  })
})

describe('an engine killed between recording an insert token and storing its rows', () => {
  const kept = { table: 'kept', columns: ['n', 's', 'l'], within: 'n BETWEEN 1 AND 2', except: ['l'] }
  /** The same row twice, and one without a null. */
  const rowsOf = (...l: number[]) => Buffer.from([...[1, 0, 1, ...l], ...[1, 0, 1, ...l], ...[2, 0, 0, 1, 65, ...l]])
  const all = () => store.rows('SELECT n, s FROM kept ORDER BY n FORMAT JSONEachRow')
  const stored = [
    { n: 1, s: null },
    { n: 1, s: null },
    { n: 2, s: 'A' },
  ]
  let dir: string
  let own: ClickhouseServer
  let store: TapeStore

  /** `losing`: deletes the stored part, as after a kill between recording the token and storing the rows. */
  async function restarts(losing: boolean, meanwhile: () => Promise<unknown>): Promise<void> {
    const port = Number(new URL(own.url).port)
    await own.stop()
    const parts = (await readdir(dir, { recursive: true })).filter((path) => /\bstore\/.*\/all_\d+_\d+_\d+$/.test(path))
    expect(parts).toHaveLength(1)
    if (losing) await rm(join(dir, parts[0]!), { recursive: true })
    await meanwhile()
    own = await startClickhouseServer({ dir, port })
  }

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'crossbook-kept-'))
    own = await startClickhouseServer({ dir })
    store = await connectTape({ url: own.url, dataDir: '/nowhere' })
    await store.command(
      'CREATE TABLE kept (n UInt16, s Nullable(String), l Array(UInt16)) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 1000',
    )
    await store.insert(kept, rowsOf(1, 7, 0), 'x')
  })
  afterEach(async () => {
    await store?.close()
    await own?.stop()
    await rm(dir, { recursive: true, force: true })
  })

  test.each([
    ['lost', true],
    ['kept', false],
  ])('a retried insert stores its rows once when the first rows were %s', async (_, losing) => {
    await restarts(losing, () => expect(store.insert(kept, rowsOf(1, 7, 0), 'x')).rejects.toThrow())
    expect(await all()).toEqual(losing ? [] : stored)
    for (let times = 0; times < 2; times++) await store.insert(kept, rowsOf(1, 7, 0), 'x')
    expect(await all()).toEqual(stored)
  })

  test.each([
    ['lost', true],
    ['kept', false],
  ])(
    'an insert repeated by another process, with a column that differs, stores its rows once when the first rows were %s',
    async (_, losing) => {
      await restarts(losing, async () => undefined)
      for (let times = 0; times < 2; times++) await store.insert(kept, rowsOf(0), 'x', true)
      expect(await all()).toEqual(stored)
    },
  )
})

describe('migrations', () => {
  test('run once; a second run and a second process change nothing', async () => {
    expect(await migrateTape(store)).toEqual([])
    const other = await connectTape({ url: server.url, dataDir: '/nowhere' })
    expect(await migrateTape(other)).toEqual([])
    await other.close()
    const tables = await store.rows<{ name: string }>(
      'SELECT name FROM system.tables WHERE database = currentDatabase() FORMAT JSONEachRow',
    )
    expect(tables.map((table) => table.name)).toEqual(
      expect.arrayContaining(['top_of_book', 'trades', 'books', 'coverage', 'middle_by_minute', 'tape_migrations']),
    )
  })

  test('split a file at semicolons at the end of a line', () => {
    expect(statementsOf("-- a; b;\nCREATE a\n  (x);\n\nINSERT ';';\n")).toEqual(['CREATE a\n  (x)', "INSERT ';'"])
  })
})

describe('processes', () => {
  test('lets another process write to and read from the same server by URL', async () => {
    const client = fileURLToPath(new URL('../../../../src/storage/clickhouse/client.ts', import.meta.url))
    const script = `
      const { connectTape } = await import(${JSON.stringify(client)})
      const store = await connectTape({ url: process.argv[1], dataDir: '/nowhere' })
      await store.insert({ table: 'once', columns: ['n', 's'], within: null }, Buffer.from([77, 0, 0]), 'elsewhere')
      process.stdout.write(JSON.stringify(await store.rows('SELECT n FROM once WHERE n = 77 FORMAT JSONEachRow')))
      await store.close()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, server.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
    })
    await event(child, 'close')
    expect(printed).toBe('[{"n":77}]')
    expect(await store.rows('SELECT n FROM once WHERE n = 77 FORMAT JSONEachRow')).toEqual([{ n: 77 }])
  })

  test('fails requests on half-open connections, repeats inserts safely and opens new connections', async () => {
    const proxy = await startFaultProxy(0, Number(new URL(server.url).port))
    const through = await connectTape({
      url: `http://127.0.0.1:${proxy.port}`,
      dataDir: '/nowhere',
      requestTimeoutMs: 1_000,
    })
    await through.command(
      'CREATE TABLE frozen (n UInt8, s String) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 100',
    )
    const target = { table: 'frozen', columns: ['n', 's'], within: 'n > 0' }
    const insert = (n: number) => through.insert(target, Buffer.from([n, 0]), `frozen-${n}`)
    const read = () => through.rows('SELECT n FROM frozen ORDER BY n FORMAT JSONEachRow')
    await insert(1)
    expect(await read()).toEqual([{ n: 1 }])
    proxy.freezeAll()
    await expect(insert(2)).rejects.toThrow()
    await insert(2)
    await insert(2)
    expect(await read()).toEqual([{ n: 1 }, { n: 2 }])
    await through.close()
    await proxy.close()
  })

  test('rejects the first statement without hanging when no server listens at the URL', async () => {
    const nowhere = await connectTape({ url: 'http://127.0.0.1:9', dataDir: '/nowhere' })
    expect(await nowhere.ping()).toBe(false)
    await expect(nowhere.rows('SELECT 1 FORMAT JSONEachRow')).rejects.toThrow()
    await nowhere.close()
  })
})
