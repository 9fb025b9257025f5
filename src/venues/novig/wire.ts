// What Novig's public GraphQL sends. https://docs.novig.com (odds screens); rows recorded 2025-09-21. Lists hold rows as `unknown`: one bad row is
// skipped and logged, it does not lose the page.
import { z } from 'zod'
import { row, StateWord } from '../shared/data/row.ts'
import { isId } from './ids.ts'

const Id = z.string().refine(isId, 'must be a UUID')
/** A JSON number in every recording; text in some clients' tests. */
const Figure = z.union([z.string(), z.number()]).nullish()

// Text and numbers we only pass on: a different form counts as unknown and does not cost the row.
const Note = z.string().nullish().catch(null)
const Count = z.number().nullish().catch(null)

/** A resting bid; there are only bids. A bid for one of two outcomes is an ask for the other. */
export const NovigOrder = z.object({
  /** Only `OPEN`, as requested. */
  status: z.string(),
  /** `CASH`; `COIN` is play money. */
  currency: z.string().nullish(),
  /** The unfilled part, in cents of payout: 45,000 pay 450 CASH. */
  qty: Figure,
  /** Probability, up to three decimals. */
  price: Figure,
})
export type NovigOrder = z.infer<typeof NovigOrder>

export const NovigOutcome = z.object({
  id: Id,
  /** Home or over is 0, away or under 1. */
  index: Count,
  description: Note,
  /** `TBD`; settled `WIN`, `LOSS`, `PUSH` (its cost is refunded), or its payout as a decimal. https://docs.novig.com (event lifecycle) */
  status: Note,
  /** Of the newest trade; null before the first. */
  last: Figure,
  /** The current offer, except the smallest orders; null without offers. */
  available: Figure,
})
export type NovigOutcome = z.infer<typeof NovigOutcome>

export const NovigMarket = row(
  z.object({
    id: Id,
    description: z.string(),
    /** OPEN, CLOSED, SETTLED. */
    status: StateWord,
    /** MONEY, SPREAD, TOTAL, and a hundred others. */
    type: Note,
    strike: Count,
    /** All-time, in CASH. */
    volume: Figure,
    is_consensus: z.boolean().nullish().catch(null),
    updated_at: Note,
    player: z.object({ full_name: Note }).nullish().catch(null),
    /** Of the public catalog alone, as is `voids`. */
    fee: z.object({ coefficient: Figure, charged: Note }).nullish().catch(null),
    voids: Note,
    outcomes: z.array(NovigOutcome).min(1),
  }),
)
export type NovigMarket = z.infer<typeof NovigMarket>

/** Its markets are read one by one. */
export const NovigEvent = row(
  z.object({
    id: Id,
    description: z.string(),
    /** INITIAL, OPEN_PREGAME, CLOSED_PREGAME, OPEN_INGAME, DELAYED, FINAL, CANCELED. */
    status: StateWord,
    game: z.object({ scheduled_start: Note, league: Note }).nullish().catch(null),
    /** Of the public catalog alone. */
    sport: Note,
    markets: z.array(z.unknown()),
  }),
)
export type NovigEvent = z.infer<typeof NovigEvent>

/** A market for reading its books. An unreadable order costs its market's book. */
export const NovigBooks = z.object({
  id: Id,
  outcomes: z.array(z.object({ id: Id, last: Figure, orders: z.array(NovigOrder) })).min(1),
})
export type NovigBooks = z.infer<typeof NovigBooks>

/** Either `data` or `errors`, both with status 200. */
export const NovigAnswer = z.object({
  data: z.record(z.string(), z.array(z.unknown())).nullish(),
  errors: z.array(z.object({ message: Note, extensions: z.object({ code: Note }).nullish() })).nullish(),
})
