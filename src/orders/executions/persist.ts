// From a built artifact to a row: shared by orders, cancels and modifications. A reused key returns its first row.
import { canonicalJson, sha256 } from '#core/canonicalJson'
import { compareDecimals, subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { Intent, Summary } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { KeyKind } from '#storage/postgres/executions/findExecutions'
import type { Built, ExecutionAdapter } from '#venues/lane'
import type { Caller, ExecutionsDeps } from './ports.ts'

export interface KeyedRequest {
  kind: Exclude<KeyKind, 'submit'>
  key: string
  /** Hash of everything that defines the request. */
  bodySha256: Buffer
}

export interface Persisted {
  row: ExecutionRow
  replay: boolean
}

export const otherRequest = (): Fault =>
  new Fault('IDEMPOTENCY_CONFLICT', 'this Idempotency-Key was used for another request')

/** The row of an earlier request with this key; null when there is none. Throws 409 when that request was different. */
export async function findReplay(
  { store }: Pick<ExecutionsDeps, 'store'>,
  { accountId }: Pick<Caller, 'accountId'>,
  { kind, key, bodySha256 }: KeyedRequest,
): Promise<Persisted | null> {
  const use = await store.findKeyUse(accountId, kind, key)
  if (use === null) return null
  if (!use.bodySha256.equals(bodySha256)) throw otherRequest()
  const row = await store.find(accountId, use.executionId)
  if (row === null) throw new Error(`execution ${use.executionId} of a key is gone`)
  return { row, replay: true }
}

export async function persist(
  deps: Pick<ExecutionsDeps, 'store' | 'clock' | 'newId'>,
  caller: Caller,
  request: KeyedRequest & { kind: 'build' | 'cancel' | 'modify' },
  {
    lane,
    intent,
    built,
    summary,
    targetId,
  }: { lane: ExecutionAdapter; intent: Intent; built: Built; summary: Summary; targetId: string | null },
): Promise<Persisted> {
  const unsigned = canonicalJson(built.unsigned)
  const result = await deps.store.insert({
    id: deps.newId(),
    accountId: caller.accountId,
    keyId: caller.keyId,
    venue: lane.slug,
    intent,
    buildVersion: lane.buildVersion,
    unsigned,
    unsignedSha256: sha256(unsigned),
    bounds: built.bounds,
    terms: built.terms,
    owner: built.owner,
    clientRef: built.clientRef,
    notionalUsd: built.notionalUsd,
    roomUsd: await reservationUsd(deps, intent, built.notionalUsd, targetId),
    feeEstimate: built.feeEstimate,
    warnings: built.warnings,
    collateral: built.collateral ?? null,
    buildResult: built.buildResult ?? null,
    summary,
    targetId,
    key: request,
    at: new Date(deps.clock.now()),
  })
  if (result.kind === 'made') return { row: result.row, replay: false }
  if (result.kind === 'spend_cap') {
    throw new Fault('SPEND_CAP_EXCEEDED', 'this order would exceed the daily spend cap of the account or the key')
  }
  // A concurrent call with the same key won.
  const replay = await findReplay(deps, caller, request)
  if (replay === null) throw new Error('an idempotency key is taken, but its execution is missing')
  return replay
}

/**
 * Dollars to reserve under the caps: an order's full cost; for a modification, what it adds to the order as the venue has it;
 * otherwise none.
 */
async function reservationUsd(
  { store }: Pick<ExecutionsDeps, 'store'>,
  intent: string,
  notionalUsd: string | null,
  targetId: string | null,
): Promise<string | null> {
  if (intent === 'order' || notionalUsd === '0') return notionalUsd
  if (intent !== 'modify') return '0'
  if (notionalUsd === null || targetId === null) return notionalUsd
  const held = await store.findTargetReservation(targetId)
  return compareDecimals(notionalUsd, held) > 0 ? subtractDecimals(notionalUsd, held) : '0'
}
