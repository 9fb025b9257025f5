// One execution in three shapes: storage's row, the lane's view, the caller's answer.
import { canonicalJson } from '#core/canonicalJson'
import type { Execution, Intent, JsonObject, Summary } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { Built, ExecutionAdapter, LaneExecution, OrderTerms } from '#venues/lane'
import { openArtifact } from './artifact.ts'

/** Also checks the artifact's integrity. */
export const laneExecutionOf = (row: ExecutionRow, target: LaneExecution | null): LaneExecution => ({
  executionId: row.id,
  intent: row.intent,
  status: row.status,
  unsigned: openArtifact(row.unsigned, row.unsigned_sha256),
  submittedArtifact: row.submitted_artifact,
  bounds: row.bounds,
  terms: row.terms as unknown as OrderTerms | null,
  owner: row.owner,
  venueRef: row.venue_ref,
  clientRef: row.client_ref,
  createdAt: row.created_at.getTime(),
  statusSince: row.updated_at.getTime(),
  missingSince: row.missing_since?.getTime() ?? null,
  matchedSize: row.matched_size,
  target,
})

/** As returned. `buildVersion` is next to the artifact, which is exactly what its venue takes. */
export const executionOf = (row: ExecutionRow, more: Partial<Execution> = {}): Execution & JsonObject =>
  ({
    executionId: row.id,
    venue: row.venue,
    intent: row.intent,
    status: row.status,
    unsigned: { ...(JSON.parse(row.unsigned) as JsonObject) },
    buildVersion: row.build_version,
    submittedArtifact: row.submitted_artifact,
    venueRef: row.venue_ref,
    matchedSize: row.matched_size,
    notionalUsd: row.notional_usd === null ? null : Number(row.notional_usd),
    feeEstimate: row.fee_estimate,
    error: row.error,
    ...(row.unknown_outcome === null ? {} : { observation: { reason: `outcome unknown: ${row.unknown_outcome}` } }),
    ...(row.collateral === null ? {} : { collateral: row.collateral }),
    ...(row.build_result === null ? {} : { buildResult: row.build_result }),
    ...(row.warnings.length === 0 ? {} : { warnings: row.warnings }),
    ...(row.target_id === null ? {} : { targetExecutionId: row.target_id }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...more,
  }) as Execution & JsonObject

/** A build that was not kept: the same shape, under an id that does not exist. `at` in epoch ms. */
export function previewOf(
  { lane, intent, built, summary }: { lane: ExecutionAdapter; intent: Intent; built: Built; summary: Summary },
  id: string,
  at: number,
): Execution & JsonObject {
  const moment = new Date(at)
  const row: ExecutionRow = {
    id,
    seq: '0',
    account_id: '',
    key_id: '',
    venue: lane.slug,
    intent,
    status: 'built',
    build_version: lane.buildVersion,
    unsigned: canonicalJson(built.unsigned),
    unsigned_sha256: Buffer.alloc(32),
    bounds: built.bounds,
    terms: null,
    owner: built.owner,
    client_ref: built.clientRef,
    submitted_artifact: null,
    venue_ref: null,
    notional_usd: built.notionalUsd,
    held_usd: '0',
    fee_estimate: built.feeEstimate,
    warnings: built.warnings,
    collateral: built.collateral ?? null,
    build_result: built.buildResult ?? null,
    summary: null,
    error: null,
    target_id: null,
    missing_since: null,
    matched_size: null,
    submitted_as: null,
    unknown_outcome: null,
    last_event: 'build',
    created_at: moment,
    updated_at: moment,
  }
  return executionOf(row, { summary })
}
