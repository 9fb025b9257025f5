// Records where the loss of a new day is counted from, within a minute after it began (UTC), for accounts with a limit of it. Where no such
// process runs at that time, the account's first order of the day does. An account is read until every venue it had entries at has its
// figure, each time later.
import { backoffMs } from '#core/backoff'
import { readDayLoss } from './dayLoss.ts'
import type { RiskDeps } from './ports.ts'

const everyMs = 60_000
/** Before an account is read again that a figure is missing of. */
const retry = { baseMs: 120_000, capMs: 1_800_000 }

interface Day {
  /** `2026-11-30` */
  name: string
  /** By account: when it is read again, on the monotonic clock; infinite: it has all its figures. */
  accounts: Map<string, { failures: number; dueAt: number }>
}

export function startRiskDays(deps: RiskDeps): { stop(): Promise<void> } {
  const { clock, log } = deps
  let isStopped = false
  let running: Promise<void> | null = null
  let day: Day = { name: '', accounts: new Map() }
  /** Its name. */
  let pruned = ''

  async function record(): Promise<void> {
    const at = new Date(clock.now())
    const name = at.toISOString().slice(0, 10)
    if (day.name !== name) day = { name, accounts: new Map() }
    const { accounts } = day
    for (const accountId of await deps.store.findDailyLossAccounts()) {
      if (isStopped) return
      const known = accounts.get(accountId) ?? { failures: 0, dueAt: 0 }
      if (known.dueAt > clock.monotonic()) continue
      const isComplete = await start(accountId)
      accounts.set(accountId, {
        failures: known.failures + 1,
        dueAt: isComplete
          ? Number.POSITIVE_INFINITY
          : clock.monotonic() + backoffMs(known.failures, retry, Math.random),
      })
    }
    if (pruned === name) return
    await deps.store.pruneDayStarts(at)
    pruned = name
  }

  /** False: a figure is missing. */
  async function start(accountId: string): Promise<boolean> {
    try {
      const { unstarted } = await readDayLoss(deps, accountId, await deps.portfolio.read(accountId))
      return unstarted.length === 0
    } catch (error) {
      log.warn({ accountId, err: error }, 'the beginning of a day was not recorded for a limit of the daily loss')
      return false
    }
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
