// One replay at a time: started, paused, resumed, restarted at another time.
import { useEffect, useRef, useState } from 'preact/hooks'
import { clockAt, inactive, nextReplay, type ReplayState } from './replay.ts'
import { pauseReplay, replay, resumeReplay } from './stream.ts'

export interface Wanted {
  venue: string
  outcomeId: string
  sinceMs: number
  untilMs: number
  speed: number
}

export interface Replay {
  state: ReplayState
  /** The tape time that is played, or would be next, epoch ms. */
  clock: number
  play(from: number): void
  pause(): void
  resume(): void
  /** While it plays it continues from there; otherwise it will start there. */
  seek(to: number): void
}

const tickMs = 250

export function useReplay({ venue, outcomeId, sinceMs, untilMs, speed }: Wanted): Replay {
  const [state, setState] = useState<ReplayState>(inactive)
  const [clock, setClock] = useState(sinceMs)
  const end = useRef<(() => void) | null>(null)
  const began = useRef({ at: sinceMs, wallMs: 0 })
  const { phase } = state

  const leave = (): void => {
    end.current?.()
    end.current = null
  }
  const play = (from: number): void => {
    leave()
    const since = Math.max(sinceMs, Math.min(from, untilMs))
    setClock(since)
    setState({ ...inactive, phase: 'loading' })
    const markets = [{ venue, marketId: outcomeId }]
    end.current = replay({ markets, since: Math.floor(since), until: Math.floor(untilMs), speed }, (frame) => {
      if (frame?.type === 'subscribed') began.current = { at: since, wallMs: performance.now() }
      setState((before) => nextReplay(before, frame))
      if (frame === null || frame.type === 'error' || frame.type === 'replayEnd') leave()
    })
  }

  useEffect(() => {
    if (phase === 'ended') setClock(untilMs)
    if (phase !== 'playing') return
    const timer = setInterval(
      () => setClock(clockAt(began.current, { nowMs: performance.now(), speed, untilMs })),
      tickMs,
    )
    return () => clearInterval(timer)
  }, [phase, speed, untilMs])

  // The request changed: a running replay is stopped, unless only the speed changed
  useEffect(() => {
    leave()
    setState(inactive)
    setClock(sinceMs)
    return leave
  }, [venue, outcomeId, sinceMs, untilMs])
  useEffect(() => {
    if (phase === 'playing' || phase === 'paused' || phase === 'loading') play(clock)
  }, [speed])

  return {
    state,
    clock,
    play,
    pause: pauseReplay,
    resume() {
      began.current = { at: clock, wallMs: performance.now() }
      resumeReplay()
    },
    seek(to) {
      if (phase === 'playing' || phase === 'loading') return play(to)
      leave()
      setState(inactive)
      setClock(to)
    },
  }
}
