// Records where the loss of a new day is counted from, within a minute after it began (UTC), for accounts with a limit of it. Where no such
// process runs at that time, the account's first order of the day does.

import { readDayLoss } from './dayLoss.ts'
import type { RiskDeps } from './ports.ts'

const everyMs = 60_000

export function startRiskDays(deps: RiskDeps): { stop(): Promise<void> } {
  const { clock, log } = deps
  let isStopped = false
  let running: Promise<void> | null = null
  let day: string | null = null

  async function record(): Promise<void> {
    const at = new Date(clock.now())
    for (const accountId of await deps.store.findUnstartedDays(at)) {
      if (isStopped) return
      try {
        await readDayLoss(deps, accountId, await deps.portfolio.read(accountId))
      } catch (error) {
        log.warn({ accountId, err: error }, 'the beginning of a day was not recorded for a limit of the daily loss')
      }
    }
    const today = at.toISOString().slice(0, 10)
    if (day === today) return
    await deps.store.pruneDayStarts(at)
    day = today
  }

  const timer = clock.every(everyMs, () => {
    running ??= record()
      .catch((error: unknown) => log.warn({ err: error }, 'limits of the daily loss could not be read'))
      .finally(() => {
        running = null
      })
  })
  return {
    async stop() {
      isStopped = true
      timer.cancel()
      await running
    },
  }
}
