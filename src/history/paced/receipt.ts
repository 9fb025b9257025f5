// The tape pages by event time; a replay tells things in the order in which they were received, since nobody knew of a trade before that.
import type { Window } from './sources.ts'

/** How long before a window an event may lie that was received within it. One received even later is not replayed. */
const latenessMs = 15 * 60_000

interface Timed {
  ts: number
  recvTs: number
}

/** The window of event times to read for a window of receipt. */
export const eventWindow = ({ sinceMs, untilMs }: Window): Window => ({ sinceMs: sinceMs - latenessMs, untilMs })

/**
 * Lines by event time in the order of receipt, with `at`, their time of receipt; those received outside of `window` are left out. `heldMax`:
 * lines that may wait for later ones. Where more would have to, the first of them go ahead, and the `at` of an earlier line that follows is
 * raised to theirs.
 */
export async function* byReceipt<Line extends Timed, Told>(
  pages: AsyncIterable<readonly Line[]>,
  { sinceMs, untilMs }: Window,
  heldMax: number,
  tell: (line: Line, at: number) => Told,
): AsyncGenerator<Told[]> {
  let held: Line[] = []
  let toldAt = sinceMs
  const told = (line: Line): Told => {
    toldAt = Math.max(toldAt, line.recvTs)
    return tell(line, toldAt)
  }
  for await (const page of pages) {
    const horizon = page.at(-1)!.ts
    held = [...held, ...page.filter(({ recvTs }) => recvTs >= sinceMs && recvTs <= untilMs)]
    held.sort((a, b) => a.recvTs - b.recvTs)
    // Nothing that is yet to come was received before it happened.
    const open = held.findIndex(({ recvTs }) => recvTs > horizon)
    const ready = Math.max(open === -1 ? held.length : open, held.length - heldMax)
    const out = held.slice(0, ready)
    held = held.slice(ready)
    if (out.length > 0) yield out.map(told)
  }
  if (held.length > 0) yield held.map(told)
}
