// After the process was suspended or starved of CPU, its sockets hold everything that arrived meanwhile.
import type { Clock } from '#lib/clock'

/**
 * `run`, to be called every `everyMs`: when it was not called in time, it is we who slept, and what waits in the sockets is read before anybody
 * says that a venue was silent.
 */
export function afterSleep(
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
