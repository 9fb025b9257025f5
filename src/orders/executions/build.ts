// Build: gather facts, build, check, then insert unless it is a preview. Previews and persisted builds share this code.
import { hashOf } from '#core/canonicalJson'
import { Fault } from '#core/fault'
import { Intent, isContractIntent, type Summary } from '#schemas/executions'
import type { Built, ExecutionAdapter, LaneContext } from '#venues/lane'
import { checkSupportedOptions } from '#venues/shared/exec/orderOptions'
import { rejectReplayOverLimit } from './artifact.ts'
import { checkRegion, checkTakesOrders, laneOf, unsupportedOperation } from './findLane.ts'
import { parseBody } from './parseBody.ts'
import { findReplay, type Persisted, persist } from './persist.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { riskSubjectOf, riskWarnings } from './riskLimits.ts'
import { withoutVenuePrefix } from './stripVenuePrefix.ts'
import { memoized, summaryOfBuilt } from './summary.ts'

export type BuildResult = (
  | ({ kind: 'persisted' } & Persisted)
  | { kind: 'preview'; lane: ExecutionAdapter; intent: Intent; built: Built; summary: Summary }
) & {
  /** Risk limits that would refuse its submit now: not stored. */
  riskWarnings: string[]
}

export async function buildOrder(
  deps: ExecutionsDeps,
  caller: Caller,
  venue: string,
  key: string,
  body: Readonly<Record<string, unknown>>,
): Promise<BuildResult> {
  const armed = laneOf(deps, venue, caller.accountId)
  const { lane } = armed
  const { dryRun, intent, ...rest } = body
  const preview = flagOf(dryRun)
  const wanted = intentOf(lane, intent)
  if (Object.keys(rest).length === 0)
    throw new Fault('VALIDATION_ERROR', 'the body is empty: see the venue’s build fields')
  checkRegion(armed, caller)
  if (wanted === 'order') checkSupportedOptions(lane, rest)
  const parse = isContractIntent(wanted) ? lane[wanted]!.body : lane.order.body
  const parsed = parseBody(parse, withoutVenuePrefix(lane.slug, rest))
  const request = { kind: 'build', key, bodySha256: hashOf(venue, wanted, rest) } as const
  if (!preview) {
    const replay = await findReplay(deps, caller, request)
    if (replay !== null) {
      rejectReplayOverLimit(replay.row, lane)
      return { kind: 'persisted', ...replay, riskWarnings: [] }
    }
  }
  if (wanted !== 'redeem') checkTakesOrders(lane)
  const context = armed.context(caller.signal, caller.accountId)
  const { catalog, resolved } = memoized(context.catalog)
  const built = await buildWith(lane, { ...context, catalog }, wanted, parsed)
  const summary = summaryOfBuilt(lane, wanted, built, resolved)
  const warnings = warningsOf(deps, caller, lane, wanted, built)
  if (preview) return { kind: 'preview', lane, intent: wanted, built, summary, riskWarnings: await warnings }
  const persisted = await persist(deps, caller, request, { lane, intent: wanted, built, summary, targetId: null })
  return { kind: 'persisted', ...persisted, riskWarnings: await warnings }
}

/** Never rejects: to a build they are advice. */
async function warningsOf(
  deps: ExecutionsDeps,
  { accountId, keyId }: Caller,
  { slug: venue }: ExecutionAdapter,
  intent: Intent,
  { terms, notionalUsd }: Built,
): Promise<string[]> {
  const facts = { id: deps.newId(), accountId, keyId, venue, intent, targetId: null, keptRef: null, terms, notionalUsd }
  try {
    return await riskWarnings(deps, riskSubjectOf({ ...facts, onlyReduces: false }))
  } catch (error) {
    deps.log.warn({ accountId, venue, err: error }, 'the risk limits of a build could not be checked')
    return ['its risk limits could not be checked now; its submit checks them']
  }
}

async function buildWith(lane: ExecutionAdapter, context: LaneContext, intent: Intent, body: unknown): Promise<Built> {
  if (isContractIntent(intent)) {
    const built = await lane[intent]!.build(context, body)
    lane.checkBounds(built.unsigned, built.bounds)
    return built
  }
  const facts = await lane.order.gatherFacts(context, body)
  const built = lane.order.build(context, body, facts)
  lane.checkBounds(built.unsigned, built.bounds)
  return built
}

function flagOf(value: unknown): boolean {
  if (value === undefined) return false
  if (typeof value !== 'boolean') throw new Fault('VALIDATION_ERROR', 'dryRun: must be true or false')
  return value
}

function intentOf(lane: ExecutionAdapter, value: unknown): Intent {
  const intent = Intent.optional().safeParse(value)
  if (!intent.success || intent.data === 'cancel' || intent.data === 'modify') {
    throw new Fault(
      'VALIDATION_ERROR',
      'intent: must be order, or redeem, split, merge or convert if the venue settles on chain',
    )
  }
  const wanted = intent.data ?? 'order'
  if (isContractIntent(wanted) && lane[wanted] === undefined) throw unsupportedOperation(lane, wanted)
  return wanted
}
