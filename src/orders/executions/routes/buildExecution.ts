// Builds a bounded intent for a venue, persisted or previewed.
import { z } from 'zod'
import { Execution } from '#schemas/executions'
import { defineRoute } from '#server/http/defineRoute'
import { type BuildResult, buildOrder as build } from '../build.ts'
import type { ExecutionsDeps, ExecutionsRouteDeps } from '../ports.ts'
import { executionOf, previewOf } from '../rows.ts'
import { storedSummaryOf } from '../summary.ts'
import { callerOf, keyOf, LaneBody, replayHeaders, VenuePath, venueErrors } from './shapes.ts'

export const buildExecution = defineRoute({
  operationId: 'buildExecution',
  method: 'post',
  path: '/v1/exec/{venue}/orders/build',
  access: { scope: 'trade', credits: 2 },
  keyed: true,
  summary: 'Builds an order or redemption, unsigned; with dryRun a preview that writes nothing',
  tag: 'execution',
  params: VenuePath,
  body: LaneBody,
  laneVerb: 'build',
  data: Execution,
  topLevelFields: { dryRun: z.literal(true).optional(), warnings: z.array(z.string()).optional() },
  errors: [
    ...venueErrors,
    'VENUE_REGION_BLOCKED',
    'SPEND_CAP_EXCEEDED',
    'NOT_IMPLEMENTED',
    'ARTIFACT_VERSION_CONFLICT',
    'ARTIFACT_BOUNDS_VIOLATION',
    'OUTCOME_NOT_FOUND',
    'MARKET_NOT_FOUND',
    'CATALOG_UNAVAILABLE',
    'NETWORK_ERROR',
    'PAPER_NO_LIVE_BOOK',
  ],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const result = await build(executions, callerOf(input), input.params.venue, keyOf(input), input.body)
    const { data, siblings, replay } = answerOf(executions, result)
    return { data, siblings, ...replayHeaders(replay) }
  },
})

/** The execution, and the fields that are returned next to it. */
export function answerOf(executions: ExecutionsDeps, result: BuildResult) {
  if (result.kind === 'preview') {
    const data = previewOf(result, executions.newId(), executions.clock.now())
    const siblings = { dryRun: true as const, ...advice([...result.built.warnings, ...result.riskWarnings]) }
    return { data, siblings, replay: false }
  }
  const data = executionOf(result.row, { summary: storedSummaryOf(result.row) })
  return { data, siblings: advice([...result.row.warnings, ...result.riskWarnings]), replay: result.replay }
}

/** Repeated next to the execution, so that it is not overlooked. */
const advice = (warnings: readonly string[]) => (warnings.length === 0 ? {} : { warnings })
