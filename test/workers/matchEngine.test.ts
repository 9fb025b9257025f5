import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import type { MatchEngine } from '#matching/candidateIndex'
import type { MatchPiece } from '#storage/postgres/matching/index'
import { startMatchEngine } from '#workers/matchEngine'

const failing = fileURLToPath(new URL('../actors/matcher/failing.worker.ts', import.meta.url))
const engines: MatchEngine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop()
})
function started(filename?: string): MatchEngine {
  const engine = startMatchEngine(filename === undefined ? {} : { filename })
  engines.push(engine)
  return engine
}
async function all(engine: MatchEngine): Promise<MatchPiece[]> {
  const pieces: MatchPiece[] = []
  for await (const piece of engine.pieces()) pieces.push(piece)
  return pieces
}
const markets = (count: number) =>
  ['north', 'south'].flatMap((venue) =>
    Array.from({ length: count }, (_, at) => ({
      venue,
      marketId: String(at),
      title: `Will person number ${at} of Ohio win the 2027 Kroll Prize ${at}?`,
      rules: 'By the list of the prize.',
    })),
  )

test('returns the rows of a run in pieces of bounded size, once, clusters first', async () => {
  const engine = started()
  await engine.begin()
  await engine.put(markets(450))
  const counts = await engine.run({ overrides: [], full: true, now: 1_700_000_000_000 })
  const pieces = await all(engine)
  expect(pieces.every(({ rows }) => rows.length <= 200)).toBe(true)
  const kinds = pieces.map(({ kind }) => kind)
  expect(kinds).toEqual(kinds.toSorted())
  expect(pieces.filter(({ kind }) => kind === 'clusters').flatMap(({ rows }) => rows as object[])).toHaveLength(
    counts.clusters!,
  )
  expect(await all(engine)).toEqual([])
})

test('fails a run whose thread was terminated between two requests, and begins the next one', async () => {
  const engine = started()
  await engine.begin()
  await engine.put(markets(1))
  engine.abort()
  const run = () => engine.run({ overrides: [], full: true, now: 1_700_000_000_000 })
  await vi.waitFor(() => expect(engine.put([])).rejects.toThrow('ended during a run'), 10_000)
  await expect(run()).rejects.toThrow('ended during a run')
  await engine.begin()
  await engine.put(markets(1))
  expect(await run()).toMatchObject({ clusters: 1 })
})

test('keeps the given ids of clusters, and forgets them when a run starts again', async () => {
  const engine = started()
  await engine.begin()
  await engine.put(markets(1))
  const remember = () => engine.remember([{ clusterId: 'c_old', key: 'north:0' }])
  const idOf = async () => {
    await engine.run({ overrides: [], full: false, now: 1_700_000_000_000 })
    const [piece] = await all(engine)
    return piece?.kind === 'clusters' ? piece.rows[0]?.id : undefined
  }
  await remember()
  expect(await idOf()).toBe('c_old')
  await remember()
  await engine.begin()
  expect(await idOf()).not.toBe('c_old')
})

test('a crashed thread fails its requests and the next request gets a new one', async () => {
  const engine = started(failing)
  await engine.begin()
  expect(engine.generation).toBe(1)
  await expect(engine.run({ overrides: [], full: true, now: 1_700_000_000_000 })).rejects.toThrow('out of memory')
  await engine.begin()
  expect(engine.generation).toBe(2)
})

test('once stopped, it refuses all requests, including waiting ones', async () => {
  const engine = started()
  await engine.begin()
  const waiting = expect(engine.put(markets(1))).rejects.toThrow('stopped')
  await engine.stop()
  await engine.stop()
  await waiting
  await expect(engine.begin()).rejects.toThrow('stopped')
})
