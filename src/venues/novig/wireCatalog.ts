// What Novig's public REST catalog sends: documents of its API v3 (openapi-v3-target.json, read 2026-11-29 in a stored copy) and rows that third
// parties recorded on 2026-09-25 and later. https://docs.novig.com/api-reference
import { z } from 'zod'
import { row, StateWord } from '../shared/data/row.ts'
import { isId } from './ids.ts'

const Id = z.string().refine(isId, 'must be a UUID')
/** Documented as text; a number is read too. */
const Figure = z.union([z.string(), z.number()]).nullish()
const Note = z.string().nullish()

/** `next` is absent on the last page. */
export const CatalogList = z.object({ items: z.array(z.unknown()), next: z.string().nullish().catch(null) })

export const CatalogEvent = row(
  z.object({
    eventId: Id,
    description: z.string(),
    /** OPEN_PREGAME, CLOSED_PREGAME, OPEN_INGAME, DELAYED, SETTLED, FINAL, CANCELED. */
    status: StateWord,
    sport: Note,
    league: Note,
    /** Epoch ms. */
    startsTs: Figure,
  }),
)
export type CatalogEvent = z.infer<typeof CatalogEvent>

export const CatalogMarket = row(
  z.object({
    marketId: Id,
    eventId: Id,
    description: z.string(),
    /** OPEN, CLOSED, SETTLED. */
    status: StateWord,
    marketType: Note,
    /** The line, a decimal; a spread's is the home side's. Absent without a line. */
    strike: Figure,
    /** What a void market does: `PUSH` refunds every cost, `FMV` pays each outcome its fair value. */
    voids: Note,
    fee: z.object({ coefficient: Figure, makerCredit: Figure, charged: Note }).nullish(),
    /** In no fixed order. */
    outcomes: z.array(z.object({ outcomeId: Id, name: Note, status: Note })).min(1),
  }),
)
export type CatalogMarket = z.infer<typeof CatalogMarket>

/** Resting bids by outcome, each in cents of payout, best first. CASH alone. */
export const CatalogBook = z.object({
  marketId: Id,
  orders: z.record(z.string(), z.array(z.object({ price: Figure, qty: Figure }))),
})
export type CatalogBook = z.infer<typeof CatalogBook>
