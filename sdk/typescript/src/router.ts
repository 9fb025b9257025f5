// Carries out a kept plan of the router: authorizes and submits its legs, follows them to their end, and plans what would close the rest.
import type { Client } from './client.ts'
import { sleep, systemClock } from './clock.ts'
import { ApiError, CrossbookError } from './errors.ts'
import type { components } from './generated/api.ts'
import type { Params } from './operations.ts'

export type RouterGroup = components['schemas']['RouterGroup']
export type RouterLeg = components['schemas']['RouterLeg']
type Execution = components['schemas']['Execution']
type Fields = Readonly<Record<string, unknown>>

export interface FollowOptions {
  /** The fields of a refresh, such as the venue's credentials, where the service cannot read an order without them; null: it is not refreshed. */
  refresh?: (execution: Execution) => Fields | null | Promise<Fields | null>
  /** Between two reads of the group; 1 s by default. */
  pollMs?: number
  /** Ends it with the signal's reason. What was submitted stays at the venues. */
  signal?: AbortSignal
  /** Replaces the real time, as the clock of a strategy does. */
  clock?: { sleep(ms: number): Promise<void> }
}

export interface ExecuteOptions extends FollowOptions {
  /** The fields of a leg's submit: what `sign` returns, and the venue's credentials if it needs any. */
  authorize(execution: Execution): Fields | Promise<Fields>
  /** Constraints of the closing plan that is offered. */
  close?: Omit<NonNullable<Params<'closeRouterGroup'>['body']>, 'persist' | 'artifacts'>
}

export interface RefusedLeg {
  position: number
  error: CrossbookError
}

export interface ExecutedGroup {
  /** All its legs have ended. */
  group: RouterGroup
  /** Legs that were not sent; their executions are discarded. */
  refused: RefusedLeg[]
  /** A dry run of what closes what the group lacks. Null: nothing is lacking, or see `closingError`. */
  closing: RouterGroup | null
  closingError: CrossbookError | null
}

const pollMsDefault = 1_000
const endedStatuses: ReadonlySet<RouterGroup['status']> = new Set(['filled', 'partial', 'unequal', 'unfilled'] as const)
const inFlight: ReadonlySet<Execution['status']> = new Set(['submitted', 'acked'] as const)

/**
 * `group`: as returned with `persist` by a plan, an arbitrage, a structure, or a close. A leg that rests (`immediate` false) is followed until
 * it is filled or canceled. It can be repeated with a later state of the group: what was sent is not sent again.
 */
export async function executeGroup(
  client: Pick<Client, 'api'>,
  group: RouterGroup,
  options: ExecuteOptions,
): Promise<ExecutedGroup> {
  const { refused } = await submitLegs(client, group, options)
  const ended = await followGroup(client, idOf(group), options)
  try {
    return { group: ended, refused, closing: await planClosing(client, ended, options), closingError: null }
  } catch (error) {
    if (error instanceof CrossbookError) return { group: ended, refused, closing: null, closingError: error }
    throw error
  }
}

/**
 * Nothing is submitted unless every leg is built and authorized. A leg of which the submit fails is discarded, so that it ends, unless it was
 * sent after all. If neither is known, the error is thrown once all legs were submitted: repeat it with the group as it is then.
 */
export async function submitLegs(
  { api }: Pick<Client, 'api'>,
  group: RouterGroup,
  { authorize, signal }: Pick<ExecuteOptions, 'authorize' | 'signal'>,
): Promise<{ refused: RefusedLeg[] }> {
  idOf(group)
  const unsent: { position: number; execution: Execution }[] = []
  for (const { position, venue, execution, error } of group.legs) {
    if (execution === null)
      throw new CrossbookError(`leg ${position} at ${venue} is not built: ${error?.message ?? 'repeat the request'}`)
    if (execution.status === 'built' || execution.status === 'signed') unsent.push({ position, execution })
  }
  const bodies = await Promise.all(unsent.map(async ({ execution }) => authorize(execution)))
  signal?.throwIfAborted()
  const submits = unsent.map(async ({ position, execution: { venue, executionId } }, index): Promise<RefusedLeg[]> => {
    const path = { venue, executionId }
    try {
      await api.submitExecution({ path, body: bodies[index] as never })
      return []
    } catch (error) {
      if (!(error instanceof CrossbookError)) throw error
      return (await isDiscarded(api, path)) ? [{ position, error }] : []
    }
  })
  await Promise.allSettled(submits)
  return { refused: (await Promise.all(submits)).flat() }
}

/** False: it was sent. */
async function isDiscarded(api: Client['api'], path: { venue: string; executionId: string }): Promise<boolean> {
  try {
    await api.discardExecution({ path })
    return true
  } catch (error) {
    if (error instanceof ApiError && !error.retryable) return false
    throw error
  }
}

/** Resolves once every leg has ended and what was filled is known. */
export async function followGroup(
  { api }: Pick<Client, 'api'>,
  groupId: string,
  { refresh, pollMs = pollMsDefault, signal, clock }: FollowOptions = {},
): Promise<RouterGroup> {
  for (;;) {
    const { data: group } = await api.getRouterGroup({ path: { id: groupId } }, signal === undefined ? {} : { signal })
    if (endedStatuses.has(group.status)) return group
    await (clock === undefined ? sleep(systemClock, pollMs, signal) : clock.sleep(pollMs))
    signal?.throwIfAborted()
    if (refresh === undefined) continue
    await Promise.all(
      group.legs.map(async ({ execution }) => {
        if (execution === null || !inFlight.has(execution.status)) return
        const body = await refresh(execution)
        const { venue, executionId } = execution
        if (body !== null) await api.refreshExecution({ path: { venue, executionId }, body: body as never })
      }),
    )
  }
}

/** A dry run. `group`: all its legs have ended. Null: nothing is lacking. */
export async function planClosing(
  { api }: Pick<Client, 'api'>,
  group: RouterGroup,
  { close = {}, signal }: Pick<ExecuteOptions, 'close' | 'signal'> = {},
): Promise<RouterGroup | null> {
  const isUnequal = (group.exposure ?? []).length > 0
  const isShort = group.kind === 'route' && group.closesGroupId === null && Number(group.remaining ?? 0) > 0
  if (!isUnequal && !isShort) return null
  const body = { ...close, artifacts: false }
  const call = { path: { id: idOf(group) }, body }
  return (await api.closeRouterGroup(call, signal === undefined ? {} : { signal })).data
}

function idOf({ groupId }: RouterGroup): string {
  if (groupId === null) throw new CrossbookError('a dry run has nothing to submit: plan with persist')
  return groupId
}
