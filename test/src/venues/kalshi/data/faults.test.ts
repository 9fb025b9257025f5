// Lost, duplicated, swapped and late frames against a slow oracle. Every failure message has its seed.
import { expect, test } from 'vitest'
import { casesOf } from '#test/support/shortRuns'
import {
  ackFrame,
  deltaFrame,
  type KalshiWorld,
  kalshiWorld,
  okFrame,
  seededRandom,
  snapshotFrame,
} from '../../../../support/kalshiFeed.ts'

const tickers = ['KXTEST-26-A', 'KXTEST-26-B', 'KXTEST-26-C']
const T = 1_790_000_000_000
const firstSeed = Number(process.env.CROSSBOOK_TEST_SEED ?? 1)
const trials = casesOf(1_000)

/** The venue: true books in hundredths of a contract, one sid with a single sequence counter. */
class Oracle {
  readonly books = new Map(
    tickers.map((ticker) => [ticker, { yes: new Map<number, number>(), no: new Map<number, number>() }]),
  )
  private seq = 0
  private tsMs = T
  private readonly random: () => number

  constructor(random: () => number) {
    this.random = random
  }

  snapshot(ticker: string): object {
    const book = this.books.get(ticker)!
    const levels = (side: Map<number, number>) =>
      [...side].sort(([a], [b]) => a - b).map(([cents, size]): [string, string] => [price(cents), contracts(size)])
    return snapshotFrame(1, ++this.seq, ticker, levels(book.yes), levels(book.no))
  }

  ok(): object {
    return okFrame(1, ++this.seq)
  }

  /** Bids of both sides stay below 50 cents, so that the book is never crossed. */
  delta(): object {
    const ticker = tickers[Math.floor(this.random() * tickers.length)]!
    const side = this.random() < 0.5 ? 'yes' : 'no'
    const levels = this.books.get(ticker)![side]
    const cents = 1 + Math.floor(this.random() * 49)
    const held = levels.get(cents) ?? 0
    const change =
      held > 0 && this.random() < 0.6
        ? this.random() < 0.4
          ? -held
          : -Math.ceil(this.random() * held)
        : 1 + Math.floor(this.random() * 10_000)
    if (held + change === 0) levels.delete(cents)
    else levels.set(cents, held + change)
    this.tsMs += Math.floor(this.random() * 3)
    return deltaFrame(1, ++this.seq, ticker, side, price(cents), contracts(change), this.tsMs)
  }
}

const price = (cents: number): string => (cents / 100).toFixed(4)
const contracts = (hundredths: number): string => (hundredths / 100).toFixed(2)

/** The frames of one connection; the last are deltas, so that an earlier loss is detected. */
function session(oracle: Oracle, random: () => number): object[] {
  const frames: object[] = []
  for (const ticker of tickers) frames.push(oracle.snapshot(ticker))
  for (let i = 0; i < 60; i++) frames.push(random() < 0.05 ? oracle.ok() : oracle.delta())
  return frames
}

/** Checks that books are equal to the hundredth of a contract, level by level. */
function expectTruth(world: KalshiWorld, oracle: Oracle, seed: number): void {
  for (const [ticker, { yes, no }] of oracle.books) {
    const book = world.books.get(ticker)!
    expect(book.state, `seed ${seed}: ${ticker}`).toBe('live')
    const read = (side: 0 | 1) => {
      const prices = new Int32Array(100)
      const sizes = new Float64Array(100)
      const count = book.copyLevels(side, 100, prices, sizes)
      return Array.from({ length: count }, (_, i): [number, number] => [
        Math.round((side === 0 ? prices[i]! : 1_000_000 - prices[i]!) / 10_000),
        Math.round(sizes[i]! * 100),
      ])
    }
    const best = (side: Map<number, number>) => [...side].sort(([a], [b]) => b - a)
    expect(read(0), `seed ${seed}: ${ticker} yes`).toEqual(best(yes))
    expect(read(1), `seed ${seed}: ${ticker} no`).toEqual(best(no))
  }
}

const commitsOf = (world: KalshiWorld) => [...world.books.values()].map((book) => book.commits)

