// Builds that arrive while others are being committed go together in the next statement: one commit for many rows, no waiting for company.
import { type Clock, systemClock } from '#lib/clock'
import { Fault } from '#lib/fault'
import type { Queryable } from '../pool.ts'
import type { ExecutionRow } from './executionRow.ts'
import { insertExecutions, type NewExecution } from './insertExecutions.ts'
import { judgeSpend } from './judgeSpend.ts'

export type InsertExecutionResult =
  | { kind: 'made'; row: ExecutionRow }
  /** The key was taken before; nothing was written. */
  | { kind: 'taken' }
  | { kind: 'spend_cap' }

interface Waiting {
  wanted: NewExecution
  since: number
  resolve(result: InsertExecutionResult): void
  reject(error: unknown): void
}

/** Of one statement. */
const rowsMax = 128
/** Beyond this the database is far behind: refused at once. */
const waitingMax = 4_096

export interface GroupInsertOptions {
  /** Who waited longer was told that it failed, and must not be written behind their back. */
  patienceMs: number
  clock?: Clock
}

export function createGroupInsert(
  db: Queryable,
  { patienceMs, clock = systemClock }: GroupInsertOptions,
): (wanted: NewExecution) => Promise<InsertExecutionResult> {
  let waiting: Waiting[] = []
  let busy = false

  /** A turn of the loop later, so that whoever else is read from the sockets in this turn comes along. */
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
    if (clock.now() - since < patienceMs) return true
    reject(overloaded(`waited longer than ${patienceMs} ms`))
    return false
  }

  return (wanted) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax) return reject(overloaded(`${waitingMax} builds are waiting`))
      waiting.push({ wanted, since: clock.now(), resolve, reject })
      schedule()
    })
}

const overloaded = (detail: string) =>
  new Fault('EXEC_UNAVAILABLE', 'storage is not available right now: try again shortly', {
    detail,
    retryAfterSeconds: 1,
  })

/** Never throws: everybody in the group is answered. */
async function write(db: Queryable, group: readonly Waiting[]): Promise<void> {
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
    // A failed statement wrote nothing.
    const capped = (error as { constraint?: unknown }).constraint === 'spend_cap'
    if (group.length === 1 && capped) group[0]!.resolve({ kind: 'spend_cap' })
    else if (group.length > 1 && capped) await writeWhatFits(db, group)
    else if (group.length > 1 && isOfOneRow(error)) await writeHalves(db, group)
    else for (const { reject } of group) reject(error)
  }
}

/** One account at its cap must not cost everybody else a statement for each of its builds. */
async function writeWhatFits(db: Queryable, group: readonly Waiting[]): Promise<void> {
  let verdicts: Awaited<ReturnType<typeof judgeSpend>>
  try {
    verdicts = await judgeSpend(
      db,
      group.map(({ wanted }) => wanted),
    )
  } catch (error) {
    for (const { reject } of group) reject(error)
    return
  }
  const { fits = [], perhaps = [], beyond = [] } = Object.groupBy(group, ({ wanted }) => verdicts.get(wanted.id)!)
  // Somebody else gave back or reserved meanwhile.
  if (fits.length === group.length) return writeHalves(db, group)
  for (const { resolve } of beyond) resolve({ kind: 'spend_cap' })
  await write(db, fits)
  await write(db, perhaps)
}

/** Whose fault it is comes out by halves. */
async function writeHalves(db: Queryable, group: readonly Waiting[]): Promise<void> {
  const half = group.length >> 1
  await write(db, group.slice(0, half))
  await write(db, group.slice(half))
}

/** SQLSTATE: 22 a value, 23 a constraint. */
const isOfOneRow = (error: unknown): boolean => /^2[23]/.test(String((error as { code?: unknown }).code))
