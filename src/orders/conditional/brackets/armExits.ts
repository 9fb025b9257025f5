// Builds and arms the exits of a bracket whose entry has ended. Every step has an idempotency key of the bracket: repeated after a crash, or by
// another process, it leads to the same executions and the same orders.
import { backoffMs } from '#core/backoff'
import { Fault } from '#core/fault'
import { isFinal, wordsOf } from '#core/refusals'
import type { BracketRow } from '#storage/postgres/brackets/bracketRow'
import type { ArmedExits } from '#storage/postgres/brackets/dueBrackets'
import { armConditional } from '../arm.ts'
import type { Caller } from '../ports.ts'
import { checkTerms, Exit, type ExitName, exitNames, triggerOf } from './exits.ts'
import type { BracketDeps, Entry } from './ports.ts'

const attemptsMax = 20
const pause = { baseMs: 500, capMs: 60_000 }

export interface ArmOptions {
  /** Whether the deployment refuses to serve that country. Throws a passing refusal if that is not known here. */
  blocks(country: string): boolean
  signal: AbortSignal
}

export type ArmResult = 'armed' | 'failed' | 'postponed' | 'lost'

export async function armExits(deps: BracketDeps, row: BracketRow, options: ArmOptions): Promise<ArmResult> {
  const { store, conditional } = deps
  const lease = { id: row.id, epoch: row.lease_epoch }
  const armed: ArmedExits = { takeProfitId: row.take_profit_id, stopLossId: row.stop_loss_id }
  try {
    const caller = callerOf(row, options)
    // All are built before one is armed: most refusals come with the build.
    const built: { name: ExitName; exit: Exit; executionId: string }[] = []
    const entry = await deps.builds.entry(row.account_id, row.entry_id)
    for (const name of exitNames) {
      const exit = exitOf(row, name)
      if (exit !== null) built.push({ name, exit, executionId: await build(deps, caller, { row, entry, name, exit }) })
    }
    for (const { name, exit, executionId } of built) {
      const hasOther = armed.takeProfitId !== null || armed.stopLossId !== null
      const id = await arm(deps, caller, { row, name, exit, executionId, hasOther })
      if (name === 'takeProfit') armed.takeProfitId = id ?? armed.takeProfitId
      else armed.stopLossId = id ?? armed.stopLossId
    }
  } catch (error) {
    const at = new Date(conditional.clock.now())
    const words = wordsOf(error)
    if (isFinal(error) || row.attempts >= attemptsMax)
      return (await store.finish(lease, { ...armed, error: words, at })) ? 'failed' : 'lost'
    const delayMs = backoffMs(row.attempts, pause, Math.random)
    return (await store.postpone(lease, { ...armed, error: words, delayMs, at })) ? 'postponed' : 'lost'
  }
  const at = new Date(conditional.clock.now())
  return (await store.finish(lease, { ...armed, error: null, at })) ? 'armed' : 'lost'
}

/** As the account that created it, from the country it had then. */
function callerOf({ account_id, key_id, arm_country: country }: BracketRow, { blocks, signal }: ArmOptions): Caller {
  return { accountId: account_id, keyId: key_id, country, isBlocked: country !== null && blocks(country), signal }
}

function exitOf(row: BracketRow, name: ExitName): Exit | null {
  const stored = name === 'takeProfit' ? row.take_profit : row.stop_loss
  return stored === null ? null : Exit.parse(stored)
}

/** No header contains a line break, so no caller's own key equals it. */
const keyOf = ({ id }: BracketRow, name: ExitName): string => `bracket\n${id}\n${name}`

interface BuiltExit {
  row: BracketRow
  name: ExitName
  exit: Exit
  executionId: string
  /** The other exit is armed. */
  hasOther: boolean
}

/** Null: the other exit has fired, so this one is not armed. */
async function arm(
  { conditional }: BracketDeps,
  caller: Caller,
  { row, name, exit, executionId, hasOther }: BuiltExit,
): Promise<string | null> {
  const body = {
    executionId,
    trigger: triggerOf(name, exit),
    fireMode: 'client' as const,
    expiresAt: row.expires_at.toISOString(),
    ocoGroupId: row.oco_group_id,
  }
  try {
    const { row: order } = await armConditional(conditional, caller, keyOf(row, name), body)
    return order.id
  } catch (error) {
    if (hasOther && error instanceof Fault && error.code === 'OCO_GROUP_CLOSED') return null
    throw error
  }
}

interface WantedExit {
  row: BracketRow
  entry: Entry
  name: ExitName
  exit: Exit
}

async function build({ builds }: BracketDeps, caller: Caller, { row, entry, name, exit }: WantedExit): Promise<string> {
  const size = row.filled_size!
  const { id, terms } = await builds.build(caller, row.venue, keyOf(row, name), { build: exit.build, size })
  // Rounded up by the venue's own rules, it would sell more than was filled.
  checkTerms(name, entry, terms, size)
  return id
}
