// After the process was suspended or starved of CPU, its sockets hold everything that arrived meanwhile.
import type { Clock } from '#core/clock'

/**
 * Wraps `run`, which is called every `everyMs`: if the call was late, this process slept, and the sockets are read before any venue counts
 * as silent.
 */
export function onResume(
  { clock, defer, everyMs }: { clock: Clock; defer(run: () => void): unknown; everyMs: number },
  run: () => void,
): () => void {
  let calledAt = clock.monotonic()
  let isWaking = false
  return () => {
    const now = clock.monotonic()
    const hasSlept = now - calledAt >= 3 * everyMs
    calledAt = now
    if (isWaking) return
    if (!hasSlept) return run()
    isWaking = true
    defer(() => {
      isWaking = false
      run()
    })
  }
}
