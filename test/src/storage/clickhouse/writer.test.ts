// The writer against a ClickHouse that stops and restarts. The clock is manual; the server and the inserts are real.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { CoverageEvent, TapeBatch, TopOfBookRow } from '#schemas/topics'
import type { Bus, TopicBatch } from '#storage/bus/bus'
import { createLocalBus } from '#storage/bus/local'
import { connectTape, openTape, type TapeStore } from '#storage/clickhouse/client'
import { startEventWriter } from '#storage/clickhouse/eventWriter'
import { flushMs, flushRows, startTapeWriter, type TapeWriter } from '#storage/clickhouse/writer'
import { decodeValue, encodeValue } from '#storage/kafka/codec'
import { emptyBatch } from '#test/support/clickhouse'
import { type ClickhouseServer, startClickhouseServer } from '#test/support/clickhouseHttpServer'

let dir: string
let server: ClickhouseServer
let store: TapeStore
let port: number

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'crossbook-writer-'))
  server = await startClickhouseServer({ dir })
  port = Number(new URL(server.url).port)
  store = await openTape({ url: server.url, dataDir: '/nowhere' })
})

afterAll(async () => {
  await store?.close()
  await server?.stop()
  await rm(dir, { recursive: true, force: true })
})

const opened: TapeWriter[] = []
afterEach(async () => {
  for (const writer of opened.splice(0)) await writer.stop()
})

let sequence = 0
/** `count` rows of one outcome, each with its own time. */
function batchOf(outcomeId: string, count: number): TapeBatch {
  const batch = emptyBatch('kalshi', outcomeId)
  for (let i = 0; i < count; i++) {
    const ts = 1_790_000_000_000 + sequence++
    batch.topOfBook.push({
      venue: 'kalshi',
      outcomeId,
      ts,
      recvTs: ts + 3,
      bidMicros: 400_000,
      bidSize: i,
      askMicros: null,
      askSize: 0,
    })
  }
  return batch
}

const rowsOf = async (outcomeId: string): Promise<number> =>
  (
    await store.rows<{ n: number }>(
      'SELECT count() AS n FROM top_of_book WHERE outcome_id = {outcomeId:String} FORMAT JSONEachRow',
      { outcomeId },
    )
  )[0]?.n ?? 0

async function startLocal({ through = store, ...overrides }: { backlogRowsMax?: number; through?: TapeStore } = {}) {
  const clock = new ManualClock()
  const bus = createLocalBus({
    onError(error) {
      throw error
    },
  })
  const writer = await startTapeWriter({
    bus,
    store: through,
    clock,
    log: silentLog,
    mode: 'local',
    random: () => 0.5,
    ...overrides,
  })
  opened.push(writer)
  const publish = (batch: TapeBatch) => bus.publish('tape', `kalshi:${batch.outcomeId}`, batch)
  return { clock, bus, writer, publish }
}

