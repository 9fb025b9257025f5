// Starts an execution algorithm.
import { AlgorithmBody, ExecutionAlgorithm } from '#schemas/algorithms'
import { defineRoute } from '#server/http/defineRoute'
import { VenueName } from '#server/http/venueName'
import { algorithmOf } from '#storage/postgres/algorithms/algorithmRow'
import { createAlgorithm as create } from '../create.ts'
import type { AlgorithmRouteDeps } from '../ports.ts'
import { access, callerOf } from './shapes.ts'

export const createAlgorithm = defineRoute({
  operationId: 'createAlgorithm',
  method: 'post',
  path: '/v1/exec/algorithms',
  family: 'conditional',
  access: { ...access, credits: 2 },
  keyed: true,
  summary: 'Starts an execution algorithm: TWAP, iceberg, peg, or passive-then-aggressive',
  tag: 'execution',
  body: AlgorithmBody.extend({ venue: VenueName }).meta(AlgorithmBody.meta() ?? {}),
  data: ExecutionAlgorithm,
  errors: [
    'EXECUTION_NOT_FOUND',
    'EXECUTION_TERMINAL',
    'EXCHANGE_NOT_AVAILABLE',
    'EXEC_UNAVAILABLE',
    'VENUE_NOT_SUPPORTED',
    'VENUE_REGION_BLOCKED',
    'NOT_IMPLEMENTED',
    'NOT_SUPPORTED',
    'ARTIFACT_INTEGRITY_MISMATCH',
    'ARTIFACT_VERSION_CONFLICT',
    'ARTIFACT_BOUNDS_VIOLATION',
    'INVALID_SIGNATURE',
    'HOSTED_FIRE_NOT_ELIGIBLE',
    'HOSTED_FIRE_UNAVAILABLE',
    'CONDITIONAL_ATTEMPT_CONFLICT',
    'MARKET_NOT_FOUND',
    'OUTCOME_NOT_FOUND',
    'CATALOG_UNAVAILABLE',
    'NETWORK_ERROR',
    'PAPER_MARKET_CLOSED',
    'PAPER_NO_LIVE_BOOK',
  ],
  async handle(input, { algorithms }: AlgorithmRouteDeps) {
    const { row, replay } = await create(algorithms, callerOf(input), input.idempotencyKey!, input.body)
    return { data: algorithmOf(row), ...(replay ? { headers: { 'idempotency-replay': 'true' } } : {}) }
  },
})
