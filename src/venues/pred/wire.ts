// What PRED's public reads send. https://pred-1.gitbook.io/pred-docs/api-reference (OpenAPI as published in July 2026); no recording of ours. Lists
// hold rows as `unknown`: one bad row is skipped and logged, and the rest of the page is kept.
import { z } from 'zod'
import { row, StateWord } from '../shared/data/row.ts'
import { isHash } from './ids.ts'

/** bytes32. */
const Hash = z.string().refine(isHash)

/** A decimal as text. Prices are cents, sizes shares. */
const Figure = z.union([z.string(), z.number()]).transform(String)

/** Descriptive fields: a different form counts as unknown and does not cost the row. */
const Note = z.string().nullish().catch(null)
const Count = z.number().nullish().catch(null)
const OptionalFigure = Figure.nullish().catch(null)

/** The list has the first half, the parent's own read the second. */
export const PredParent = row(
  z.object({
    parent_market_id: Hash,
    title: z.string(),
    canonical_name: Note,
    status: StateWord,
    parent_market_type: Note,
    parent_market_family: Note,
    /** Documented as text; a client of 2026 reads a number too. */
    market_line: OptionalFigure,
    contract_address: Note,
    /** When it closes. */
    markets_open: Note,
    rules: Note,
    /** Running total. */
    parent_market_volume: OptionalFigure,
    contract_type: Note,
    logo_url: Note,
    theme_color: Note,
  }),
)
export type PredParent = z.infer<typeof PredParent>

/** The list has the first four, the parent's own read all. */
export const PredChild = row(
  z.object({
    market_id: Hash,
    name: z.string(),
    team_id: Note,
    status: StateWord,
    alternate_name: Note,
    logo_url: Note,
    /** Cents. */
    tick_size: OptionalFigure,
    rules: Note,
    /** Of the last trade. */
    ltp: OptionalFigure,
    /** Running total. */
    volume: OptionalFigure,
    mid_price: OptionalFigure,
    percentage_change: OptionalFigure,
  }),
)
export type PredChild = z.infer<typeof PredChild>

const Fixture = z.object({
  fixture_id: Note,
  game_start_time: Note,
  game_status: Note,
  home_team_id: Note,
  home_team_score: Count,
  away_team_id: Note,
  away_team_score: Count,
  group_by: Note,
  match_day: Count,
  canonical_name: Note,
})

export const PredEntry = row(
  z.object({
    league_data: z.object({ league_id: Note }).nullish().catch(null),
    parent_market_data: PredParent,
    fixture: Fixture.nullish().catch(null),
    markets: z.array(z.unknown()),
  }),
)
export type PredEntry = z.infer<typeof PredEntry>

export const PredDiscovery = z.object({
  data: z.object({ parent_markets_list: z.array(z.unknown()), total: z.number().int().nonnegative().nullish() }),
})

export const PredDetails = z.object({
  data: z.object({ parent_market_data: PredParent, markets: z.array(z.unknown()) }),
})

const Level = z.object({ price: Figure, size: Figure })

export const PredBook = z.object({ success: z.literal(true).nullish(), bids: z.array(Level), asks: z.array(Level) })
export type PredBook = z.infer<typeof PredBook>

export const PredRefusal = z.object({ success: z.literal(false), error: z.object({ code: Note }).nullish() })
