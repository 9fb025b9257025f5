// Recent public trades: a snapshot of the venue's tape; ours answers when the venue does not.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { Trade } from '#schemas/marketData'
import { defineVerb } from '../defineVerb.ts'
import { Id, Limit, Time, toIso } from '../fields.ts'
import { findOutcome, outcomeRef } from '../outcomes.ts'
import { locate } from '../qualifiedIds.ts'
import { readFromVenue } from '../readDeadline.ts'

const tradesDefault = 100
const tradesMax = 1_000

export const fetchTrades = defineVerb({
  name: 'fetchTrades',
  summary:
    'Recent public trades of an outcome, newest first from either source; 501 where the venue has no verified tape',
  args: [
    { name: 'outcomeId', kind: 'string', aliases: ['id'] },
    { name: 'params', kind: 'object' },
  ],
  query: z
    .object({
      outcomeId: Id,
      start: Time.optional(),
      end: Time.optional(),
      limit: Limit.max(tradesMax).default(tradesDefault),
      /** Accepted and ignored: older clients send it. */
      resolution: z.string().max(16).optional(),
    })
    .meta({
      examples: [
        { outcomeId: '71321045679252212594626385532706912750332728571942532289631379312455583992563', limit: 50 },
      ],
    }),
  data: z.array(Trade),
  has: (venue) => venue.data.fetchTrades !== undefined,
  router: 'byId',
  heavy: true,
  rowsPerCredit: 100,
  errors: ['OUTCOME_NOT_FOUND', 'NOT_SUPPORTED', 'CATALOG_UNAVAILABLE', 'NETWORK_ERROR'],
  async handle({ query: { outcomeId, start, end, limit }, exchange }, { catalog, tape, clock, log }) {
    const { venue, id } = locate(exchange, outcomeId)
    const { fetchTrades: fetch } = venue.data
    if (fetch === undefined)
      throw new Fault('NOT_SUPPORTED', `${venue.slug} has no verified trades tape`, { exchange: venue.slug })
    if (start !== undefined && end !== undefined && end < start)
      throw new Fault('VALIDATION_ERROR', 'end: is before start')
    const ref = outcomeRef(await findOutcome(catalog, venue, id))
    const range = { startMs: start, endMs: end, limit }
    try {
      const trades = await readFromVenue(venue, clock, (context) => fetch(context, ref, range))
      return { data: trades.toSorted(newestFirst).slice(0, limit), asOf: toIso(clock.now()), source: 'venue-rest' }
    } catch (error) {
      const taped = tape === null ? [] : await tape.findTrades(venue.slug, ref.outcomeId, range, ref.marketId)
      if (taped.length === 0) throw error
      log.warn({ venue: venue.slug, err: error }, 'trades answered from the tape')
      return { data: taped, asOf: toIso(taped[0]!.timestamp), source: 'archive' }
    }
  },
})

/** Trades of one moment keep their order. */
const newestFirst = (a: Trade, b: Trade): number => b.timestamp - a.timestamp
