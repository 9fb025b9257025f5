// Returns a plan with its artifacts: as a dry run that stores nothing, or kept as a group with its executions. The plan of a key is made once: a
// repeated request completes what an earlier one began.
import { randomUUID } from 'node:crypto'
import { hashOf } from '#core/canonicalJson'
import { Fault } from '#core/fault'
import { bindRequest } from '#orders/executions/bulk/bindRequest'
import { otherRequest } from '#orders/executions/persist'
import type { Caller } from '#orders/executions/ports'
import type { FieldsOfVenues } from '#schemas/batch'
import type { JsonObject } from '#schemas/executions'
import type { RouterGroup } from '#schemas/router'
import type { StoredGroup } from '#storage/postgres/router/store'
import type { PlannedGroup } from '../planned.ts'
import type { RouterDeps } from '../ports.ts'
import { buildLegs, newLegOf, previewLegOf, previewLegs, type RunOptions } from './buildLegs.ts'
import { dryRunView } from './dryRunView.ts'
import { groupView, readGroupState } from './groupView.ts'

export interface GroupRequest {
  caller: Caller
  key: string
  /** Everything that defines the request. */
  identity: unknown
  persist?: boolean | undefined
  artifacts?: boolean | undefined
  accounts?: FieldsOfVenues | undefined
  options: RunOptions
}

export interface CreatedGroup {
  data: RouterGroup
  /** Artifacts that were built by this request. */
  built: number
  replay: boolean
}

export async function createGroup(
  deps: RouterDeps,
  request: GroupRequest,
  plan: () => Promise<PlannedGroup>,
): Promise<CreatedGroup> {
  return request.persist === true ? keep(deps, request, plan) : dryRun(deps, request, await plan())
}

async function dryRun(deps: RouterDeps, request: GroupRequest, planned: PlannedGroup): Promise<CreatedGroup> {
  const { caller, accounts, artifacts = true, options } = request
  const legs = planned.legs.map((leg) => previewLegOf(deps, caller, leg, accounts))
  const answers = artifacts ? await previewLegs(deps, caller, legs, options) : null
  const built = answers?.filter(({ ok }) => ok).length ?? 0
  return { data: dryRunView(deps, planned, legs, answers), built, replay: false }
}

async function keep(deps: RouterDeps, request: GroupRequest, plan: () => Promise<PlannedGroup>): Promise<CreatedGroup> {
  const { caller, key, options } = request
  const identity = { router: request.identity }
  await bindRequest(deps.executions, caller, { kind: 'build', key, identity })
  const bodySha256 = hashOf(identity)
  const { stored, isNew } = await findOrInsert(deps, request, bodySha256, plan)
  if (!stored.group.body_sha256.equals(bodySha256)) throw otherRequest()
  const answers = await buildLegs(deps, caller, { ...stored, key }, options)
  const after = (await deps.store.find(caller.accountId, stored.group.id)) ?? stored
  const data = groupView(after, await readGroupState(deps, caller.accountId, after))
  for (const leg of data.legs) {
    const answer = answers.get(leg.position)
    if (answer?.ok === true && answer.warnings !== undefined) leg.warnings = answer.warnings
  }
  return { data, built: [...answers.values()].filter(({ ok }) => ok).length, replay: !isNew && answers.size === 0 }
}

async function findOrInsert(
  deps: RouterDeps,
  { caller, key, accounts }: GroupRequest,
  bodySha256: Buffer,
  plan: () => Promise<PlannedGroup>,
): Promise<{ stored: StoredGroup; isNew: boolean }> {
  const before = await deps.store.findByKey(caller.accountId, key)
  if (before !== null) return { stored: before, isNew: false }
  const planned = await plan()
  if (planned.legs.length === 0)
    throw new Fault('BAD_REQUEST', `nothing can be ordered now: ${reasonsOf(planned)}`, { retryable: true })
  const legs = planned.legs.map((leg) => newLegOf(deps, caller, leg, accounts))
  const inserted = await deps.store.insert({
    id: randomUUID(),
    accountId: caller.accountId,
    keyId: caller.keyId,
    key,
    bodySha256,
    kind: planned.kind,
    closesId: planned.closesId,
    plan: planned.plan as unknown as JsonObject,
    legs,
    ...(planned.counted !== undefined && { counted: planned.counted }),
    at: new Date(deps.executions.clock.now()),
  })
  if (inserted === 'changed')
    throw new Fault('BAD_REQUEST', 'the group has changed since this was planned', { retryable: true })
  const stored = await deps.store.findByKey(caller.accountId, key)
  // A concurrent request with the same key may have made another plan: there is one.
  if (stored === null) throw new Error('a group was stored and is missing')
  return { stored, isNew: inserted === 'made' }
}

const reasonsShown = 6

function reasonsOf({ plan }: PlannedGroup): string {
  const reasons = plan.leftOut.slice(0, reasonsShown).map(({ venue, reason }) => `${venue} ${reason}`)
  return reasons.length === 0 ? 'there is no market' : reasons.join(', ')
}
