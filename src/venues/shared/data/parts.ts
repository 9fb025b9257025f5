// Processes long lists in parts, so that the shared thread is not blocked.
import { setImmediate } from 'node:timers/promises'

const partRowsMax = 500

/** Between the parts the thread does other work. An empty list is one part. */
export async function* inParts(rows: readonly unknown[]): AsyncGenerator<unknown[]> {
  for (let from = 0; from === 0 || from < rows.length; from += partRowsMax) {
    if (from > 0) await setImmediate()
    yield rows.slice(from, from + partRowsMax)
  }
}
