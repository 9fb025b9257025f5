// Builds that arrive while others are being committed share the next statement: one commit for many rows, and none waits for others to arrive.
import { type Clock, systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import type { Queryable } from '../pool.ts'
import { checkSpendLimit } from './checkSpendLimit.ts'
import type { ExecutionRow } from './executionRow.ts'
import { insertExecutions, type NewExecution } from './insertExecutions.ts'
import { releaseUnsentReservations } from './spendReservations.ts'

export type InsertExecutionResult =
  | { kind: 'made'; row: ExecutionRow }
  /** The key was already taken; nothing was written. */
  | { kind: 'taken' }
  | { kind: 'spend_cap' }

interface Waiting {
  wanted: NewExecution
  since: number
  resolve(result: InsertExecutionResult): void
  reject(error: unknown): void
}

/** Per statement. */
const rowsMax = 128
/** Beyond this the database is far behind: rejected immediately. */
const waitingMax = 4_096

export interface GroupInsertOptions {
  /** Callers that waited longer got an error, and their build must not be written after that. */
  patienceMs: number
  clock?: Clock
}

export function createGroupInsert(
  db: Queryable,
  { patienceMs, clock = systemClock }: GroupInsertOptions,
): (wanted: NewExecution) => Promise<InsertExecutionResult> {
  let waiting: Waiting[] = []
  let busy = false

  /** One turn of the event loop later, so that other requests read from sockets in this turn are included. */
  const schedule = (): void => {
    if (busy || waiting.length === 0) return
    busy = true
    setImmediate(async () => {
      const group = waiting.slice(0, rowsMax).filter(stillWanted)
      waiting = waiting.slice(rowsMax)
      await write(db, group)
      busy = false
      schedule()
    })
  }

  const stillWanted = ({ since, reject }: Waiting): boolean => {
    if (clock.monotonic() - since < patienceMs) return true
    reject(overloaded(`waited longer than ${patienceMs} ms`))
    return false
  }

  return (wanted) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax) return reject(overloaded(`${waitingMax} builds are waiting`))
      waiting.push({ wanted, since: clock.monotonic(), resolve, reject })
      schedule()
    })
}

const overloaded = (detail: string) =>
  new Fault('EXEC_UNAVAILABLE', 'PostgreSQL is too slow right now: try again shortly', {
    detail,
    retryAfterSeconds: 1,
  })

/** Never throws: every member of the group gets a result. */
async function write(db: Queryable, group: readonly Waiting[], tidied = false): Promise<void> {
  if (group.length === 0) return
  try {
    const made = await insertExecutions(
      db,
      group.map(({ wanted }) => wanted),
    )
    for (const { wanted, resolve } of group) {
      const row = made.get(wanted.id)
      resolve(row === undefined ? { kind: 'taken' } : { kind: 'made', row })
    }
  } catch (error) {
    await writeRefused(db, group, tidied, error).catch((reason: unknown) => {
      for (const { reject } of group) reject(reason)
    })
  }
}

/** A failed statement wrote nothing. Throws the error that every member of the group receives. */
async function writeRefused(db: Queryable, group: readonly Waiting[], tidied: boolean, error: unknown): Promise<void> {
  const capped = (error as { constraint?: unknown }).constraint === 'spend_cap'
  // A cap counts as full only after the reservations of unsent builds have been released.
  if (capped && !tidied && (await tidy(db, group))) return write(db, group, true)
  if (group.length === 1 && capped) return group[0]!.resolve({ kind: 'spend_cap' })
  if (group.length > 1 && capped) return writeWhatFits(db, group)
  if (group.length > 1 && isOfOneRow(error)) return writeHalves(db, group, tidied)
  throw error
}

/** True: reservations were released. */
const tidy = (db: Queryable, group: readonly Waiting[]): Promise<boolean> =>
  releaseUnsentReservations(db, [...new Set(group.map(({ wanted }) => wanted.accountId))], group.at(-1)!.wanted.at)

/** One account at its cap must not cost all others a statement per build. */
async function writeWhatFits(db: Queryable, group: readonly Waiting[]): Promise<void> {
  const verdicts = await checkSpendLimit(
    db,
    group.map(({ wanted }) => wanted),
  )
  const { fits = [], perhaps = [], beyond = [] } = Object.groupBy(group, ({ wanted }) => verdicts.get(wanted.id)!)
  // Reservations were released or made concurrently.
  if (fits.length === group.length) return writeHalves(db, group, true)
  for (const { resolve } of beyond) resolve({ kind: 'spend_cap' })
  await write(db, fits, true)
  await write(db, perhaps, true)
}

/** The offending row is found by bisection. */
async function writeHalves(db: Queryable, group: readonly Waiting[], tidied: boolean): Promise<void> {
  const half = group.length >> 1
  await write(db, group.slice(0, half), tidied)
  await write(db, group.slice(half), tidied)
}

/** SQLSTATE: 22 data exception, 23 constraint violation. */
const isOfOneRow = (error: unknown): boolean => /^2[23]/.test(String((error as { code?: unknown }).code))
