// Opportunity intervals of the arbitrage surface from the bus to a reader, on the real engine.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { silentLog } from '#core/log'
import { type ArbitrageHistoryParams, startArbitrageHistory } from '#history/arbitrageHistory'
import { createClickhouseTape } from '#history/clickhouseTape'
import type { ArbitrageRecord } from '#schemas/topics'
import { createLocalBus } from '#storage/bus/local'
import { startEventWriter } from '#storage/clickhouse/eventWriter'
import { openTestTape, type TestTape } from '#test/support/clickhouse'

const start = Date.UTC(2026, 5, 7)
const window = { since: String(start), until: String(start + 1_000_000) }
const cursors = createCursorCodec(randomBytes(32))

const record = (n: number, over: Partial<ArbitrageRecord> = {}): ArbitrageRecord => ({
  rowId: `c_${n % 7}:kalshi:polymarket`,
  venueYes: 'kalshi',
  venueNo: 'polymarket',
  firstSeen: start + Math.floor(n / 3) * 10,
  lastSeen: start + Math.floor(n / 3) * 10 + 5,
  ended: false,
  bestEdgeMicros: 1_500_000 + n,
  bestAt: start + 1,
  best: `{"clusterId":"c_${n % 7}","question":"„schön“ ${n}\\n"}`,
  ...over,
})

let tape: TestTape
beforeAll(async () => {
  tape = await openTestTape()
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  const writer = await startEventWriter('arbitrageRecords', {
    bus,
    store: tape.store,
    clock: systemClock,
    log: silentLog,
    mode: 'local',
  })
  for (let n = 0; n < 21; n++) bus.publish('arbitrageRecords', record(n).rowId, record(n))
  // A repeated record: the newest version of an interval counts, and its end wins over a record of the same time.
  const again = record(4, { lastSeen: start + 900, bestEdgeMicros: 9_000_000 })
  bus.publish('arbitrageRecords', again.rowId, again)
  bus.publish('arbitrageRecords', again.rowId, { ...again, ended: true })
  const other = record(100, { rowId: 'c_9:opinion:kalshi', venueYes: 'opinion', venueNo: 'kalshi' })
  bus.publish('arbitrageRecords', other.rowId, other)
  await vi.waitFor(
    async () => {
      const [count] = await tape.store.rows<{ n: number }>(
        'SELECT toUInt32(count()) AS n FROM arbitrage FINAL FORMAT JSONEachRow',
      )
      expect(count?.n).toBe(22)
    },
    { timeout: 20_000 },
  )
  await writer.stop()
  await bus.close()
})
afterAll(() => tape?.close())

interface Line {
  k: string
  clusterId: string
  firstSeen: number
  next: string | null
  rows: number
}

async function read(params: ArbitrageHistoryParams, floor: number | null = null): Promise<Line[]> {
  const { chunks } = await startArbitrageHistory(
    { tape: createClickhouseTape(tape.store), cursors },
    { ...window, ...params },
    { historyFloorMs: floor },
    new AbortController().signal,
  )
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

describe('the history of the surface', () => {
  it('returns each interval once, in its latest version, with its best row as published', async () => {
    const lines = await read({ clusterId: 'c_4' })
    expect(lines).toEqual([
      {
        k: 'arbitrage',
        clusterId: 'c_4:kalshi:polymarket',
        buyYes: 'kalshi',
        buyNo: 'polymarket',
        firstSeen: start + 10,
        lastSeen: start + 900,
        ended: true,
        bestEdge: 9,
        bestAt: start + 1,
        best: { clusterId: 'c_4', question: '„schön“ 4\n' },
      },
      expect.objectContaining({ firstSeen: start + 30 }),
      expect.objectContaining({ firstSeen: start + 60 }),
      { k: 'cursor', next: null, rows: 3 },
    ])
  })

  it('returns the same rows for any page size, ordered by the start of the interval', async () => {
    const whole = (await read({})).filter(({ k }) => k === 'arbitrage')
    expect(whole.length).toBe(22)
    expect(whole.map(({ firstSeen }) => firstSeen)).toEqual(
      [...whole.map(({ firstSeen }) => firstSeen)].sort((a, b) => a - b),
    )
    for (const limit of [1, 2, 5, 21, 22, 23]) {
      const joined: Line[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await read({ limit: String(limit), ...(cursor === undefined ? {} : { cursor }) })
        const end = page.pop()!
        expect(end.rows).toBe(page.length)
        joined.push(...page)
        if (end.next === null) break
        cursor = end.next
      }
      expect(joined, `limit ${limit}`).toEqual(whole)
    }
  })

  it('finds a venue on either leg, and one ordered pair', async () => {
    expect((await read({ venue: 'opinion' })).length).toBe(2)
    expect((await read({ venue: 'kalshi' })).length).toBe(23)
    expect((await read({ clusterId: 'c_9:opinion:kalshi' })).length).toBe(2)
    expect((await read({ clusterId: 'c' })).length).toBe(1)
  })

  it('rejects a window that is too long, a foreign or changed cursor, an unknown venue, and history beyond the plan', async () => {
    const refused = (params: ArbitrageHistoryParams, floor: number | null = null) => expect(read(params, floor)).rejects
    const [, , cursor] = (await read({ limit: '2' })).map(({ next }) => next)
    await refused({ until: String(start + 32 * 86_400_000) }).toMatchObject({ code: 'VALIDATION_ERROR' })
    await refused({ cursor: `${cursor}x` }).toMatchObject({ code: 'VALIDATION_ERROR' })
    await refused({ cursor: cursor!, venue: 'kalshi' }).toMatchObject({ code: 'VALIDATION_ERROR' })
    await refused({ venue: 'nasdaq' }).toMatchObject({ code: 'EXCHANGE_NOT_AVAILABLE' })
    await refused({ limit: '0' }).toMatchObject({ code: 'VALIDATION_ERROR' })
    await refused({}, start + 1).toMatchObject({ code: 'PLAN_REQUIRED' })
  })
})
