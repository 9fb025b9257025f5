import { beforeEach, expect, it } from 'vitest'
import type { Coverage } from '#schemas/market'
import { createWorld, keys, longId, type World } from '#test/src/server/http/world'

const side = '"bid":0.4,"bidSize":1,"ask":null,"askSize":null'
const rows = [1, 2].map((ts) => `{"k":"tob","ts":${ts},${side},"recvTs":${ts},"seq":0}\n`)
let world: World
beforeEach(() => {
  world = createWorld()
  world.tape.replayed = rows
})

const window = () => `since=${world.clock.now() - 60_000}&until=${world.clock.now()}`
const replay = (query: string, key: string = keys.builder) =>
  world.get(`/v1/history/replay?venue=polymarket&outcomeId=${longId}&kind=tob&${query}`, { key })

it('passes the rows through as NDJSON and ends with one cursor line', async () => {
  const { status, headers, text } = await replay(window())
  expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson'])
  expect(text).toBe(`${rows.join('')}{"k":"cursor","next":null,"rows":2}\n`)
})

it('passes the caller’s abort signal to the tape, so that an unread page is canceled', async () => {
  await replay(window())
  expect(world.tape.replayQueries[0]!.signal).toBeInstanceOf(AbortSignal)
})

it('rejects a plan without replay, and a window older than the plan’s history', async () => {
  const noReplay = await replay(window(), keys.reader)
  expect([noReplay.status, noReplay.json.error.code]).toEqual([403, 'PLAN_REQUIRED'])
  const now = world.clock.now()
  const dayMs = 86_400_000
  // The builder plan reaches 90 days back.
  const old = await replay(`since=${now - 91 * dayMs}&until=${now - 90 * dayMs}`, keys.hurried)
  expect([old.status, old.json.error.code]).toEqual([403, 'PLAN_REQUIRED'])
  const within = await replay(`since=${now - 89 * dayMs}&until=${now - 88 * dayMs}`, keys.hurried)
  expect(within.status).toBe(200)
  const unlimited = await replay(`since=${now - 900 * dayMs}&until=${now - 890 * dayMs}`)
  expect(unlimited.status).toBe(200)
})

it('rejects invalid and repeated parameters before the first byte', async () => {
  for (const query of [
    '',
    'since=1',
    `${window()}&limit=0`,
    `${window()}&kind=trades`,
    `${window()}&cursor=x`,
    `${window()}&resolution=1m`,
  ]) {
    const reply = await replay(query)
    expect([reply.status, reply.json.error.code], query).toEqual([400, 'VALIDATION_ERROR'])
  }
  const router = await world.get(`/v1/history/replay?venue=router&outcomeId=1&kind=tob&${window()}`, {
    key: keys.builder,
  })
  expect(router.json.error.code).toBe('VALIDATION_ERROR')
  const dark = await world.get(`/v1/history/replay?venue=smarkets&outcomeId=1&kind=tob&${window()}`, {
    key: keys.builder,
  })
  expect([dark.status, dark.json.error.code]).toEqual([404, 'EXCHANGE_NOT_AVAILABLE'])
})

it('reports since when rows of this kind are recorded: a time, never, or no header when it is not known in time', async () => {
  const coverage: Coverage = {
    mechanism: 'rest-adaptive',
    tapeSince: '2026-09-01T00:00:00.000Z',
    tradesSince: null,
    tradesUntil: null,
    effectiveIntervalMs: 5_000,
    gaps24h: 0,
    lastGapAt: null,
  }
  let answer = async () => new Map([[longId, coverage]])
  let depthSince = new Map<string, number>()
  const facts = {
    findPriceChanges: async () => new Map(),
    findCoverage: () => answer(),
    findDepthSince: async () => depthSince,
  }
  world = createWorld({ overrides: { facts } })
  const since = async (more: string) => (await replay(`${window()}${more}`)).headers['x-tape-since']
  const kind = (name: string) =>
    world.get(`/v1/history/replay?venue=polymarket&outcomeId=${longId}&kind=${name}&${window()}`, { key: keys.builder })
  expect(await since('')).toBe('2026-09-01T00:00:00.000Z')
  expect((await kind('trades')).headers['x-tape-since']).toBe('never')
  const until = new Date(world.clock.now() - 30_000).toISOString()
  answer = async () => new Map([[longId, { ...coverage, tradesSince: coverage.tapeSince, tradesUntil: until }]])
  expect((await kind('trades')).headers['x-tape-until']).toBe(until)
  expect((await kind('tob')).headers['x-tape-until']).toBeUndefined()
  const before = `since=${world.clock.now() - 60_000}&until=${world.clock.now() - 30_000}`
  const read = await world.get(`/v1/history/replay?venue=polymarket&outcomeId=${longId}&kind=trades&${before}`, {
    key: keys.builder,
  })
  expect(read.headers['x-tape-until']).toBeUndefined()
  expect((await kind('l2')).headers['x-tape-since']).toBe('never')
  depthSince = new Map([[longId, Date.UTC(2026, 9, 1)]])
  expect((await kind('l2')).headers['x-tape-since']).toBe('2026-10-01T00:00:00.000Z')
  answer = async () => new Map()
  expect(await since('')).toBe('never')
  answer = () => Promise.reject(new Error('down'))
  expect(await since('')).toBeUndefined()
  answer = () => new Promise(() => undefined)
  const late = since('')
  await expect.poll(() => world.tape.replayQueries.length).toBe(10)
  world.clock.advance(1_000)
  expect(await late).toBeUndefined()
})
