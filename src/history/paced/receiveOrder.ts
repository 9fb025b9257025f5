// The tape pages by event time; a replay emits in order of receipt, because a trade was unknown before it was received.
import type { Window } from './window.ts'

/** Maximum delay between an event and its receipt. Events received even later are not replayed. */
const latenessMs = 15 * 60_000

interface Timed {
  ts: number
  recvTs: number
}

/** The window of event times to read for a window of receipt times. */
export const eventWindow = ({ sinceMs, untilMs }: Window): Window => ({ sinceMs: sinceMs - latenessMs, untilMs })

/**
 * Reorders lines from event time to receipt time, with `at`, their time of receipt; lines received outside `window` are dropped. `heldMax`:
 * lines that may wait for later ones. Beyond that the earliest are emitted early, and the `at` of an earlier line that follows is raised to
 * theirs.
 */
export async function* byReceivedAt<Line extends Timed, Emitted>(
  pages: AsyncIterable<readonly Line[]>,
  { sinceMs, untilMs }: Window,
  heldMax: number,
  toFrame: (line: Line, at: number) => Emitted,
): AsyncGenerator<Emitted[]> {
  let held: Line[] = []
  let emittedAt = sinceMs
  const emit = (line: Line): Emitted => {
    emittedAt = Math.max(emittedAt, line.recvTs)
    return toFrame(line, emittedAt)
  }
  for await (const page of pages) {
    const horizon = page.at(-1)!.ts
    held = [...held, ...page.filter(({ recvTs }) => recvTs >= sinceMs && recvTs <= untilMs)]
    held.sort((a, b) => a.recvTs - b.recvTs)
    // Later lines were not received before their event time.
    const open = held.findIndex(({ recvTs }) => recvTs > horizon)
    const ready = Math.max(open === -1 ? held.length : open, held.length - heldMax)
    const out = held.slice(0, ready)
    held = held.slice(ready)
    if (out.length > 0) yield out.map(emit)
  }
  if (held.length > 0) yield held.map(emit)
}
