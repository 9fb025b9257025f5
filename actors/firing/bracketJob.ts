// Arms the exits of brackets whose entry has ended, and ends brackets that have expired. Every compute process looks, and skips rows that another
// one has locked or leased.
import type { Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { ArmResult } from '#orders/conditional/index'
import type { BracketRow } from '#storage/postgres/brackets/bracketRow'
import type { BracketStore } from '#storage/postgres/brackets/store'
import type { DatabaseClock } from '#storage/postgres/databaseClock'

const lookEveryMs = 1_000
/** At once; a look that fills it continues at once. */
const bracketsPerLook = 20
/** Building and arming takes seconds at most; a process that dies is succeeded after this. */
const leaseMs = 30_000

export interface BracketJobOptions {
  store: Pick<BracketStore, 'takeDue' | 'expire'>
  /** Builds and arms the exits of one. */
  arm(row: BracketRow): Promise<ArmResult>
  /** The clock shared by all processes. */
  clock: DatabaseClock
  log: Log
}

export function startBracketJob({ store, arm, clock, log }: BracketJobOptions): { stop(): Promise<void> } {
  let stopping = false
  let timer: Timer | null = null
  let looking: Promise<void> = Promise.resolve()

  const armOne = async (row: BracketRow): Promise<void> => {
    try {
      const result = await arm(row)
      if (result === 'failed') log.warn({ bracket: row.id }, 'failed to arm the exits of a bracket')
    } catch (error) {
      // Its lease ends, and it is tried again.
      log.warn({ err: error, bracket: row.id }, 'failed to record what became of a bracket')
    }
  }
  const look = async (): Promise<void> => {
    await clock.align()
    const at = new Date(clock.now())
    let taken = bracketsPerLook
    while (taken === bracketsPerLook && !stopping) {
      const rows = await store.takeDue({ limit: bracketsPerLook, leaseMs, at })
      await Promise.all(rows.map(armOne))
      taken = rows.length
    }
    let expired = bracketsPerLook
    while (expired === bracketsPerLook && !stopping) expired = await store.expire({ limit: bracketsPerLook, at })
  }
  const begin = (): void => {
    looking = look()
      .catch((error: unknown) => log.warn({ err: error }, 'failed to look for brackets whose entry has ended'))
      .then(() => {
        if (!stopping) timer = clock.after(lookEveryMs, begin)
      })
  }
  begin()
  return {
    async stop() {
      stopping = true
      timer?.cancel()
      await looking
    },
  }
}
