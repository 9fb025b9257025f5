// Rows as list verbs return them.
import { z } from 'zod'
import { Event, Market, Outcome } from '#schemas/market'
import type { VerbAnswer } from '../defineVerb.ts'
import { toIso } from '../fields.ts'
import type { Markets } from '../markets.ts'
import type { ListPage } from '../readList.ts'

/** A market with the shortcuts of two-sided markets. */
export const MarketRow = Market.extend({
  yes: Outcome.optional(),
  no: Outcome.optional(),
  up: Outcome.optional(),
  down: Outcome.optional(),
}).meta({ id: 'Market' })
export const EventRow = Event.extend({ markets: z.array(MarketRow) }).meta({ id: 'Event' })

export const pageOf = <T extends z.ZodType>(row: T) =>
  z.object({
    data: z.array(row),
    total: z.number().int().optional(),
    totalUnknown: z.literal(true).optional(),
    nextCursor: z.string().optional(),
  })

/** `total`, or the statement that it was not counted. */
export const totalOf = (total: number | null) => (total === null ? { totalUnknown: true as const } : { total })
export const cursorOf = (nextCursor: string | null) => (nextCursor === null ? {} : { nextCursor })

/** The tape did not answer price changes and coverage in time: null then means "not yet", and a later read knows more. */
const pendingOf = (pending: boolean) => (pending ? { pending: true as const } : {})
export const pendingMeta = (pending: boolean) => (pending ? { meta: pendingOf(pending) } : {})

interface Listed {
  page: ListPage<unknown>
  limit: number
  pending: boolean
}

export function listAnswer({ page, limit, pending }: Listed, data: unknown): VerbAnswer {
  return {
    data,
    asOf: toIso(page.asOf),
    source: 'catalog',
    meta: {
      limit,
      ...totalOf(page.total),
      ...cursorOf(page.nextCursor),
      ...pendingOf(pending),
      ...(page.suggestions && { suggestions: page.suggestions }),
    },
  }
}

/** Computed now from what the caller sent. */
export const emulated = (markets: Markets, data: unknown, meta?: Readonly<Record<string, unknown>>): VerbAnswer => ({
  data,
  asOf: toIso(markets.clock.now()),
  source: 'computed',
  ...(meta === undefined ? {} : { meta }),
})
