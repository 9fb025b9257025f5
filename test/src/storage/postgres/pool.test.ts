import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#storage/postgres/embedded'
import { asUnavailable, createPool, inTransaction, isOutage, type Pool } from '#storage/postgres/pool'
import { startFaultProxy } from '#test/support/faultProxy'
import { startStallingProxy } from '#test/support/stallingProxy'

let dataDir: string
let server: EmbeddedPostgres
let pool: Pool

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-pool-'))
  server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  pool = createPool({ url: server.url, log: silentLog, connectionsMax: 3 })
  await pool.query('CREATE TABLE notes (id int PRIMARY KEY)')
})
afterAll(async () => {
  await pool.end()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Returns the fault of a failed call. Callers rely on the time limit, so the tests check it. */
async function refusal(work: Promise<unknown>): Promise<Fault> {
  const error = await asUnavailable('CATALOG_UNAVAILABLE', work).then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Fault)
  return error as Fault
}

/** `pool` with transactions whose BEGIN fails on the server. */
const withFailingBegin = (through: Pool): Pool =>
  Object.assign(Object.create(through) as Pool, {
    async connect() {
      const client = await through.connect()
      const query = (text: string | object, values?: unknown[]) =>
        client.query(typeof text === 'string' ? text.replace(/^BEGIN/, 'SELECT 1/0; BEGIN') : (text as never), values)
      return new Proxy(client, {
        get: (of, name) => {
          const value = name === 'query' ? query : Reflect.get(of, name)
          return typeof value === 'function' ? value.bind(of) : value
        },
      })
    },
  })

describe('a transaction that does not begin', () => {
  test.each([
    ['one statement', async (db: Pick<Pool, 'query'>) => void (await db.query('INSERT INTO notes VALUES (901)'))],
    [
      'several at once, none of them awaited',
      async (db: Pick<Pool, 'query'>) => {
        for (const id of [902, 903]) db.query('INSERT INTO notes VALUES ($1)', [id]).catch(() => undefined)
        throw new Error('the work gave up')
      },
    ],
  ])('writes nothing: %s', async (_, work) => {
    await expect(inTransaction(withFailingBegin(pool), work)).rejects.toThrow('division by zero')
    expect((await pool.query('SELECT FROM notes WHERE id BETWEEN 901 AND 903')).rowCount).toBe(0)
    // The connection serves the next transaction.
    await inTransaction(pool, (db) => db.query('SELECT 1'))
  })
})

test('does not report a transaction with an ignored failed statement as committed', async () => {
  const careless = inTransaction(pool, async (db) => {
    await db.query('INSERT INTO notes VALUES (904)')
    await db.query('SELECT 1/0').catch(() => undefined)
  })
  await expect(careless).rejects.toThrow('it was rolled back')
  expect((await pool.query('SELECT FROM notes WHERE id = 904')).rowCount).toBe(0)
})

test('fails a transaction with the error of the first failed statement, not that of later ones', async () => {
  const work = inTransaction(pool, async (db) => {
    db.query('SELECT 1/0').catch(() => undefined)
    await db.query('SELECT 1')
  })
  await expect(work).rejects.toThrow('division by zero')
})

test('rejects a call whose connection is lost as soon as it is opened', async () => {
  const message = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const serverMessages = Buffer.concat([
    message('R', Buffer.alloc(4)),
    message('K', Buffer.alloc(8)),
    message('Z', Buffer.from('I')),
    message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')),
  ])
  const stopping = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(serverMessages))
  })
  await new Promise<void>((resume) => stopping.listen(0, '127.0.0.1', resume))
  const { port } = stopping.address() as { port: number }
  const through = createPool({ url: `postgres://u:p@127.0.0.1:${port}/x`, log: silentLog })
  await refusal(inTransaction(through, (db) => db.query('SELECT 1')))
  await through.end()
  stopping.close()
})

