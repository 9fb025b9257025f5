// `crossbook halt`, `crossbook resume` and `crossbook halts`: the operator's trading halts. A change is effective from the answer on, in
// every process of the deployment.
import { userInfo } from 'node:os'
import { systemClock } from '#core/clock'
import { type Lines, withRecords } from '#core/commandOutput'
import { Fault } from '#core/fault'
import { HaltReason } from '#schemas/halts'
import { canonicalVenue, executionVenues } from '#schemas/venues'
import { deleteHalt, type HaltCommand, type HaltRow, insertHalt, listHalts } from '#storage/postgres/halts/halts'
import type { Pool } from '#storage/postgres/pool'
import { accountNamed } from './accounts.ts'
import { factsOf, nothing, tableOf } from './table.ts'

export interface HaltWords {
  /** Alone: everywhere. With `venue`: there. */
  account?: string
  /** Alone: for all accounts. */
  venue?: string
  all?: boolean
  reason?: string
  /** Who did it; defaults to the user of this machine. */
  by?: string
}

/** `crossbook halt --account <name> | --venue <venue> | --all --reason <text>` */
export async function halt(pool: Pool, words: HaltWords): Promise<Lines> {
  const { word, name } = await wordOf(pool, words)
  if (await insertHalt(pool, word)) return factsOf({ halted: name, reason: word.reason, by: word.setByName })
  return withRecords([`${name} is already halted: see crossbook halts`], [{ halted: name, already: true }])
}

/** `crossbook resume …`: lifts what an operator has set. An account's own halt can only be lifted by the account. */
export async function resume(pool: Pool, words: HaltWords): Promise<Lines> {
  const { word, name } = await wordOf(pool, words)
  const lifted = await deleteHalt(pool, word)
  const left = (await listHalts(pool, word.accountId)).filter((row) => stillStops(row, word))
  const lines = [
    ...(lifted
      ? factsOf({ resumed: name, reason: word.reason, by: word.setByName })
      : [`${name} is not halted by an operator: see crossbook halts`]),
    ...left.map((row) => `still halted: ${nameOf(row)}, by ${row.set_by === 'operator' ? 'an operator' : 'itself'}`),
  ]
  return withRecords(lines, [{ resumed: lifted ? name : null, stillHalted: left.map(recordOf) }])
}

/** `crossbook halts`: what is halted now, oldest first. */
export async function halts(pool: Pool): Promise<Lines> {
  const rows = await listHalts(pool, null)
  if (rows.length === 0) return nothing('nothing is halted')
  const table = [
    ['ACCOUNT', 'VENUE', 'SET BY', 'SINCE', 'REASON'],
    ...rows.map((row) => [row.account ?? 'all', row.venue ?? 'all', row.set_by, row.since.toISOString(), row.reason]),
  ]
  return tableOf(table, rows.map(recordOf))
}

async function wordOf(pool: Pool, words: HaltWords): Promise<{ word: HaltCommand; name: string }> {
  const { account, all } = words
  const named = account !== undefined || words.venue !== undefined
  if (named === (all === true))
    throw new Fault('VALIDATION_ERROR', 'choose --account <name>, --venue <venue>, both, or --all')
  const venue = words.venue === undefined ? null : venueNamed(words.venue)
  const reason = HaltReason.safeParse(words.reason ?? '')
  if (!reason.success)
    throw new Fault('VALIDATION_ERROR', 'a reason of one line, at most 300 characters, is required: callers see it')
  const operator = (words.by ?? userInfo().username).trim().slice(0, 200)
  if (operator === '') throw new Fault('VALIDATION_ERROR', '--by <name> is required')
  const accountId = account === undefined ? null : (await accountNamed(pool, account)).id
  const word = {
    accountId,
    venue,
    setBy: 'operator',
    setByName: operator,
    reason: reason.data,
    at: new Date(systemClock.now()),
  } as const
  return { word, name: nameOf({ account: account ?? null, venue }) }
}

/** Throws Fault `VENUE_NOT_SUPPORTED`, listing the valid ones. */
export function venueNamed(name: string): string {
  const venue = canonicalVenue(name)
  if (!(executionVenues as readonly string[]).includes(venue))
    throw new Fault('VENUE_NOT_SUPPORTED', `no execution venue ${venue}: ${executionVenues.join(', ')}`)
  return venue
}

/** Whether a remaining halt of the account, or of all accounts, overlaps what was resumed. */
const stillStops = (row: HaltRow, { accountId, venue }: HaltCommand): boolean =>
  (accountId !== null || row.account_id === null) && (venue === null || row.venue === null || row.venue === venue)

type Listed = Awaited<ReturnType<typeof listHalts>>[number]

/** Null: all. */
const recordOf = ({ account, venue, set_by, since, reason }: Listed): object => ({
  account,
  venue,
  setBy: set_by,
  since,
  reason,
})

const nameOf = ({ account, venue }: { account: string | null; venue: string | null }): string =>
  `${account === null ? 'all accounts' : `account ${account}`} at ${venue ?? 'all venues'}`
