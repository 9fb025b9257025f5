// Reads of an account: its executions, one of them, its fills, and the available lanes.

import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { NextCursor } from '#schemas/envelope'
import { Execution, ExecutionStatus, Fill, Intent } from '#schemas/executions'
import { isPaperAccount } from '#schemas/paper'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import { TradedVenue } from '#server/http/venueName'
import { findOwned } from '../cancelOrModify.ts'
import { laneOf, lanesOf } from '../findLane.ts'
import { LaneEntry, venueEntry } from '../listVenues.ts'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { executionOf } from '../rows.ts'
import { summaryOf } from '../summary.ts'
import { callerOf, VenuePath, venueErrors } from './shapes.ts'

const limitDefault = 50
/** Larger limits are capped at this. */
const limitMax = 200
const Limit = clampedLimit(limitDefault, limitMax)
const digits = /^\d{1,18}$/

export const listExecVenues = defineRoute({
  operationId: 'listExecVenues',
  method: 'get',
  path: '/v1/exec/venues',
  access: { scope: 'trade', credits: 1 },
  summary: 'The execution lanes of this deployment and what each can do',
  tag: 'execution',
  data: z.array(LaneEntry),
  handle(input, { executions }: ExecutionsRouteDeps) {
    const { accountId } = callerOf(input)
    const lanes = lanesOf(executions, accountId)
    const unarmed = isPaperAccount(accountId) ? undefined : executions.unarmed
    return {
      data: executions.knownLanes.map((lane) =>
        venueEntry(lanes.get(lane.slug)?.lane ?? lane, lanes.has(lane.slug), unarmed?.get(lane.slug)),
      ),
    }
  },
})

export const listExecutions = defineRoute({
  operationId: 'listExecutions',
  method: 'get',
  path: '/v1/exec/executions',
  access: { scope: 'trade', credits: 1, anywhere: true },
  summary: 'The account’s executions, newest first',
  tag: 'execution',
  query: z.object({
    venue: TradedVenue.optional(),
    status: ExecutionStatus.optional(),
    intent: Intent.optional(),
    since: z.iso.datetime({ offset: true }).optional(),
    cursor: z.string().optional(),
    limit: Limit,
  }),
  data: z.array(Execution),
  topLevelFields: { nextCursor: NextCursor },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'EXEC_UNAVAILABLE'],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const { cursor, limit, ...filter } = input.query
    const { accountId } = callerOf(input)
    const bind = cursorBinding({ accountId, ...filter })
    const rows = await executions.store.list({
      accountId,
      venue: filter.venue ?? null,
      status: filter.status ?? null,
      intent: filter.intent ?? null,
      since: filter.since === undefined ? null : new Date(filter.since),
      before: cursor === undefined ? null : String(executions.cursors.decode('executions', bind, cursor)),
      limit: limit + 1,
    })
    const page = rows.slice(0, limit)
    const nextCursor = rows.length > limit ? executions.cursors.encode('executions', bind, page.at(-1)!.seq) : null
    return { data: page.map((row) => executionOf(row)), siblings: nextCursor === null ? {} : { nextCursor } }
  },
})

export const getExecution = defineRoute({
  operationId: 'getExecution',
  method: 'get',
  path: '/v1/exec/executions/{executionId}',
  access: { scope: 'trade', credits: 1, anywhere: true },
  summary: 'One execution as stored, with the summary of its artifact; does not read from the venue',
  tag: 'execution',
  params: z.object({ executionId: z.uuid() }),
  data: Execution,
  errors: ['EXECUTION_NOT_FOUND', 'EXEC_UNAVAILABLE'],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const row = await findOwned(executions, callerOf(input), null, input.params.executionId)
    return { data: executionOf(row, { summary: summaryOf(executions.knownLanes, row) }) }
  },
})

export const listExecTrades = defineRoute({
  operationId: 'listExecTrades',
  method: 'get',
  path: '/v1/exec/{venue}/trades',
  access: { scope: 'trade', credits: 1, anywhere: true },
  summary: 'The account’s fills at a venue, oldest first: an append-only tape',
  tag: 'execution',
  params: VenuePath,
  query: z.object({ cursor: z.string().optional(), limit: Limit }),
  data: z.array(Fill),
  topLevelFields: { nextCursor: NextCursor },
  errors: venueErrors,
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const { cursor, limit } = input.query
    const { venue } = input.params
    laneOf(executions, venue, callerOf(input).accountId)
    if (cursor !== undefined && !digits.test(cursor)) throw new Fault('VALIDATION_ERROR', 'cursor: must be a fill id')
    const { accountId } = callerOf(input)
    const rows = await executions.store.listFills({ accountId, venue, after: cursor ?? null, limit: limit + 1 })
    const page = rows.slice(0, limit)
    return {
      data: page.map((row) => ({
        fillId: row.id,
        executionId: row.execution_id,
        venue: row.venue,
        fill: row.fill,
        filledAt: row.filled_at.toISOString(),
      })),
      siblings: rows.length > limit ? { nextCursor: page.at(-1)!.id } : {},
    }
  },
})
