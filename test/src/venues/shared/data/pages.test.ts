import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { type Log, silentLog } from '#core/log'
import { byCursor, byNumber, byOffset, retryAfterRateLimit } from '#venues/shared/data/pages'

function world() {
  const warnings: string[] = []
  const log: Log = Object.create(silentLog, {
    warn: { value: (_fields: unknown, words: string) => warnings.push(words) },
  })
  const clock = new ManualClock()
  const abort = new AbortController()
  return { warnings, clock, abort, context: { venue: 'xo', clock, log, signal: abort.signal } as const }
}
async function all(pages: AsyncIterable<unknown[]>): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}
const rows = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n)
const list = (count: number) => (offset: number, limit: number) => rows(offset, Math.min(count, offset + limit))
const tooLarge = () => new Fault('NETWORK_ERROR', 'x', { cause: { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' } })
const limited = () => new Fault('NETWORK_ERROR', 'x', { retryAfterSeconds: 3 })

it.each([0, 1, 9, 10, 11, 25])('every paging method walks a list of %d to its end', async (count) => {
  const { context, warnings } = world()
  const of = list(count)
  const offsets = { list: 'x', limit: 10 }
  expect(await all(byOffset(context, { ...offsets, read: async (at, limit) => ({ rows: of(at, limit) }) }))).toEqual(
    rows(0, count),
  )
  const counted = { ...offsets, read: async (at: number, limit: number) => ({ rows: of(at, limit), total: count }) }
  expect(await all(byOffset(context, counted))).toEqual(rows(0, count))
  const numbered = byNumber(context, {
    list: 'x',
    first: 1,
    read: async (page) => of((page - 1) * 10, 10),
    rowsOf: (page) => page,
    isLast: (page) => page.length < 10,
  })
  expect(await all(numbered)).toEqual(rows(0, count))
  const cursors = byCursor(context, {
    list: 'x',
    read: async (cursor = '0') => ({ rows: of(Number(cursor), 10), next: Number(cursor) + 10 }),
    rowsOf: (page) => page.rows,
    cursorOf: ({ next }) => (next < count ? String(next) : ''),
  })
  expect(await all(cursors)).toEqual(rows(0, count))
  expect(warnings).toEqual([])
})

it('a page that is too large is requested in halves, down to one row', async () => {
  const { context } = world()
  const requests: [number, number][] = []
  const read = async (offset: number, limit: number) => {
    requests.push([offset, limit])
    if (offset < 5 && limit > 2) throw tooLarge()
    return { rows: list(12)(offset, limit) }
  }
  expect(await all(byOffset(context, { list: 'x', limit: 8, read }))).toEqual(rows(0, 12))
  expect(requests.slice(0, 4)).toEqual([
    [0, 8],
    [0, 4],
    [0, 2],
    [2, 8],
  ])
  const never = byOffset(context, { list: 'x', limit: 8, read: () => Promise.reject(tooLarge()) })
  await expect(all(never)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
})

it.each([
  ['a repeated cursor', 'the venue repeats a page cursor; the walk stops here', undefined],
  ['a list without end', 'the page walk was truncated', 5],
])('%s is logged and does not loop', async (_, words, pagesMax) => {
  const { context, warnings } = world()
  let page = 0
  const pages = byCursor(context, {
    list: 'x',
    ...(pagesMax === undefined ? {} : { pagesMax }),
    read: async () => ++page,
    rowsOf: (n) => [n],
    cursorOf: (n) => (pagesMax === undefined ? 'same' : String(n)),
  })
  expect((await all(pages)).length).toBeLessThan(6)
  expect(warnings).toEqual([words])
})

it.each([
  ['empty', (_: number) => [] as unknown[]],
  ['the same event at another price', (n: number) => [{ event_ticker: 'E', price: n }]],
  ['the same row', () => [['x']]],
])('a cursor that changes while every page is %s stops after a few pages', async (_, rowsOf) => {
  const { context, warnings } = world()
  let reads = 0
  const pages = byCursor(context, {
    list: 'x',
    read: async () => ++reads,
    rowsOf,
    cursorOf: (n) => `c${n}`,
  })
  await all(pages)
  expect(reads).toBeLessThan(10)
  expect(warnings).toEqual(['the venue’s further pages bring nothing new; the walk stops here'])
})

it('repeated numbered pages stop as well', async () => {
  const { context } = world()
  let reads = 0
  const read = async () => {
    reads++
    return [{ id: 'a' }]
  }
  await all(byNumber(context, { list: 'x', first: 1, read, rowsOf: (page) => page, isLast: () => false }))
  expect(reads).toBeLessThan(10)
})

it('a caller keeps the pages before a refused one; a catalog walk fails', async () => {
  const { context } = world()
  const refused = () => new Fault('NETWORK_ERROR', 'x', { cause: { status: 400 } })
  const walkOf = (waits: boolean, refusedFrom: number) =>
    byNumber(context, {
      list: 'x',
      first: 0,
      waits,
      read: async (page) => {
        if (page >= refusedFrom) throw refused()
        return list(100)(page * 10, 10)
      },
      rowsOf: (page) => page,
      isLast: () => false,
    })
  expect(await all(walkOf(false, 2))).toEqual(rows(0, 20))
  await expect(all(walkOf(false, 0))).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  await expect(all(walkOf(true, 2))).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
})

it('a list that ends before its total is logged', async () => {
  const { context, warnings } = world()
  await all(byOffset(context, { list: 'x', limit: 10, read: async () => ({ rows: [], total: 7 }) }))
  expect(warnings).toEqual(['a list ended before its total'])
})

it('waits for a 429 during a walk with an empty page each second; one too many ends it', async () => {
  const { context, clock } = world()
  let refusals = 1
  const read = async (offset: number, limit: number) => {
    if (offset > 0 && refusals-- > 0) throw limited()
    return { rows: list(15)(offset, limit) }
  }
  const pages = byOffset(context, { list: 'x', limit: 10, read })
  expect((await pages.next()).value).toHaveLength(10)
  for (let second = 0; second < 3; second++) {
    const empty = pages.next()
    await new Promise((done) => setImmediate(done))
    clock.advance(1_000)
    expect((await empty).value).toEqual([])
  }
  expect((await pages.next()).value).toHaveLength(5)
  expect((await pages.next()).done).toBe(true)
  refusals = Number.POSITIVE_INFINITY
  const never = all(byOffset(context, { list: 'x', limit: 10, read }))
  const turn = setInterval(() => clock.advance(1_000), 1)
  await expect(never).rejects.toMatchObject({ retryAfterSeconds: 3 })
  clearInterval(turn)
})

it('a missing list is an empty walk; any other fault ends it', async () => {
  const { context } = world()
  expect(await all(byOffset(context, { list: 'x', limit: 10, read: async () => null }))).toEqual([])
  const broken = byOffset(context, {
    list: 'x',
    limit: 10,
    read: () => Promise.reject(new Fault('NETWORK_ERROR', 'x')),
  })
  await expect(all(broken)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
})

it('other reads of a walk wait as well, and are abandoned when the service stops', async () => {
  const { context, clock, abort } = world()
  let refusals = 1
  const read = async () => {
    if (refusals-- > 0) throw limited()
    return 'read'
  }
  const reading = retryAfterRateLimit(context, read)
  for (let second = 0; second < 3; second++) {
    await new Promise((done) => setImmediate(done))
    clock.advance(1_000)
  }
  expect(await reading).toBe('read')
  refusals = 1
  const left = retryAfterRateLimit(context, read)
  await new Promise((done) => setImmediate(done))
  abort.abort()
  clock.advance(1_000)
  await expect(left).rejects.toMatchObject({ retryAfterSeconds: 3 })
  expect(clock.pendingCount).toBe(0)
})

it('a long page is yielded in parts, so that other work can run; a page above the limit fails', async () => {
  const { context } = world()
  let count = 1_250
  const walk = () =>
    byNumber(context, {
      list: 'x',
      first: 1,
      read: async () => rows(0, count),
      rowsOf: (page) => page,
      isLast: () => true,
    })
  const steps: (number | 'other work')[] = []
  for await (const part of walk()) {
    steps.push(part.length)
    setImmediate(() => steps.push('other work'))
  }
  expect(steps).toEqual([500, 'other work', 500, 'other work', 250])
  count = 10_001
  await expect(all(walk())).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
    detail: 'x: a page of more than 10000 rows',
  })
})
