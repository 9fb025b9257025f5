// In-memory executions that can be built, modified, canceled and read, and submitted up to the claim.
import type { ExecutionStore } from '#orders/executions/ports'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { NewExecution } from '#storage/postgres/executions/insertExecutions'

export interface HeldRows {
  rows: Map<string, ExecutionRow>
  /** Every claim comes too late: the caller learns that the order was submitted under another key. */
  store: Partial<ExecutionStore>
}

export function heldRows(): HeldRows {
  const rows = new Map<string, ExecutionRow>()
  return {
    rows,
    store: {
      find: async (_account, id) => rows.get(id) ?? null,
      bindBulk: async () => true,
      selectCancelAll: async () => ({ orders: [], conditionalIds: [] }),
      countUnselected: async () => ({ orders: 0, conditionals: null }),
      findFamily: async (id) => [{ ...rows.get(id)!, built_at: '1', taken_at: '2' }],
      findRivals: async () => ({ sentAt: null, claimed: [], alike: 0 }),
      findKeyUse: async () => null,
      findTargetReservation: async () => '0',
      findBehind: async () => null,
      findCanceledAt: async () => null,
      listFillsOf: async () => [],
      listHalts: async () => [],
      halt: async () => true,
      markAccount: async (name) => Buffer.from(name),
      recordSighting: async () => undefined,
      claim: async () => ({ kind: 'moved' }) as const,
      async move({ id }) {
        return rows.get(id) ?? null
      },
      async insert(wanted) {
        const row = rowOf(wanted)
        rows.set(row.id, row)
        return { kind: 'made', row }
      },
    },
  }
}

const kept = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

function rowOf(wanted: NewExecution): ExecutionRow {
  const { id, accountId, keyId, venue, buildVersion, unsigned, unsignedSha256, owner, clientRef, at } = wanted
  return {
    ...{ id, seq: '1', account_id: accountId, key_id: keyId, venue, status: 'built' },
    intent: wanted.intent as ExecutionRow['intent'],
    ...{ build_version: buildVersion, unsigned, unsigned_sha256: unsignedSha256, owner, client_ref: clientRef },
    bounds: kept(wanted.bounds) as ExecutionRow['bounds'],
    terms: kept(wanted.terms) as ExecutionRow['terms'],
    ...{ submitted_artifact: null, venue_ref: null, notional_usd: wanted.notionalUsd, held_usd: '0' },
    fee_estimate: kept(wanted.feeEstimate) as ExecutionRow['fee_estimate'],
    warnings: [...wanted.warnings],
    collateral: kept(wanted.collateral) as ExecutionRow['collateral'],
    build_result: kept(wanted.buildResult) as ExecutionRow['build_result'],
    summary: kept(wanted.summary) as ExecutionRow['summary'],
    ...{
      error: null,
      target_id: wanted.targetId,
      missing_since: null,
      matched_size: null,
      submitted_as: null,
      unknown_outcome: null,
    },
    ...{ last_event: 'build', created_at: at, updated_at: at },
  }
}
