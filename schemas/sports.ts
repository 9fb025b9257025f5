// Sports as served: fixtures, the bets on each, and prices across venues. Source: the specification's "Sports fixture list row".
import { z } from 'zod'

export const fixtureStatuses = ['scheduled', 'live', 'final', 'postponed', 'cancelled'] as const
export const FixtureStatus = z.enum(fixtureStatuses).meta({ id: 'FixtureStatus' })
export type FixtureStatus = z.infer<typeof FixtureStatus>

export const Team = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Team' })

/** One bet type on one part of the game. */
export const MarketDescriptor = z
  .object({
    /** `moneyline`, `draw_no_bet`, `to_advance`, `both_score`, `team_total`, `spread`, `total`; `spread_sets`, `total_maps` and the like where a sport counts several things. */
    marketType: z.string(),
    /** `game`, `half_1`, `quarter_3`, `set_2`, `map_1`, `innings_1_5`, … */
    period: z.string(),
    /** `game`, or the id of the team that the bet is about. */
    slot: z.string(),
    /** Ascending. For a spread: the handicap of the first of `teams`. */
    lines: z.array(z.number()),
    venues: z.array(z.string()),
  })
  .meta({ id: 'MarketDescriptor' })
export type MarketDescriptor = z.infer<typeof MarketDescriptor>

/** A venue's price of one result; with several markets, the best. */
export const VenuePrice = z
  .object({
    venue: z.string(),
    marketId: z.string(),
    outcomeId: z.string(),
    /** Probability; null: no offer, or no live book here. */
    bid: z.number().nullable(),
    bidSize: z.number().nullable(),
    ask: z.number().nullable(),
    askSize: z.number().nullable(),
    /** `none`: no book here yet; it has been requested. */
    state: z.enum(['live', 'stale', 'none']),
    /** Time of the book; null without one. */
    asOf: z.iso.datetime().nullable(),
  })
  .meta({ id: 'VenuePrice' })
export type VenuePrice = z.infer<typeof VenuePrice>

export const ScreenOutcome = z
  .object({
    /** Id of a team, or `draw`, `over`, `under`, `yes`, `no`. */
    outcome: z.string(),
    name: z.string(),
    /** The cheapest live ask; null when nothing is offered. */
    best: z
      .object({ venue: z.string(), marketId: z.string(), outcomeId: z.string(), price: z.number(), size: z.number() })
      .nullable(),
    venues: z.array(VenuePrice),
  })
  .meta({ id: 'ScreenOutcome' })

export const ScreenMarket = z
  .object({
    marketType: z.string(),
    period: z.string(),
    slot: z.string(),
    line: z.number().nullable(),
    outcomes: z.array(ScreenOutcome),
  })
  .meta({ id: 'ScreenMarket' })
export type ScreenMarket = z.infer<typeof ScreenMarket>

export const FixtureRow = z
  .object({
    fixtureId: z.string(),
    sport: z.string().nullable(),
    competition: z.object({ id: z.string(), name: z.string(), timeZone: z.string() }).nullable(),
    /** Null when no venue names the home team. */
    home: Team.nullable(),
    away: Team.nullable(),
    teams: z.array(Team),
    /** Null when only the day is known. */
    kickoffAt: z.iso.datetime().nullable(),
    kickoffPrecision: z.enum(['exact', 'date']),
    /** In the competition’s calendar; UTC when it has none. */
    eventDate: z.iso.date(),
    status: FixtureStatus,
    venues: z.array(z.string()),
    market: ScreenMarket.nullable(),
    markets: z.array(MarketDescriptor),
    unplaced: z.record(z.string(), z.number().int()),
    /** Only in degraded responses: the underlying data is older than its horizon allows. */
    stale: z.boolean().optional(),
  })
  .meta({ id: 'Fixture' })
export type FixtureRow = z.infer<typeof FixtureRow>

/** A market assigned to its fixture. */
export const Placement = z
  .object({
    venue: z.string(),
    marketId: z.string(),
    marketType: z.string(),
    period: z.string(),
    slot: z.string(),
    line: z.number().nullable(),
    /** Trading now, or may trade again. */
    open: z.boolean(),
    outcomes: z.array(z.object({ outcomeId: z.string(), outcome: z.string() })),
  })
  .meta({ id: 'Placement' })

export const FixtureDetail = FixtureRow.extend({ placements: z.array(Placement) }).meta({ id: 'FixtureDetail' })

export const ComparedVenue = z
  .object({
    venue: z.string(),
    /** Sum of the asks of all results minus 1; null when any ask is missing. */
    overround: z.number().nullable(),
    outcomes: z.array(
      VenuePrice.extend({
        outcome: z.string(),
        /** The ask without the margin: the ask over the sum of the asks; null when any is missing. */
        noVig: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'ComparedVenue' })

export const Comparison = z
  .object({
    fixture: FixtureRow,
    marketType: z.string(),
    period: z.string(),
    slot: z.string(),
    /** How `noVig` is computed. */
    method: z.literal('proportional'),
    lines: z.array(
      z.object({
        line: z.number().nullable(),
        outcomes: z.array(
          z.object({
            outcome: z.string(),
            name: z.string(),
            best: ScreenOutcome.shape.best,
            /** Median of the venues’ `noVig`, scaled so that the results sum to 1; null when no venue has one. */
            noVig: z.number().nullable(),
          }),
        ),
        venues: z.array(ComparedVenue),
      }),
    ),
  })
  .meta({ id: 'Comparison' })
export type Comparison = z.infer<typeof Comparison>

const count = { fixtures: z.number().int() }
export const Facets = z
  .object({
    sports: z.array(z.object({ sport: z.string(), ...count })),
    competitions: z.array(z.object({ id: z.string(), name: z.string(), sport: z.string(), ...count })),
    venues: z.array(z.object({ venue: z.string(), ...count })),
    statuses: z.array(z.object({ status: FixtureStatus, ...count })),
    marketTypes: z.array(z.object({ marketType: z.string(), ...count })),
  })
  .meta({ id: 'Facets' })
export type Facets = z.infer<typeof Facets>