describe('a COMMIT without a response', () => {
  const write = (through: Pool, id: number): Promise<string> =>
    inTransaction(
      through,
      async (db) => {
        await db.query('INSERT INTO notes VALUES ($1)', [id])
        return `wrote ${id}`
      },
      { resolvesUnknownCommit: true },
    )
  const countOf = async (id: number) =>
    (await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM notes WHERE id = $1', [id])).rows[0]!.n

  test('succeeds when the database confirms it', async () => {
    const proxy = await startStallingProxy(server.url)
    const through = createPool({ url: proxy.url, log: silentLog })
    proxy.cutAnswerTo = 'COMMIT'
    expect(await write(through, 100)).toBe('wrote 100')
    expect([proxy.cutAnswerTo, await countOf(100)]).toEqual([null, 1])
    await pool.query('DELETE FROM notes WHERE id = 100')
    await through.end()
    await proxy.close()
  })

  test('is an outage when it was rolled back', async () => {
    await pool.query(`CREATE FUNCTION hang_up() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`)
    await pool.query(`CREATE CONSTRAINT TRIGGER hang_up AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.id = 101) EXECUTE FUNCTION hang_up()`)
    const outcome = await write(pool, 101).then(
      () => 'stands',
      (error: unknown) => isOutage(error),
    )
    expect([outcome, await countOf(101)]).toEqual([true, 0])
    await pool.query('DROP FUNCTION hang_up CASCADE')
  })
})

describe('the server', () => {
  test('ends an abandoned transaction within seconds and releases its row', {
    timeout: 30_000,
  }, async () => {
    await pool.query('INSERT INTO notes VALUES (50)')
    const proxy = await startStallingProxy(server.url)
    const through = createPool({ url: proxy.url, log: silentLog })
    const frozen = inTransaction(through, async (db) => {
      await db.query('SELECT FROM notes WHERE id = 50 FOR UPDATE')
      // From here on nothing arrives: the client process is gone, and the connection stays open.
      proxy.stallRequests = true
    }).catch((error: unknown) => error)
    await vi.waitFor(() => expect(proxy.stallRequests).toBe(true), { timeout: 10_000 })
    await expect(pool.query('SELECT FROM notes WHERE id = 50 FOR UPDATE NOWAIT')).rejects.toMatchObject({
      code: '55P03',
    })
    await vi.waitFor(() => pool.query('DELETE FROM notes WHERE id = 50 AND pg_try_advisory_xact_lock(50)'), {
      timeout: 15_000,
    })
    proxy.flow()
    expect(isOutage(await frozen)).toBe(true)
    await through.end()
    await proxy.close()
  })

  test('detects clients that vanished, also when the URL has its own options', async () => {
    const poolWithOptions = createPool({ url: `${server.url}?options=-c%20tcp_keepalives_idle%3D7`, log: silentLog })
    const showSetting = async (through: Pool, name: string) =>
      Object.values((await through.query(`SHOW ${name}`)).rows[0]!)[0]
    expect(await showSetting(pool, 'tcp_keepalives_idle')).toBe('10')
    expect(await showSetting(pool, 'tcp_keepalives_interval')).toBe('5')
    expect(await showSetting(pool, 'tcp_user_timeout')).toMatch(/^10(s|000)$/)
    expect(await showSetting(poolWithOptions, 'tcp_keepalives_idle')).toBe('7')
    expect(await showSetting(poolWithOptions, 'tcp_keepalives_count')).toBe('3')
    expect(await showSetting(poolWithOptions, 'idle_in_transaction_session_timeout')).toBe('5s')
    await poolWithOptions.end()
  })
})

describe('an outage', () => {
  test('rejects with a retryable error and the code of the caller when the server is unreachable', async () => {
    const nowhere = createPool({ url: 'postgres://u:p@127.0.0.1:1/x', log: silentLog })
    expect(await refusal(nowhere.query('SELECT 1'))).toMatchObject({
      code: 'CATALOG_UNAVAILABLE',
      retryAfterSeconds: 1,
    })
    await expect(asUnavailable('PLATFORM_UNAVAILABLE', nowhere.query('SELECT 1'))).rejects.toMatchObject({
      code: 'PLATFORM_UNAVAILABLE',
    })
    await nowhere.end()
  })

  test('rejects within two seconds when the server accepts connections but does not respond', async () => {
    const sockets = new Set<Socket>()
    const mute: Server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    })
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const { port } = mute.address() as { port: number }
    const waiting = createPool({ url: `postgres://u:p@127.0.0.1:${port}/x`, log: silentLog })
    // Vitest's timeout ends the wait: without a rejection by then the test fails.
    const answer = await vi.waitUntil(() => refusal(waiting.query('SELECT 1')), { timeout: 2_000 })
    expect(answer.code).toBe('CATALOG_UNAVAILABLE')
    for (const socket of sockets) socket.destroy()
    await waiting.end()
    await new Promise((resolve) => mute.close(resolve))
  })

  test('fails one statement when all connections hang, and the next one gets a working connection', async () => {
    const proxy = await startFaultProxy(0, Number(new URL(server.url).port))
    const behind = new URL(server.url)
    behind.port = String(proxy.port)
    const through = createPool({ url: behind.href, log: silentLog, connectionsMax: 5 })
    const clients = await Promise.all(Array.from({ length: 5 }, () => through.connect()))
    for (const client of clients) client.release()
    expect(through.idleCount).toBe(5)
    proxy.freezeAll()
    expect((await refusal(through.query('SELECT 1 AS n'))).code).toBe('CATALOG_UNAVAILABLE')
    // The rejection came before the driver gave up the statement.
    await vi.waitFor(() => expect(through.totalCount).toBe(0), { timeout: 2_000, interval: 20 })
    expect((await through.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }])
    await through.end()
    await proxy.close()
  })

  test('closes only the connection of a statement that takes too long', async () => {
    const own = createPool({ url: server.url, log: silentLog, connectionsMax: 2, statementTimeoutMs: 0 })
    const [slow, other] = await Promise.all([own.connect(), own.connect()])
    const late = slow.query({ text: 'SELECT pg_sleep(5)', query_timeout: 500 } as never)
    const pidOf = async (of: Pick<Pool, 'query'>) => (await of.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
    const pid = await pidOf(other)
    other.release()
    await expect(late).rejects.toThrow('Query read timeout')
    expect(await pidOf(own)).toBe(pid)
    slow.release(true)
    await own.end()
  })

  test('rejects a slow statement, a full pool and a lost connection, and works again afterwards', async () => {
    expect((await refusal(pool.query('SELECT pg_sleep(10)'))).detail).toMatch(/no answer within|statement timeout/)
    const held = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
    expect((await refusal(pool.query('SELECT 1'))).detail).toMatch(/timeout exceeded when trying to connect/)
    for (const client of held) client.release()
    const cut = asUnavailable(
      'CATALOG_UNAVAILABLE',
      inTransaction(pool, async (db) => {
        await db.query('INSERT INTO notes VALUES (1)')
        await db.query('SELECT pg_terminate_backend(pg_backend_pid())')
      }),
    )
    await expect(cut).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
    expect((await pool.query('SELECT count(*)::int AS n FROM notes')).rows).toEqual([{ n: 0 }])
  })

  test('rejects calls after kill -9 of the server and recovers without a restart of this process', {
    timeout: 60_000,
  }, async () => {
    await pool.query('INSERT INTO notes VALUES (7)')
    process.kill(server.pid()!, 'SIGKILL')
    const read = () => asUnavailable('CATALOG_UNAVAILABLE', pool.query('SELECT id FROM notes'))
    // Child processes of the server may still respond once.
    await vi.waitFor(() => expect(read()).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' }), {
      timeout: 5_000,
      interval: 5,
    })
    await vi.waitFor(
      async () => {
        const outcome = await read().catch((error: unknown) => error)
        // During the outage every error has this code.
        if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
        expect(outcome).toMatchObject({ rows: [{ id: 7 }] })
      },
      { timeout: 30_000, interval: 20 },
    )
  })
})

