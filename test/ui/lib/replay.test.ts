import { describe, expect, it } from 'vitest'
import type { Frame } from '../../../ui/lib/frame.ts'
import { clockAt, inactive, localMoment, nextReplay, type ReplayState } from '../../../ui/lib/replay.ts'

const of = { venue: 'kalshi', marketId: 'M', ts: 0, replay: true } as const
const book = (timestamp: number): Frame => ({
  ...of,
  type: 'update',
  sequence: 1,
  data: { bids: [{ price: 0.4, size: 1 }], asks: [], timestamp },
})
const trade = (timestamp: number): Frame => ({
  ...of,
  type: 'trade',
  data: {
    id: `t${timestamp}`,
    time: new Date(timestamp).toISOString(),
    timestamp,
    type: 'Buy',
    usd: null,
    outcome: null,
    outcomeIndex: null,
    shares: 3,
    price: 0.4,
    maker: null,
    transactionHash: null,
    wallet: null,
    counterparty: null,
  },
})
const state = (type: 'replayPaused' | 'replayResumed' | 'replayEnd'): Frame => ({
  ...of,
  type,
  data: { frames: 1, at: 5 },
})
const requested: ReplayState = { ...inactive, phase: 'loading' }
const acknowledged: Frame = { type: 'subscribed', channel: 'replay' }
const run = (from: ReplayState, ...frames: (Frame | null)[]): ReplayState => frames.reduce(nextReplay, from)

describe('a replay', () => {
  it('ignores frames of an earlier run, and starts empty when its own is acknowledged', () => {
    expect(run(requested, book(1), trade(2), state('replayEnd'))).toEqual(requested)
    expect(run(requested, book(1), acknowledged)).toEqual({ ...inactive, phase: 'playing' })
    expect(run(inactive, acknowledged, book(1), acknowledged)).toEqual({ ...inactive, phase: 'playing' })
  })

  it('has the last book, the trades with the newest first, and counts both', () => {
    const shown = run(requested, acknowledged, book(1), trade(2), trade(3), book(4))
    expect(shown).toMatchObject({ frames: 4, at: 4, book: { timestamp: 4 } })
    expect(shown.trades.map(({ id }) => id)).toEqual(['t3', 't2'])
  })

  it('keeps its data while paused, at its end, and when it fails, with the reason', () => {
    const playing = run(requested, acknowledged, book(1))
    expect(run(playing, state('replayPaused'))).toEqual({ ...playing, phase: 'paused' })
    expect(run(playing, state('replayPaused'), state('replayResumed'))).toEqual(playing)
    expect(run(playing, state('replayEnd'))).toEqual({ ...playing, phase: 'ended' })
    expect(run(playing, { type: 'error', code: 'HISTORY_UNAVAILABLE', message: 'away', ts: 0 })).toMatchObject({
      phase: 'failed',
      reason: 'away',
      at: 1,
    })
    expect(run(playing, null)).toMatchObject({ phase: 'failed', book: { timestamp: 1 } })
  })

  it('keeps no more trades and gaps than it shows', () => {
    const many = Array.from({ length: 500 }, (_, i) => trade(i))
    expect(run(requested, acknowledged, ...many).trades).toHaveLength(20)
    const gap: Frame = { ...of, type: 'replayGap', at: 0, data: { kind: 'gap', from: null, to: null, reason: null } }
    expect(run(requested, acknowledged, ...Array<Frame>(50).fill(gap)).gaps).toHaveLength(20)
  })

  it('advances at its speed from where it began, and not past the end', () => {
    const began = { at: 1_000, wallMs: 50 }
    expect(clockAt(began, { nowMs: 150, speed: 10, untilMs: 9_000 })).toBe(2_000)
    expect(clockAt(began, { nowMs: 150, speed: 1_000, untilMs: 9_000 })).toBe(9_000)
    expect(clockAt(began, { nowMs: 0, speed: 1, untilMs: 9_000 })).toBe(1_000)
  })

  it('writes a time so that the browser parses the same', () => {
    const at = Date.parse('2026-11-03T04:05:06Z')
    expect(Date.parse(localMoment(at))).toBe(at)
  })
})
