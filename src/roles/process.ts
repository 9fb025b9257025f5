// The program's duties to its terminal: one ready line, an exit within ten seconds of a signal, no child left behind.
import { systemClock } from '#core/clock'
import type { Log } from '#core/log'

/** After this the process exits whatever still waits; the stores survive it. */
const exitWithinMs = 9_500

const lookForParentMs = 500

/** `withParent`: also exits when the process that started it is gone, in case no signal was forwarded. */
export function stopOnSignals(
  stop: () => Promise<void>,
  log: Log,
  { withParent, withinMs = exitWithinMs }: { withParent: boolean; withinMs?: number },
): void {
  let stopping = false
  const parent = process.ppid
  const leave = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(130)
    stopping = true
    log.info({ signal }, 'stopping')
    systemClock.after(withinMs, () => {
      log.error('shutdown timed out')
      process.exit(1)
    })
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', leave)
  process.on('SIGTERM', leave)
  // A terminal that is closed.
  process.on('SIGHUP', leave)
  if (!withParent) return
  const look = systemClock.every(lookForParentMs, () => {
    if (process.ppid === parent) return
    look.cancel()
    leave('SIGHUP')
  })
}

export const printReady = (facts: Record<string, unknown>): void => {
  process.stdout.write(`crossbook ready ${JSON.stringify(facts)}\n`)
}

export const streamUrl = (url: string): string => `${url.replace(/^http/, 'ws')}/v1/stream`
