// Gaps and watermarks on the real engine: coverage events become intervals, and the watermark follows the writers.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { createOutcomeFacts } from '#history/outcomeStats'
import { getHistoryCoverage } from '#history/routes/getHistoryCoverage'
import { gapsOf } from '#history/statements/gaps'
import { createTapeCoverage } from '#history/tapeCoverage'
import { defaultPlans } from '#platform/plans/plans'
import type { OutcomeCoverage } from '#schemas/history'
import { assignPart, listParts } from '#schemas/parts'
import { type CoverageEvent, recordsTrades, takeoverMarker } from '#schemas/topics'
import type { QueryValues } from '#server/http/defineRoute'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import { handOverMs, progressEveryMs, publishWatermark, watermarkTtlMs } from '#storage/clickhouse/watermark'
import { openTestTape, type TestTape } from '#test/support/clickhouse'

const start = Date.UTC(2026, 5, 7)
const iso = (after: number) => new Date(start + after).toISOString()
const bookOf = (_venue: string, id: string) =>
  id.endsWith('-NO') ? { bookId: id.slice(0, -3), complement: true } : { bookId: id, complement: false }

let tape: TestTape
beforeAll(async () => {
  tape = await openTestTape()
})
afterAll(() => tape?.close())

let inserts = 0
function happened(outcomeId: string, events: readonly (readonly [number, CoverageEvent['kind'], string?])[]) {
  const rows = events.map(([at, kind, reason = null]) => ({
    venue: 'kalshi',
    outcomeId,
    kind,
    mechanism: 'ws-lossless' as const,
    effectiveIntervalMs: null,
    reason,
    at: start + at,
  }))
  return insertCoverage(tape.store, rows, `coverage:${inserts++}`)
}

const deps = (now = start + 3_600_000) => ({
  history: {
    coverage: createTapeCoverage(tape.store, bookOf),
    catalog: { findOutcomes, findMarket: async () => null },
    cursors,
    serves: (venue: string) => venue === 'kalshi',
  },
  plans: defaultPlans,
  clock: new ManualClock(now),
})
/** `named`, and `twice` on two markets. The others are unknown, and for `dark` the lookup fails. */
const findOutcomes = async (venue: string, outcomeId: string) => {
  if (outcomeId === 'dark') throw new Fault('CATALOG_UNAVAILABLE', 'not now')
  const markets = { named: ['M1'], twice: ['M1', 'M2'] }[outcomeId] ?? []
  return markets.map((marketId) => ({
    venue,
    market: { marketId, title: `Will ${marketId}?` },
    outcome: { outcomeId, label: 'Yes' },
  }))
}
const cursors = createCursorCodec(randomBytes(32))

interface Answer {
  data: OutcomeCoverage[]
  siblings: { meta: { completeUntil: string | null; since: string; until: string }; nextCursor?: string }
}
const request = (query: QueryValues, now?: number): Promise<Answer> => {
  const input = {
    query: getHistoryCoverage.query!.parse({ venue: 'kalshi', ...query }),
    principal: { plan: 'builder' },
  }
  return getHistoryCoverage.handle(input as never, deps(now) as never) as unknown as Promise<Answer>
}

test('returns the catalog’s market of an outcome, or null', async () => {
  const ids = ['dark', 'named', 'nobody', 'twice']
  for (const id of ids) await happened(id, [[0, 'opened']])
  const names = async (query: QueryValues) =>
    (await request(query)).data.map(({ outcomeId, market }) => [outcomeId, market])
  const m1 = { marketId: 'M1', title: 'Will M1?', outcome: 'Yes' }
  expect((await names({ limit: '100' })).filter(([id]) => ids.includes(id as string))).toEqual([
    ['dark', null],
    ['named', m1],
    ['nobody', null],
    ['twice', null],
  ])
  expect(await names({ outcomeId: 'kalshi:named' })).toEqual([['kalshi:named', m1]])
  expect(await names({ outcomeId: 'twice', marketId: 'M2' })).toMatchObject([['twice', { marketId: 'M2' }]])
})