describe('not an outage', () => {
  test('keeps the error of an invalid statement', async () => {
    await expect(asUnavailable('CATALOG_UNAVAILABLE', pool.query('SELEC 1'))).rejects.toMatchObject({ code: '42601' })
    await expect(
      asUnavailable('CATALOG_UNAVAILABLE', Promise.reject(new Fault('NOT_FOUND', 'x'))),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(isOutage(new TypeError('x is not a function'))).toBe(false)
    expect(isOutage('ECONNREFUSED')).toBe(false)
  })
})

describe('a transaction', () => {
  test('leaves nothing behind when it fails, and its connection stays usable', async () => {
    const failing = inTransaction(pool, async (db) => {
      await db.query('INSERT INTO notes VALUES (100)')
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect((await pool.query('SELECT 1 FROM notes WHERE id = 100')).rowCount).toBe(0)
    expect(pool.idleCount).toBe(pool.totalCount)
  })

  test('may have a longer statement timeout than a single read, only within itself', async () => {
    const brief = createPool({ url: server.url, log: silentLog, connectionsMax: 1, statementTimeoutMs: 50 })
    await inTransaction(brief, (db) => db.query('SELECT pg_sleep(0.4)'), { statementTimeoutMs: 10_000 })
    await expect(brief.query('SELECT pg_sleep(0.4)')).rejects.toMatchObject({ code: '57014' })
    await brief.end()
  })
})
