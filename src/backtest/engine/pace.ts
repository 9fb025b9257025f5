// How fast a backtest runs next to the clock on the wall.

/** Tape milliseconds per real one; `asap`: without waiting. */
export type Pace = 'asap' | number

export function readPace(text: string): Pace {
  if (text === 'asap') return 'asap'
  const match = /^(\d+(?:\.\d+)?)x$/.exec(text)
  const speed = match === null ? Number.NaN : Number(match[1])
  if (!(speed > 0)) throw new Error('--pace takes asap, or a speed such as 1x or 10x')
  return speed
}

/** Real milliseconds until a time of the tape. */
export function waiter(
  pace: Pace,
  sinceMs: number,
  now: () => number = () => performance.now(),
): (at: number) => number {
  if (pace === 'asap') return () => 0
  const origin = now()
  return (at) => (at - sinceMs) / pace - (now() - origin)
}
