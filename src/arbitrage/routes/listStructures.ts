// Legs of several markets that cannot all lose, as of now.

import { z } from 'zod'
import { type CursorCodec, cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { AsOf, Page } from '#schemas/envelope'
import { StructureCounts, StructureKind, StructureRow } from '#schemas/structures'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit, queryNumber } from '#server/http/queryNumbers'
import { unknownVenue } from '../filter.ts'
import { structurePage } from '../structures/read.ts'
import type { StructureView } from '../structures/view.ts'

export interface StructureRouteDeps {
  structures: {
    /** Null: disabled here. */
    view: Pick<StructureView, 'state'> | null
    /** Venues a filter may name. */
    served: readonly string[]
    cursors: CursorCodec
  }
}

const limitMax = 200
/** Dollars: no structure is that large. */
const edgeMax = 1e9
const Flag = z.enum(['true', 'false']).transform((word) => word === 'true')
const words = (text: string): string[] => [...new Set(text.split(',').map((word) => word.trim()))]

const Query = z.strictObject({
  executableOnly: Flag.optional(),
  kind: z
    .string()
    .transform(words)
    .pipe(z.array(StructureKind))
    .optional()
    .describe('comma list; default: all but equality'),
  venues: z
    .string()
    .max(500)
    .toLowerCase()
    .transform(words)
    .optional()
    .describe('comma list: every leg is on one of these'),
  minEdge: queryNumber({ min: -edgeMax, max: edgeMax }).optional().describe('minimum edge in dollars'),
  limit: clampedLimit(50, limitMax).describe('values above 200 are served as 200'),
  cursor: z.string().max(2_048).optional(),
})

const Position = z.tuple([z.boolean(), z.number(), z.string()])
const cursorKind = 'structures'

export const listStructures = defineRoute({
  operationId: 'listStructures',
  method: 'get',
  path: '/v1/arbitrage/structures',
  access: { scope: 'read', feature: 'arbitrage', credits: 2, rowsPerCredit: 50 },
  heavy: true,
  summary:
    'Legs of several markets that cannot all lose (implications, partitions, ladders, exclusions), with depth and fees: executable ones first, then by edge; pass nextCursor back as cursor',
  tag: 'arbitrage',
  query: Query,
  data: z.array(StructureRow),
  topLevelFields: { asOf: AsOf, meta: StructureCounts, page: Page, nextCursor: z.string().nullable() },
  errors: ['ARBITRAGE_UNAVAILABLE'],
  handle({ query }, { structures }: StructureRouteDeps) {
    const { limit, cursor, executableOnly, kind: kinds, venues, minEdge } = query
    const strange = unknownVenue(venues, structures.served)
    if (strange !== null) throw new Fault('VALIDATION_ERROR', strange)
    if (structures.view === null) throw new Fault('ARBITRAGE_UNAVAILABLE', 'structures are not computed here')
    const state = structures.view.state()
    if (state === null)
      throw new Fault('ARBITRAGE_UNAVAILABLE', 'structures are not computed right now: try again shortly', {
        retryAfterSeconds: 2,
      })
    const filter = { executableOnly, kinds, venues, minEdge }
    const bind = cursorBinding(filter)
    let after = null
    if (cursor !== undefined) {
      const [executable, edge, id] = Position.parse(structures.cursors.decode(cursorKind, bind, cursor))
      after = { executable, edge, id }
    }
    const page = structurePage(state.rows, filter, limit, after)
    const last = page.hasMore ? page.rows.at(-1)! : null
    const nextCursor =
      last === null ? null : structures.cursors.encode(cursorKind, bind, [last.executable, last.edge, last.id])
    return {
      data: page.rows,
      siblings: {
        asOf: state.computedAt === null ? null : new Date(state.computedAt).toISOString(),
        meta: state.counts,
        page: { limit, hasMore: page.hasMore, nextCursor },
        nextCursor,
      },
    }
  },
})
