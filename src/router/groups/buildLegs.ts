// The executions of a plan's legs: previews, or builds that are stored, each under a key of its own. A repeated request finds those that were built.
import { Fault } from '#core/fault'
import { buildOrder } from '#orders/executions/build'
import { type ItemAnswer, itemKey, runItems } from '#orders/executions/bulk/runItems'
import { discardExecution } from '#orders/executions/discard'
import { laneOf } from '#orders/executions/findLane'
import type { Caller } from '#orders/executions/ports'
import { answerOf } from '#orders/executions/routes/buildExecution'
import type { FieldsOfVenues } from '#schemas/batch'
import type { Execution, JsonObject } from '#schemas/executions'
import type { RouterLegRow } from '#storage/postgres/router/groupRow'
import type { NewLeg, StoredGroup } from '#storage/postgres/router/store'
import { buildBodyOf, checkBuildBody, isImmediate } from '../buildBody.ts'
import { averageOf, contracts, dollars, type PlannedLeg, price } from '../planned.ts'
import type { RouterDeps } from '../ports.ts'

export interface BuiltLeg {
  data: Execution & JsonObject
  warnings?: string[]
}
export type LegAnswer = ItemAnswer<BuiltLeg>

/** How items run: `runItems`. */
export type RunOptions = Parameters<typeof runItems>[2]

const givenFor = (accounts: FieldsOfVenues | undefined, venue: string): Readonly<Record<string, unknown>> =>
  (accounts as Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined)?.[venue] ?? {}

/** A leg as it is kept. Throws VALIDATION_ERROR if its venue would not take the body, VENUE_NOT_SUPPORTED without a lane. */
export function newLegOf(
  deps: Pick<RouterDeps, 'executions'>,
  caller: Caller,
  leg: PlannedLeg,
  accounts: FieldsOfVenues | undefined,
): NewLeg {
  const { venue } = leg.outcome
  const { lane } = laneOf(deps.executions, venue, caller.accountId)
  const build = buildBodyOf(lane, leg, givenFor(accounts, venue))
  try {
    checkBuildBody(lane, build)
  } catch (error) {
    if (error instanceof Fault) throw new Fault(error.code, `accounts.${venue}: ${error.message}`, { exchange: venue })
    throw error
  }
  return rowOf(leg, build, isImmediate(lane))
}

/** A leg that is not kept; without a lane its body is empty. */
export function previewLegOf(
  deps: Pick<RouterDeps, 'executions'>,
  caller: Caller,
  leg: PlannedLeg,
  accounts: FieldsOfVenues | undefined,
): NewLeg {
  try {
    const { lane } = laneOf(deps.executions, leg.outcome.venue, caller.accountId)
    return rowOf(leg, buildBodyOf(lane, leg, givenFor(accounts, leg.outcome.venue)), isImmediate(lane))
  } catch (error) {
    // Its preview states the reason.
    if (error instanceof Fault) return rowOf(leg, {}, false)
    throw error
  }
}

function rowOf(
  { component, outcome, isBuy, units, quote, bookAgeMs, closesPosition }: PlannedLeg,
  build: JsonObject,
  immediate: boolean,
): NewLeg {
  return {
    component,
    venue: outcome.venue,
    market_id: outcome.marketId,
    outcome_id: outcome.outcomeId,
    outcome_side: outcome.outcomeSide,
    is_buy: isBuy,
    size: contracts(units),
    price: price(quote.limitMicros),
    expected: {
      averagePrice: averageOf(quote.notional, units)!,
      notional: dollars(quote.notional),
      fee: dollars(quote.fee),
      bookAgeMs: Math.round(bookAgeMs),
      immediate,
    },
    build,
    closes_position: closesPosition,
  }
}

export async function previewLegs(
  deps: Pick<RouterDeps, 'executions'>,
  caller: Caller,
  legs: readonly NewLeg[],
  options: RunOptions,
): Promise<LegAnswer[]> {
  const { answers } = await runItems(
    legs,
    ({ venue, build }) => buildOne(deps, caller, { venue, key: '', body: { ...build, dryRun: true } }),
    options,
  )
  return answers
}

/** Builds the legs that have no execution yet, and records the result of each. Those of a group that was closed without them stay as they are. */
export async function buildLegs(
  deps: Pick<RouterDeps, 'executions' | 'store'>,
  caller: Caller,
  { group, legs, key }: StoredGroup & { key: string },
  options: RunOptions,
): Promise<Map<number, LegAnswer>> {
  const missing = legs.filter(({ execution_id }) => execution_id === null)
  const found = new Map<number, LegAnswer>()
  // While legs are neither built nor refused, nothing closes their group.
  if (missing.some(({ error }) => error !== null) && !(await deps.store.reopenLegs(group.id))) return found
  const { answers } = await runItems(
    missing,
    ({ venue, build, position }) => buildOne(deps, caller, { venue, key: itemKey(key, position), body: build }),
    options,
  )
  for (const [index, { position, venue }] of missing.entries()) {
    const answer = answers[index]!
    if (await record(deps, group.id, position, answer)) found.set(position, answer)
    else if (answer.ok) await discardApart(deps, caller, venue, answer.data.executionId)
  }
  return found
}

/** False: the group was closed while the leg was built. */
async function record(
  { store }: Pick<RouterDeps, 'store'>,
  groupId: string,
  position: RouterLegRow['position'],
  answer: LegAnswer,
): Promise<boolean> {
  if (answer.ok) return store.setExecution(groupId, position, answer.data.executionId)
  await store.setError(groupId, position, { ...answer.error } as JsonObject)
  return true
}

/** Of an execution that no group has: another request with the key saw it refused, and the group was closed without it. */
async function discardApart(
  { executions }: Pick<RouterDeps, 'executions'>,
  caller: Caller,
  venue: string,
  executionId: string,
): Promise<void> {
  try {
    await discardExecution(executions, caller, { venue, executionId })
  } catch (error) {
    executions.log.warn({ err: error, venue, executionId }, 'an execution of a closed group could not be discarded')
  }
}

async function buildOne(
  { executions }: Pick<RouterDeps, 'executions'>,
  caller: Caller,
  { venue, key, body }: { venue: string; key: string; body: JsonObject },
): Promise<BuiltLeg> {
  const { data, siblings } = answerOf(executions, await buildOrder(executions, caller, venue, key, body))
  return {
    data,
    ...('warnings' in siblings && siblings.warnings !== undefined && { warnings: [...siblings.warnings] }),
  }
}
