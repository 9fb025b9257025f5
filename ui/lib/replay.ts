// The state of a replay from the tape, updated frame by frame. Pure.
import type { CoverageGap } from '#schemas/history'
import type { Level } from '#schemas/marketData'
import type { Frame } from './frame.ts'

export interface ReplayedTrade {
  id: string
  timestamp: number
  side: 'Buy' | 'Sell' | 'Unknown'
  price: number | null
  size: number
}

export interface ReplayState {
  /** `loading`: not acknowledged yet. */
  phase: 'idle' | 'loading' | 'playing' | 'paused' | 'ended' | 'failed'
  book: { bids: readonly Level[]; asks: readonly Level[]; timestamp: number } | null
  /** Newest first. */
  trades: readonly ReplayedTrade[]
  gaps: readonly CoverageGap[]
  frames: number
  /** Time of the last frame, epoch ms. */
  at: number | null
  /** Why it `failed`. */
  reason: string | null
}

export const inactive: ReplayState = {
  phase: 'idle',
  book: null,
  trades: [],
  gaps: [],
  frames: 0,
  at: null,
  reason: null,
}

const keptMax = 20
const lost = 'the connection to the stream is lost; play goes on from here'

export function nextReplay(state: ReplayState, frame: Frame | null): ReplayState {
  if (frame === null) return { ...state, phase: 'failed', reason: lost }
  if (frame.type === 'error') return { ...state, phase: 'failed', reason: frame.message }
  // Frames before the acknowledgement belong to a run that was left.
  if (frame.type === 'subscribed') return { ...inactive, phase: 'playing' }
  if (!('replay' in frame) || state.phase === 'loading') return state
  switch (frame.type) {
    case 'replayPaused':
      return { ...state, phase: 'paused' }
    case 'replayResumed':
      return { ...state, phase: 'playing' }
    case 'replayEnd':
      return { ...state, phase: 'ended' }
    case 'replayGap':
      return { ...state, gaps: [frame.data, ...state.gaps].slice(0, keptMax) }
    case 'trade': {
      const { id, timestamp, type, price, shares } = frame.data
      const trade = { id, timestamp, side: type, price, size: shares }
      const trades = [trade, ...state.trades].slice(0, keptMax)
      return { ...state, trades, frames: state.frames + 1, at: timestamp }
    }
    default: {
      const { bids, asks, timestamp } = frame.data
      return { ...state, book: { bids, asks, timestamp }, frames: state.frames + 1, at: timestamp }
    }
  }
}

/** The tape time being played: the speed counts from the start of the run. */
export const clockAt = (
  began: { at: number; wallMs: number },
  { nowMs, speed, untilMs }: { nowMs: number; speed: number; untilMs: number },
): number => Math.min(untilMs, began.at + Math.max(0, nowMs - began.wallMs) * speed)

const two = (value: number): string => String(value).padStart(2, '0')

/** In the format of `<input type="datetime-local">`, in the reader's own time zone. */
export function localMoment(ms: number): string {
  const at = new Date(ms)
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}
