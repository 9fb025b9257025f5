// When accounts are read, and what their subscribers get, on a manual clock.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { AccountPortfolio } from '#portfolio/ports'
import { createPortfolioFeed, readEveryMs, readsMax, refreshEveryMs } from '#portfolio/stream/feed'
import { positionsMax } from '#portfolio/stream/state'
import { queueFramesMax, renewAfterMs } from '#portfolio/stream/subscriber'
import { portfolioOf, position, type TestPeer, testPeer } from './support.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** `heldBack`: reads wait for `answer`. `portfolio`: of every account. */
function scene({ heldBack = false, portfolio }: { heldBack?: boolean; portfolio?: () => AccountPortfolio } = {}) {
  const clock = new ManualClock()
  const quantities = new Map<string, string>()
  const reads: { id: string; at: number }[] = []
  const waiting: (() => void)[] = []
  let failing = 0
  const read = async (id: string): Promise<AccountPortfolio> => {
    reads.push({ id, at: clock.monotonic() })
    if (heldBack) await new Promise<void>((resolve) => waiting.push(resolve))
    if (failing > 0) {
      failing--
      throw new Error('the database is away')
    }
    return portfolio?.() ?? portfolioOf([position('o', quantities.get(id) ?? '1')])
  }
  const feed = createPortfolioFeed({ reader: { read }, clock, log: silentLog })
  /** Time passes, and reads that are not held back end. */
  const pass = async (ms = 0): Promise<void> => {
    for (let left = ms; left > 0; left -= Math.min(left, 50)) {
      clock.advance(Math.min(left, 50))
      await settled()
    }
    clock.advance(0)
    await settled()
    clock.advance(0)
  }
  return {
    ...{ clock, quantities, reads, feed, pass },
    fail: (times: number) => {
      failing = times
    },
    async answer(): Promise<void> {
      for (const resolve of waiting.splice(0)) resolve()
      await settled()
    },
    async subscribe(accountId = 'a', id = 1): Promise<TestPeer> {
      const made = testPeer(accountId, id)
      feed.add(made.peer, 'portfolio')
      await pass()
      return made
    },
    async change(quantity: string, accountId = 'a'): Promise<void> {
      quantities.set(accountId, quantity)
      feed.changed([accountId])
      await pass()
    },
  }
}
const story = ({ received }: TestPeer): string[] =>
  received.map(({ kind, seq, positions }) => `${kind} ${seq} ${positions.map(({ quantity }) => quantity).join()}`)

describe('a subscriber', () => {
  it('gets a snapshot, then changes only', async () => {
    const here = scene()
    const reader = await here.subscribe()
    expect(story(reader)).toEqual(['snapshot 1 1'])
    await here.pass(readEveryMs)
    await here.change('2')
    await here.pass(readEveryMs)
    await here.change('2')
    expect(story(reader)).toEqual(['snapshot 1 1', 'change 2 2'])
  })

  it('that comes later gets what is known, without another read, and its own numbers', async () => {
    const here = scene()
    const first = await here.subscribe('a', 1)
    await here.pass(readEveryMs)
    await here.change('2')
    const reads = here.reads.length
    const second = await here.subscribe('a', 2)
    expect(here.reads).toHaveLength(reads)
    await here.pass(readEveryMs)
    await here.change('3')
    expect(story(first)).toEqual(['snapshot 1 1', 'change 2 2', 'change 3 3'])
    expect(story(second)).toEqual(['snapshot 1 2', 'change 2 3'])
  })

  it('gets nothing of another account, and nothing once it is gone', async () => {
    const here = scene()
    const [one, other] = [await here.subscribe('a', 1), await here.subscribe('b', 2)]
    await here.pass(readEveryMs)
    await here.change('9', 'b')
    expect(story(one)).toEqual(['snapshot 1 1'])
    expect(story(other)).toEqual(['snapshot 1 1', 'change 2 9'])
    for (const { peer } of [one, other, other]) here.feed.remove(peer)
    await here.pass()
    expect([here.feed.size, here.feed.accounts, here.clock.pendingCount]).toEqual([0, [], 0])
  })

  it('gets a new snapshot when other positions are left out than before, and never a held one as removed', async () => {
    const held = Array.from({ length: positionsMax + 1 }, (_, i) => position(`o${i}`, '1', { updatedAt: i }))
    const here = scene({ portfolio: () => portfolioOf(held) })
    const reader = await here.subscribe()
    const shown = (seq: number): Set<string> =>
      new Set(
        reader.received.flatMap((data) => (data.seq === seq ? data.positions.map(({ outcomeId }) => outcomeId) : [])),
      )
    expect([shown(1).size, shown(1).has('o0')]).toEqual([positionsMax, false])
    held[0] = position('o0', '2', { updatedAt: positionsMax + 1 })
    here.feed.changed(['a'])
    await here.pass(renewAfterMs)
    expect([shown(2).size, shown(2).has('o0'), shown(2).has('o1')]).toEqual([positionsMax, true, false])
    expect(reader.received.every((data) => data.kind === 'snapshot' && data.truncated)).toBe(true)
    // One that is closed is removed, and another one is sent in its place.
    held.splice(0, 1)
    here.feed.changed(['a'])
    await here.pass(renewAfterMs)
    expect(shown(3)).toEqual(new Set(held.map(({ outcomeId }) => outcomeId)))
    expect(reader.received.at(-1)).toMatchObject({ kind: 'snapshot', truncated: false })
  })

  it('that is too slow gets a new snapshot when it reads again', async () => {
    const here = scene()
    const slow = await here.subscribe()
    slow.socket.takes = false
    for (let i = 0; i <= queueFramesMax; i++) {
      await here.pass(readEveryMs)
      await here.change(String(i + 2))
    }
    slow.socket.takes = true
    await here.pass(renewAfterMs)
    expect(slow.received).toMatchObject([
      { kind: 'snapshot', reason: 'subscribed' },
      { kind: 'snapshot', reason: 'behind', positions: [{ quantity: String(queueFramesMax + 2) }] },
    ])
  })
})