describe('one process', () => {
  test('inserts a full block at once, and a smaller one when the oldest row is due', async () => {
    const { clock, writer, publish } = await startLocal()
    publish(batchOf('flush', flushRows))
    await vi.waitFor(async () => expect(await rowsOf('flush')).toBe(flushRows), 10_000)
    publish(batchOf('flush', 3))
    // Rows can be read before the insert is acknowledged.
    await vi.waitFor(() => expect(writer.stats()).toMatchObject({ inserts: 1, backlogRows: 3 }))
    // One timer for the due rows, one for the next progress report.
    await vi.waitFor(() => expect(clock.pendingCount).toBe(2))
    clock.advance(flushMs)
    await vi.waitFor(async () => expect(await rowsOf('flush')).toBe(flushRows + 3))
    await vi.waitFor(() => expect(writer.stats()).toMatchObject({ inserts: 2, backlogRows: 0, rowsLost: 0 }))
  })

  test('holds rows of two tables twice as long, so that light traffic causes one insert per second', async () => {
    const { clock, writer, publish } = await startLocal()
    const batch = batchOf('two', 2)
    const [{ ts, recvTs }] = batch.topOfBook as [TopOfBookRow]
    publish({ ...batch, depth: [{ type: 'gap', ts, recvTs, seq: 1, micros: [], sizes: [], bids: 0 }] })
    await vi.waitFor(() => expect([writer.stats().backlogRows, clock.pendingCount]).toEqual([3, 2]))
    clock.advance(flushMs)
    expect(writer.stats()).toMatchObject({ inserts: 0, backlogRows: 3 })
    clock.advance(flushMs)
    await vi.waitFor(() => expect(writer.stats()).toMatchObject({ inserts: 1, backlogRows: 0, rowsWritten: 3 }))
    expect(await rowsOf('two')).toBe(2)
  })

  test('writes the pending rows on stop and leaves no timer', async () => {
    const { clock, writer, publish } = await startLocal()
    publish(batchOf('stopped', 7))
    await writer.stop()
    await writer.stop()
    expect(await rowsOf('stopped')).toBe(7)
    expect(clock.pendingCount).toBe(0)
  })

  test('keeps the bus running while ClickHouse is down, and writes every row once after it is back', async () => {
    const { clock, bus, writer, publish } = await startLocal()
    await server.stop()
    let sent = 0
    for (let i = 0; i < 30; i++) {
      publish(batchOf('outage', 400))
      sent += 400
      await bus.ready()
      clock.advance(flushMs)
    }
    // Each failure is followed by a pause that ends only when this clock advances.
    await vi.waitFor(
      () => {
        clock.advance(5_000)
        expect(writer.stats().failures).toBeGreaterThan(2)
      },
      { timeout: 20_000 },
    )
    expect(writer.stats()).toMatchObject({ backlogRows: sent, rowsLost: 0 })
    server = await startClickhouseServer({ dir, port })
    await vi.waitFor(
      () => {
        clock.advance(5_000)
        expect(writer.stats().backlogRows).toBe(0)
      },
      { timeout: 20_000 },
    )
    expect(await rowsOf('outage')).toBe(sent)
  })

  test('keeps rows while the disk of ClickHouse is full, and writes each one once when there is space', async () => {
    const disk = { full: true, refused: 0 }
    const front = createServer((incoming, answer) => {
      if (disk.full) {
        incoming.resume().on('end', () => {
          disk.refused++
          answer.writeHead(500, { 'x-clickhouse-exception-code': '243' })
          answer.end('Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)')
        })
        return
      }
      const { method, url, headers } = incoming
      const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 500, response.headers)
        response.pipe(answer)
      })
      // Closes the client's request when the server closes ours.
      onward.on('error', () => answer.destroy())
      incoming.pipe(onward)
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    const address = new URL(server.url)
    address.port = String((front.address() as AddressInfo).port)
    const through = await connectTape({ url: address.href, dataDir: '/nowhere' })
    try {
      const { clock, bus, writer, publish } = await startLocal({ through })
      publish(batchOf('diskful', 1_500))
      await bus.ready()
      await vi.waitFor(() => {
        clock.advance(5_000)
        expect(disk.refused).toBeGreaterThan(2)
      })
      expect(writer.stats()).toMatchObject({ backlogRows: 1_500, rowsLost: 0, rowsRejected: 0 })
      disk.full = false
      await vi.waitFor(() => {
        clock.advance(5_000)
        expect(writer.stats().backlogRows).toBe(0)
      })
      expect(await rowsOf('diskful')).toBe(1_500)
    } finally {
      await through.close()
      front.closeAllConnections()
      front.close()
    }
  })

  test('drops and counts the oldest rows when the backlog is full, and coverage shows the gap once ClickHouse is back', async () => {
    const { clock, writer, publish } = await startLocal({ backlogRowsMax: 100 })
    await server.stop()
    publish(batchOf('early', 50))
    await vi.waitFor(() => {
      clock.advance(flushMs)
      expect(writer.stats().failures).toBeGreaterThan(0)
    })
    const lostBatch = batchOf('lossy', 60)
    publish(lostBatch)
    publish(batchOf('lossy', 60))
    publish(batchOf('lossy', 60))
    await vi.waitFor(() => expect(writer.stats().rowsLost).toBeGreaterThan(0))
    server = await startClickhouseServer({ dir, port })
    await vi.waitFor(
      () => {
        clock.advance(5_000)
        expect(writer.stats().backlogRows).toBe(0)
      },
      { timeout: 20_000 },
    )
    const { rowsLost } = writer.stats()
    expect((await rowsOf('early')) + (await rowsOf('lossy')) + rowsLost).toBe(50 + 180)
    const gaps = await vi.waitFor(async () => {
      const rows = await store.rows<{ at: number; kind: string; reason: string | null }>(
        "SELECT at, kind, reason FROM coverage WHERE outcome_id = 'lossy' ORDER BY at FORMAT JSONEachRow",
      )
      expect(rows).toHaveLength(2)
      return rows
    })
    expect(gaps[0]).toEqual({
      at: lostBatch.topOfBook[0]?.recvTs,
      kind: 'gap',
      reason: `tape backlog full: ${rowsLost} rows lost`,
    })
    expect(gaps[1]?.kind).toBe('resumed')
  })
})