/** Mimics ingest with broken books: one request each, and the venue answers on the same sid between other frames. */
function resync(world: KalshiWorld, oracle: Oracle, random: () => number, seed: number): void {
  const requests = tickers.flatMap((ticker) =>
    world.books.get(ticker)!.state === 'live' ? [] : (world.session.resync(ticker) ?? []),
  )
  expect(requests, `seed ${seed}: one request for the whole sid`).toHaveLength(1)
  const { cmd, params } = JSON.parse(requests[0]!)
  expect([cmd, params.action, params.sids], `seed ${seed}`).toEqual(['update_subscription', 'get_snapshot', [1]])
  for (const ticker of params.market_tickers as string[]) {
    while (random() < 0.5) world.receive(oracle.delta())
    world.receive(oracle.snapshot(ticker))
  }
  while (random() < 0.8) world.receive(oracle.delta())
}

test(`a frame lost at ${trials} random places is detected before the next publication, and a resync restores the books`, {
  timeout: 180_000,
}, () => {
  for (let seed = firstSeed; seed < firstSeed + trials; seed++) {
    const random = seededRandom(seed)
    const oracle = new Oracle(random)
    const frames = session(oracle, random)
    const world = kalshiWorld(tickers)
    world.receive(ackFrame('orderbook_delta', 1))
    const lost = Math.floor(random() * (frames.length - 1))
    world.receive(...frames.slice(0, lost))
    const commits = commitsOf(world)
    const rest = frames.slice(lost + 1)
    // A snapshot right after the loss is complete in itself; nothing else may be published after the last of those.
    const deltas = rest.findIndex((frame) => (frame as { type: string }).type !== 'orderbook_snapshot')
    world.receive(...rest)
    const published = commitsOf(world)
    if (deltas === 0) expect(published, `seed ${seed}`).toEqual(commits)
    expect(world.broken.gap ?? 0, `seed ${seed}`).toBeGreaterThan(0)
    if (deltas === 0) expect(world.broken, `seed ${seed}`).toEqual({ gap: tickers.length })
    expect(world.session.counts.gaps, `seed ${seed}`).toBe(1)
    resync(world, oracle, random, seed)
    expectTruth(world, oracle, seed)
  }
})

test(`duplicate and late frames change nothing and are counted (${trials} runs)`, { timeout: 180_000 }, () => {
  for (let seed = firstSeed; seed < firstSeed + trials; seed++) {
    const random = seededRandom(seed)
    const oracle = new Oracle(random)
    const frames = session(oracle, random)
    const world = kalshiWorld(tickers)
    let repeats = 0
    frames.forEach((frame, i) => {
      world.receive(frame)
      // The same frame again, or an older one: a delta, an acknowledgement, or an earlier snapshot.
      while (random() < 0.3) {
        world.receive(frames[random() < 0.5 ? i : Math.floor(random() * (i + 1))])
        repeats++
      }
    })
    expect(world.broken, `seed ${seed}`).toEqual({})
    expect(world.session.counts.duplicates, `seed ${seed}`).toBe(repeats)
    expectTruth(world, oracle, seed)
  }
})

test(`swapped frames are a gap: nothing is published out of order, and a resync restores the books (${trials} runs)`, {
  timeout: 180_000,
}, () => {
  for (let seed = firstSeed; seed < firstSeed + trials; seed++) {
    const random = seededRandom(seed)
    const oracle = new Oracle(random)
    const frames = session(oracle, random)
    const at = tickers.length + Math.floor(random() * (frames.length - tickers.length - 1))
    ;[frames[at], frames[at + 1]] = [frames[at + 1]!, frames[at]!]
    const world = kalshiWorld(tickers)
    world.receive(ackFrame('orderbook_delta', 1), ...frames.slice(0, at))
    const commits = commitsOf(world)
    world.receive(...frames.slice(at))
    expect(commitsOf(world), `seed ${seed}`).toEqual(commits)
    expect(world.broken, `seed ${seed}`).toEqual({ gap: tickers.length })
    resync(world, oracle, random, seed)
    expectTruth(world, oracle, seed)
  }
})

test('a late snapshot does not revert the book after newer deltas were lost', () => {
  const random = seededRandom(firstSeed)
  const oracle = new Oracle(random)
  const world = kalshiWorld(tickers)
  const frames = session(oracle, random)
  world.receive(...frames.slice(0, 20), ...frames.slice(22, 30))
  const before = world.view(tickers[0]!)
  world.receive(...frames.slice(0, tickers.length))
  expect(world.view(tickers[0]!)).toBe(before)
  expect(world.books.get(tickers[0]!)?.state).toBe('stale')
})