describe('an account', () => {
  it('is read once for all changes within 250 ms', async () => {
    const here = scene()
    await here.subscribe()
    for (let i = 0; i < 5; i++) await here.change(String(i))
    expect(here.reads).toHaveLength(1)
    await here.pass(readEveryMs)
    expect(here.reads.map(({ at }) => at)).toEqual([0, readEveryMs])
  })

  it('is not read twice at once: a change during a read leads to one more', async () => {
    const here = scene({ heldBack: true })
    const reader = await here.subscribe()
    await here.pass(100)
    await here.change('2')
    await here.change('3')
    expect(here.reads).toHaveLength(1)
    await here.answer()
    await here.pass(readEveryMs)
    expect(here.reads).toHaveLength(2)
    await here.answer()
    await here.pass()
    expect(here.reads).toHaveLength(2)
    expect(reader.received.at(-1)).toMatchObject({ positions: [{ quantity: '3' }] })
  })

  it('is read every 30 s without a change', async () => {
    const here = scene()
    await here.subscribe()
    await here.pass(refreshEveryMs * 2)
    expect(here.reads.map(({ at }) => at)).toEqual([0, refreshEveryMs, refreshEveryMs * 2])
  })

  it('is read again, later and later, when a read fails', async () => {
    const here = scene()
    here.fail(3)
    const reader = await here.subscribe()
    expect(reader.received).toEqual([])
    await here.change('5')
    expect(here.reads).toHaveLength(1)
    await here.pass(5_000)
    expect(here.reads).toHaveLength(4)
    expect(story(reader)).toEqual(['snapshot 1 5'])
  })

  it('that lost its last subscriber during a read is forgotten after it', async () => {
    const here = scene({ heldBack: true })
    const { peer } = await here.subscribe()
    here.feed.remove(peer)
    await here.answer()
    await here.pass()
    expect([here.feed.accounts, here.clock.pendingCount]).toEqual([[], 0])
  })
})

it('reads few accounts at once, and the others in turn', async () => {
  const here = scene({ heldBack: true })
  const ids = Array.from({ length: readsMax * 2 + 1 }, (_, i) => `account-${i}`)
  for (const [i, id] of ids.entries()) await here.subscribe(id, i)
  expect(here.reads.map(({ id }) => id)).toEqual(ids.slice(0, readsMax))
  await here.answer()
  await here.pass()
  expect(here.reads.map(({ id }) => id)).toEqual(ids.slice(0, readsMax * 2))
  await here.answer()
  await here.pass()
  expect(here.reads.map(({ id }) => id)).toEqual(ids)
})

it('reads nothing after its end, and waits for the reads that run', async () => {
  const here = scene({ heldBack: true })
  await here.subscribe()
  let hasEnded = false
  const ended = here.feed.stop().then(() => {
    hasEnded = true
  })
  await settled()
  expect(hasEnded).toBe(false)
  await here.answer()
  await ended
  here.feed.changed(['a'])
  await here.pass(refreshEveryMs)
  expect([here.reads.length, here.clock.pendingCount]).toEqual([1, 0])
})
