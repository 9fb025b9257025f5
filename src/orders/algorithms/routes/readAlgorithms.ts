// Lists the account's execution algorithms, reads one with its slices, and cancels one.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { AlgorithmStatus, ExecutionAlgorithm } from '#schemas/algorithms'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import { TradedVenue } from '#server/http/venueName'
import { type AlgorithmRow, algorithmOf, sliceOf } from '#storage/postgres/algorithms/algorithmRow'
import type { AlgorithmRouteDeps } from '../ports.ts'
import { AlgorithmPath, access, callerOf } from './shapes.ts'

const limitDefault = 50
/** Larger limits are capped at this. */
const limitMax = 200
/** In a read of one algorithm. */
const slicesShownMax = 500

const noSuchAlgorithm = (): Fault => new Fault('CONDITIONAL_NOT_FOUND', 'no such execution algorithm')

/** `all`, or comma-separated statuses. Null: all. */
const Statuses = z
  .string()
  .default('all')
  .transform((text, context): AlgorithmStatus[] | null => {
    if (text === 'all') return null
    const parsed = z.array(AlgorithmStatus).safeParse(text.split(',').map((word) => word.trim()))
    if (parsed.success) return parsed.data
    context.addIssue({ code: 'custom', message: `must be all, or some of ${AlgorithmStatus.options.join(', ')}` })
    return z.NEVER
  })

export const listAlgorithms = defineRoute({
  operationId: 'listAlgorithms',
  method: 'get',
  path: '/v1/exec/algorithms',
  family: 'conditional',
  access: { ...access, credits: 1, anywhere: true },
  summary: 'The account’s execution algorithms across venues, newest first',
  tag: 'execution',
  query: z.object({
    status: Statuses,
    venue: TradedVenue.optional(),
    /** The last algorithm of the previous page. */
    cursor: z.string().optional(),
    limit: clampedLimit(limitDefault, limitMax),
  }),
  data: z.array(ExecutionAlgorithm),
  topLevelFields: { meta: z.object({ nextCursor: z.uuid().nullable() }) },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'EXEC_UNAVAILABLE'],
  async handle(input, { algorithms: { store } }: AlgorithmRouteDeps) {
    const { status, venue, cursor, limit } = input.query
    const { accountId } = callerOf(input)
    const rows = await store.list({
      accountId,
      statuses: status,
      venue: venue ?? null,
      before: cursor === undefined ? null : await positionOf(store, accountId, cursor),
      limit: limit + 1,
    })
    const page = rows.slice(0, limit)
    const nextCursor = rows.length > limit ? page.at(-1)!.id : null
    return { data: page.map(algorithmOf), siblings: { meta: { nextCursor } } }
  },
})

/** A cursor is the random id of an algorithm, and works for its owner only. */
async function positionOf(
  store: AlgorithmRouteDeps['algorithms']['store'],
  accountId: string,
  cursor: string,
): Promise<string> {
  const last = z.uuid().safeParse(cursor).success ? await store.find(accountId, cursor) : null
  if (last === null) throw new Fault('VALIDATION_ERROR', 'cursor is not valid for this query: start again without it')
  return last.seq
}

export const getAlgorithm = defineRoute({
  operationId: 'getAlgorithm',
  method: 'get',
  path: '/v1/exec/algorithms/{id}',
  family: 'conditional',
  access: { ...access, credits: 1, anywhere: true },
  summary: 'One execution algorithm with its slices and benchmark',
  tag: 'execution',
  params: AlgorithmPath,
  data: ExecutionAlgorithm,
  errors: ['CONDITIONAL_NOT_FOUND', 'EXEC_UNAVAILABLE'],
  async handle(input, { algorithms }: AlgorithmRouteDeps) {
    const { id } = input.params
    const row = await algorithms.store.find(callerOf(input).accountId, id)
    if (row === null) throw noSuchAlgorithm()
    const [slices, intervalVwap] = await Promise.all([
      algorithms.store.listSlices(id, slicesShownMax),
      vwapOf(algorithms, row),
    ])
    const algorithm = algorithmOf(row)
    const benchmark = { ...algorithm.benchmark, intervalVwap }
    return { data: { ...algorithm, benchmark, slices: slices.map(sliceOf) } }
  },
})

/** Up to its end, or now. The tape is not needed to read an algorithm: without an answer it is unknown. */
async function vwapOf(
  { readVwap, clock, log }: AlgorithmRouteDeps['algorithms'],
  { id, venue, market_id: marketId, outcome_id: outcomeId, starts_at: startsAt, ended_at: endedAt }: AlgorithmRow,
): Promise<string | null> {
  const range = { startMs: startsAt.getTime(), endMs: endedAt?.getTime() ?? clock.now() }
  if (range.endMs <= range.startMs) return null
  try {
    return await readVwap({ venue, marketId, outcomeId }, range)
  } catch (error) {
    log.warn({ algorithm: id, err: error }, 'the trades during an execution algorithm could not be read')
    return null
  }
}

export const cancelAlgorithm = defineRoute({
  operationId: 'cancelAlgorithm',
  method: 'delete',
  path: '/v1/exec/algorithms/{id}',
  family: 'conditional',
  // Cancelling is always allowed, without credits and from any country.
  access: { ...access, credits: 0, anywhere: true },
  summary:
    'Cancels an execution algorithm: no further slice is sent, and the live one is withdrawn; repeating it is harmless',
  tag: 'execution',
  params: AlgorithmPath,
  data: ExecutionAlgorithm,
  errors: ['CONDITIONAL_NOT_FOUND', 'CONDITIONAL_NOT_ARMED', 'EXEC_UNAVAILABLE'],
  async handle(input, { algorithms: { store, clock } }: AlgorithmRouteDeps) {
    const result = await store.cancel(callerOf(input).accountId, input.params.id, new Date(clock.now()))
    switch (result.kind) {
      case 'canceled':
        return { data: algorithmOf(result.row) }
      case 'not_found':
        throw noSuchAlgorithm()
      case 'has_ended':
        throw new Fault('CONDITIONAL_NOT_ARMED', `the algorithm is ${result.row.status}`)
    }
  },
})
