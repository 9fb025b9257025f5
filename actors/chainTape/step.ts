// When a chain is read next, and how many blocks at once. Reads never overlap.
import { backoffMs } from '#core/backoff'

export type ChainTapeMessage =
  | { kind: 'start' }
  | { kind: 'due' }
  /** The stored position is loaded. */
  | { kind: 'ready' }
  | { kind: 'done'; result: 'atHead' | 'more' | 'waiting' | 'behind' | 'doubt' }
  /** `isRefusal`: the node itself refused the range. */
  | { kind: 'failed'; isRefusal: boolean }

export type ChainTapeEffect = { kind: 'prepare' } | { kind: 'scan'; span: number } | { kind: 'dueIn'; delayMs: number }

export interface ChainTapeState {
  isReady: boolean
  isRunning: boolean
  span: number
  failures: number
}

export interface ChainTapePace {
  blockMs: number
  random(): number
}

export const spanMax = 2_000
const spanAtFirst = 256
/** Minimum interval, however fast the chain's blocks come. */
const leastMs = 3_000
const backoff = { baseMs: 2_000, capMs: 60_000 }

export const initialChainTapeState = (): ChainTapeState => ({
  isReady: false,
  isRunning: false,
  span: spanAtFirst,
  failures: 0,
})

export function stepChainTape(
  pace: ChainTapePace,
  state: ChainTapeState,
  message: ChainTapeMessage,
): ChainTapeEffect[] {
  switch (message.kind) {
    case 'start':
    case 'due':
      if (state.isRunning) return []
      state.isRunning = true
      return state.isReady ? [{ kind: 'scan', span: state.span }] : [{ kind: 'prepare' }]
    case 'ready':
      state.isReady = true
      state.failures = 0
      return [{ kind: 'scan', span: state.span }]
    case 'done': {
      state.isRunning = false
      // A node that is behind now and then is one of several; one that stays behind gets requests less and less often.
      state.failures = message.result === 'behind' ? state.failures + 1 : 0
      if (message.result === 'more' || message.result === 'atHead') state.span = Math.min(spanMax, state.span * 2)
      const restMs = Math.max(leastMs, pace.blockMs)
      if (message.result === 'more') return [{ kind: 'dueIn', delayMs: 0 }]
      return [{ kind: 'dueIn', delayMs: Math.max(restMs, state.failures > 1 ? waitMs(pace, state) : 0) }]
    }
    case 'failed': {
      state.isRunning = false
      state.failures++
      const canBeLess = message.isRefusal && state.span > 1
      state.span = Math.max(1, Math.floor(state.span / 2))
      return [{ kind: 'dueIn', delayMs: canBeLess ? leastMs : waitMs(pace, state) }]
    }
  }
}

const waitMs = ({ random }: ChainTapePace, { failures }: ChainTapeState): number => backoffMs(failures, backoff, random)
