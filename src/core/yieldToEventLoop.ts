// Long lists in several turns of the event loop, so that the thread can do other work between them.
import { setImmediate } from 'node:timers/promises'

/** Visits every item in order, `perTurn` of them in one go. Rejects with what `visit` throws. */
export async function forEachYielding<T>(
  items: readonly T[],
  perTurn: number,
  visit: (item: T) => void,
): Promise<void> {
  for (let i = 0; i < items.length; i++) {
    if (i > 0 && i % perTurn === 0) await setImmediate()
    visit(items[i]!)
  }
}