describe('over Kafka', () => {
  /** A bus that delivers exactly the batches of a test and reports whether each was accepted. */
  function handBus() {
    let handle: ((batch: TopicBatch<'tape'>) => Promise<void>) | undefined
    const running = new Set<Promise<void>>()
    const bus = {
      async consume(_topic: string, _group: string, given: never) {
        handle = given
        return async () => {
          await Promise.allSettled(running)
        }
      },
    } as unknown as Bus
    return {
      bus,
      async deliver(batch: TopicBatch<'tape'>): Promise<void> {
        const delivery = handle?.(batch) ?? Promise.reject(new Error('no consumer'))
        running.add(delivery)
        await delivery.finally(() => running.delete(delivery))
      },
    }
  }

  test('changes nothing when a batch is delivered again after a crash', async () => {
    const clock = new ManualClock()
    const batch = {
      token: 'crossbook.tape.v1:3:100-119',
      values: [batchOf('again', 20)],
      fenced: [],
      owned: () => true,
    }
    for (let life = 0; life < 3; life++) {
      const { bus, deliver } = handBus()
      const writer = await startTapeWriter({ bus, store, clock, log: silentLog, mode: 'kafka' })
      await deliver(batch)
      await writer.stop()
    }
    expect(await rowsOf('again')).toBe(20)
  })

  test('writes full depth from Kafka once, with the epoch of its owner; a message without depth adds none', async () => {
    const change = {
      ts: 1_790_000_000_000,
      recvTs: 1_790_000_000_003,
      seq: 1,
      micros: [400_000, 600_000],
      sizes: [5, 0],
    }
    const sent: TapeBatch[] = [
      { ...emptyBatch('kalshi', 'deep'), epoch: 9, depth: [{ ...change, type: 'start', bids: 1 }] },
      { ...batchOf('deep', 1), epoch: 9 },
    ]
    const values = sent.map((batch) => decodeValue('tape', encodeValue('tape', batch)))
    for (let life = 0; life < 2; life++) {
      const { bus, deliver } = handBus()
      const writer = await startTapeWriter({ bus, store, clock: new ManualClock(), log: silentLog, mode: 'kafka' })
      await deliver({ token: 'crossbook.tape.v1:4:1-2', values, fenced: [], owned: () => true })
      expect(writer.stats().rowsWritten).toBe(3)
      await writer.stop()
    }
    const rows = await store.rows(
      "SELECT recv_ts AS at, recv_delay AS delay, epoch, seq, type, side, price, size FROM depth WHERE outcome_id = 'deep' ORDER BY side FORMAT JSONEachRow",
    )
    const head = { at: change.recvTs, delay: 3, epoch: 9, seq: 1, type: 1 }
    expect(rows).toEqual([
      { ...head, side: 1, price: 4_000, size: 500 },
      { ...head, side: 2, price: 6_000, size: 0 },
    ])
  })

  test('does not write a batch after a pause in which it may have been reassigned', async () => {
    const { bus, deliver } = handBus()
    const writer = await startTapeWriter({ bus, store, clock: new ManualClock(), log: silentLog, mode: 'kafka' })
    const slept = { token: 'x:0:1-1', values: [batchOf('slept', 1)], fenced: [], owned: () => false }
    await expect(deliver(slept)).rejects.toThrow('slept')
    await writer.stop()
    expect(await rowsOf('slept')).toBe(0)
  })

  test.runIf(process.env.CROSSBOOK_TEST_LONG === '1')(
    'changes nothing when a batch is delivered again a thousand batches later',
    async () => {
      const { bus, deliver } = handBus()
      const writer = await startTapeWriter({ bus, store, clock: new ManualClock(), log: silentLog, mode: 'kafka' })
      const late = { token: 'x:1:0-0', values: [batchOf('late', 3)], fenced: [], owned: () => true }
      await deliver(late)
      for (let i = 0; i < 1_200; i++)
        await deliver({ token: `x:2:${i}-${i}`, values: [batchOf('between', 1)], fenced: [], owned: () => true })
      await deliver(late)
      await writer.stop()
      expect(await rowsOf('late')).toBe(3)
    },
    120_000,
  )

  test('does not accept a batch that is not written, so its offsets stay uncommitted', async () => {
    const clock = new ManualClock()
    const { bus, deliver } = handBus()
    const writer = await startTapeWriter({ bus, store, clock, log: silentLog, mode: 'kafka' })
    await server.stop()
    const refused = expect(
      deliver({ token: 'x:0:0-0', values: [batchOf('uncommitted', 1)], fenced: [], owned: () => true }),
    ).rejects.toThrow('stopped before')
    await vi.waitFor(() => expect(writer.stats()).toMatchObject({ failures: 1, backlogRows: 1 }))
    const stopped = writer.stop()
    clock.advance(60_000)
    await stopped
    await refused
    server = await startClickhouseServer({ dir, port })
    expect(await rowsOf('uncommitted')).toBe(0)
  })
})

describe('coverage', () => {
  test('events of two runs in one process mode never share a token', async () => {
    const clock = new ManualClock()
    const event: CoverageEvent = {
      venue: 'kalshi',
      outcomeId: 'covered',
      kind: 'opened',
      mechanism: 'ws-lossless',
      effectiveIntervalMs: null,
      reason: null,
      at: 1_790_000_000_000,
    }
    for (const at of [1, 2]) {
      const bus = createLocalBus({
        onError(error) {
          throw error
        },
      })
      const writer = await startEventWriter('coverage', { bus, store, clock, log: silentLog, mode: 'local' })
      bus.publish('coverage', 'kalshi:covered', { ...event, at: event.at + at })
      await writer.stop()
    }
    expect(
      await store.rows(
        "SELECT at - 1790000000000 AS at FROM coverage WHERE outcome_id = 'covered' ORDER BY at FORMAT JSONEachRow",
      ),
    ).toEqual([{ at: 1 }, { at: 2 }])
    expect(clock.pendingCount).toBe(0)
  })
})
