// The fills of a paper account with what each follows from.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { NextCursor } from '#schemas/envelope'
import { PaperFill } from '#schemas/paper'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import type { PaperRouteDeps } from '../accounts/ports.ts'
import { fillOf, paperCallerOf, tag } from './shapes.ts'

const limitDefault = 50
/** Larger limits are capped at this. */
const limitMax = 200
const digits = /^\d{1,18}$/

export const listPaperFills = defineRoute({
  operationId: 'listPaperFills',
  method: 'get',
  path: '/v1/paper/fills',
  access: { scope: 'read', credits: 1 },
  summary: 'The fills of a paper account with the book and the trades that each follows from',
  tag,
  query: z.object({
    order: z.enum(['oldest', 'newest']).default('oldest'),
    cursor: z.string().optional().describe('nextCursor of the page before, or a fill id'),
    limit: clampedLimit(limitDefault, limitMax),
  }),
  data: z.array(PaperFill),
  topLevelFields: { nextCursor: NextCursor },
  errors: ['PERMISSION_DENIED', 'EXEC_UNAVAILABLE'],
  async handle(input, { paper }: PaperRouteDeps) {
    const { accountId } = paperCallerOf(input)
    const { order, cursor, limit } = input.query
    if (cursor !== undefined && !digits.test(cursor)) throw new Fault('VALIDATION_ERROR', 'cursor: must be a fill id')
    const rows = await paper.store.listFills({ accountId, order, after: cursor ?? null, limit: limit + 1 })
    const page = rows.slice(0, limit)
    return { data: page.map(fillOf), siblings: rows.length > limit ? { nextCursor: page.at(-1)!.id } : {} }
  },
})