describe('gaps', () => {
  test('returns a disconnect, a crash and an unwatched period as one interval each, even if events are repeated', async () => {
    const events = [
      [0, 'opened'],
      [10, 'resumed', recordsTrades],
      [1_000, 'gap', 'socket closed'],
      [1_500, 'gap', 'socket closed'],
      [2_000, 'resumed'],
      [2_500, 'resumed'],
      // Its process crashed without a close event.
      [5_000, 'opened'],
      [6_000, 'closed', 'idle'],
      [9_000, 'opened'],
      [9_500, 'gap', 'silence'],
    ] as const
    await happened('told', events)
    await happened('told', events)
    const { data, siblings } = await request({ outcomeId: 'told' })
    expect(data).toMatchObject([
      {
        venue: 'kalshi',
        outcomeId: 'told',
        mechanism: 'ws-lossless',
        tapeSince: iso(0),
        // An open gap: this outcome is incomplete from its start on.
        completeUntil: iso(9_500),
        gapsTruncated: false,
        gaps: [
          { kind: 'gap', from: iso(1_000), to: iso(2_000), reason: 'socket closed' },
          { kind: 'gap', from: iso(2_000), to: iso(5_000), reason: 'the previous writer ended without notice' },
          { kind: 'closed', from: iso(6_000), to: iso(9_000), reason: 'idle' },
          { kind: 'gap', from: iso(9_500), to: null, reason: 'silence' },
        ],
      },
    ])
    expect(siblings.meta).toMatchObject({ since: iso(3_600_000 - 86_400_000), until: iso(3_600_000) })
    const other = await request({ outcomeId: 'told-NO', since: String(start + 5_500), until: String(start + 8_000) })
    expect(other.data).toMatchObject([{ outcomeId: 'told-NO', gaps: [{ kind: 'closed' }] }])
    expect((await request({ outcomeId: 'never' })).data).toEqual([])
  })

  test('returns ordered intervals that never overlap, whatever the events', () => {
    const event = fc.record({
      at: fc.integer({ min: 0, max: 50 }),
      kind: fc.constantFrom('opened', 'gap', 'resumed', 'closed'),
      reason: fc.constant(null),
    })
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const gaps = gapsOf(events.toSorted((a, b) => a.at - b.at))
        gaps.forEach(({ from, to }, i) => {
          if (i < gaps.length - 1) expect(to).not.toBeNull()
          if (from !== null && to !== null) expect(from).toBeLessThanOrEqual(to)
          expect(from).not.toBeNull()
          if (i > 0 && from !== null) expect(from).toBeGreaterThanOrEqual(gaps[i - 1]!.to!)
        })
      }),
    )
  })

  test('pages through the outcomes of a venue, each once', async () => {
    for (const id of ['list-a', 'list-b', 'list-c']) await happened(id, [[0, 'opened']])
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await request({ limit: '2', ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.data.map(({ outcomeId }) => outcomeId))
      cursor = page.siblings.nextCursor
    } while (cursor !== undefined)
    expect(seen).toEqual([...new Set(seen)].sort())
    expect(seen).toEqual(expect.arrayContaining(['list-a', 'list-b', 'list-c', 'told']))
  })

  test('rejects invalid requests', async () => {
    await expect(request({ outcomeId: 'told', cursor: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(request({ marketId: 'M' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(request({ cursor: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(request({ since: '0' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(request({ venue: 'opinion' })).rejects.toMatchObject({ code: 'EXCHANGE_NOT_AVAILABLE' })
    const early = { since: String(start - 100 * 86_400_000), until: String(start - 99 * 86_400_000) }
    await expect(request(early)).rejects.toMatchObject({ code: 'PLAN_REQUIRED' })
  })
})

describe('the completeness watermark', () => {
  // The engine expires old watermarks by its own clock.
  const now = Date.now()
  const mark = async (at: number) =>
    (await request({ outcomeId: 'told', since: String(at) }, at)).siblings.meta.completeUntil

  test('follows the slowest live writer, and ignores writers that stopped in order', async () => {
    expect(await mark(now)).toBeNull()
    const clock = new ManualClock(now)
    const writer = (name: string, behindMs: number) =>
      publishWatermark({ store: tape.store, clock, log: silentLog, writer: name, until: () => clock.now() - behindMs })
    const writers = [writer('quick', handOverMs), writer('slow', 60_000)]
    const expectMark = async (expected: number) => {
      await expect.poll(() => mark(clock.now()), { timeout: 10_000 }).toBe(new Date(expected).toISOString())
    }
    clock.advance(progressEveryMs)
    await expectMark(now + progressEveryMs - 60_000)
    // An outcome is never complete beyond the tape, wherever its own gap begins.
    const at = clock.now()
    await happened('ended', [
      [at - start - 5_000, 'opened'],
      [at - start - 1_000, 'closed', 'idle'],
    ])
    const [ended] = (await request({ outcomeId: 'ended', since: String(at) }, at)).data
    expect(ended?.completeUntil).toBe(new Date(at - 60_000).toISOString())
    await writers[1]!.stop(true)
    await expectMark(now + progressEveryMs - handOverMs)
    // A silent writer counts as behind until its watermark expires.
    const [dead, living] = [writer('dead', 90_000), writers[0]!]
    clock.advance(progressEveryMs)
    await expectMark(now + 2 * progressEveryMs - 90_000)
    await dead.stop(false)
    clock.advance(watermarkTtlMs)
    // While one update is in flight the next does not start.
    await expectMark(now + 3 * progressEveryMs - handOverMs)
    clock.advance(progressEveryMs)
    await expectMark(now + 3 * progressEveryMs + watermarkTtlMs - handOverMs)
    await living.stop(false)
  })
})

// Last, because a takeover marker affects every outcome of the venue.
test('closes what a crashed owner left open and no process watches, from the time of the takeover', async () => {
  await happened('left', [[10, 'opened']])
  await happened('again', [[10, 'opened']])
  await happened('parted', [
    [10, 'opened'],
    [20, 'closed', 'idle'],
  ])
  const takenAt = 3_000_000
  const [before] = (await request({ outcomeId: 'left' }, start + takenAt - 1)).data
  expect(before).toMatchObject({ tradesUntil: iso(takenAt - 1), gaps: [] })
  await happened(takeoverMarker, [[takenAt, 'opened']])
  await happened('again', [[takenAt + 5, 'opened']])
  const gap = { kind: 'gap', from: iso(10), reason: 'the previous writer ended without notice' }
  const [left] = (await request({ outcomeId: 'left' })).data
  expect(left).toMatchObject({
    tradesUntil: iso(10),
    completeUntil: iso(takenAt),
    gaps: [
      { ...gap, to: iso(takenAt) },
      { kind: 'closed', from: iso(takenAt), to: null, reason: 'not watched since its writer ended' },
    ],
  })
  const facts = await createOutcomeFacts(tape.store, bookOf).findCoverage(
    'kalshi',
    [{ outcomeId: 'left' }],
    start + 3_600_000,
  )
  expect(facts.get('left')).toMatchObject({ gaps24h: 1, lastGapAt: iso(takenAt) })
  expect((await request({ outcomeId: 'again' })).data).toMatchObject([{ gaps: [{ ...gap, to: iso(takenAt + 5) }] }])
  expect((await request({ outcomeId: 'parted' })).data).toMatchObject([{ gaps: [{ kind: 'closed', from: iso(20) }] }])
  expect((await request({ limit: '100' })).data.map(({ outcomeId }) => outcomeId)).not.toContain(takeoverMarker)
})

test('the takeover of one part does not affect outcomes of other parts', async () => {
  const part = assignPart('left in its part', 3)
  const other = listParts(3).find((name) => name !== part)!
  const opened = 3_000_100
  await happened('left in its part', [[opened, 'opened']])
  await happened(takeoverMarker, [[opened + 100, 'opened', other]])
  const readGaps = async () => {
    const [{ gaps }] = (await request({ outcomeId: 'left in its part' })).data as [OutcomeCoverage]
    const facts = createOutcomeFacts(tape.store, bookOf)
    const found = await facts.findCoverage('kalshi', [{ outcomeId: 'left in its part' }], start + 3_600_000)
    return { gaps: gaps.map(({ kind, to }) => [kind, to]), gaps24h: found.get('left in its part')!.gaps24h }
  }
  expect(await readGaps()).toEqual({ gaps: [], gaps24h: 0 })
  await happened(takeoverMarker, [[opened + 200, 'opened', part]])
  await happened(takeoverMarker, [[opened + 300, 'opened', other]])
  const left = {
    gaps: [
      ['gap', iso(opened + 200)],
      ['closed', null],
    ],
    gaps24h: 1,
  }
  expect(await readGaps()).toEqual(left)
})
