// Candles: the venue's where it has the grain or a finer one, else built by our tape.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import { Candle } from '#schemas/marketData'
import type { OutcomeRef } from '#venues/venue'
import { grainFor, mergeCandles, parseResolution } from '../candles.ts'
import { askVenue } from '../deadline.ts'
import { defineVerb } from '../defineVerb.ts'
import { Id, Limit, Time, toIso } from '../fields.ts'
import type { Markets } from '../markets.ts'
import { findOutcome, outcomeRef } from '../outcomes.ts'
import type { VenueReads } from '../ports.ts'
import { locate } from '../routerIds.ts'

const candlesDefault = 500
const candlesMax = 5_000
/** Finer candles fetched to build one answer. */
const finerMax = 20_000

const Resolution = z
  .string()
  .max(16)
  .transform((text, context) => {
    const ms = parseResolution(text)
    if (ms !== null) return ms
    context.addIssue({ code: 'custom', message: 'is a count followed by s, m, h or d, like 5m' })
    return z.NEVER
  })

export const fetchOHLCV = defineVerb({
  name: 'fetchOHLCV',
  summary: 'Candles of an outcome, oldest first; resolution is a count followed by s, m, h or d',
  args: [
    { name: 'outcomeId', kind: 'string', aliases: ['id'] },
    { name: 'params', kind: 'object' },
  ],
  query: z.object({
    outcomeId: Id,
    resolution: Resolution,
    start: Time.optional(),
    end: Time.optional(),
    limit: Limit.max(candlesMax).default(candlesDefault),
  }),
  data: z.array(Candle),
  router: 'byId',
  errors: ['OUTCOME_NOT_FOUND', 'CATALOG_UNAVAILABLE', 'NETWORK_ERROR', 'HISTORY_UNAVAILABLE'],
  async handle({ query: { outcomeId, ...range }, exchange }, markets) {
    const { venue, id } = locate(exchange, outcomeId)
    if (range.start !== undefined && range.end !== undefined && range.end < range.start) {
      throw new Fault('VALIDATION_ERROR', 'end: lies before start')
    }
    const ref = outcomeRef(await findOutcome(markets.catalog, venue, id))
    const wanted = { resolutionMs: range.resolution, startMs: range.start, endMs: range.end, limit: range.limit }
    const fromVenue = await askForCandles(markets, venue, ref, wanted)
    if (fromVenue.candles !== null) {
      return { data: fromVenue.candles, asOf: toIso(markets.clock.now()), source: 'venue-rest' }
    }
    if (markets.tape === null)
      throw fromVenue.failure ?? new Fault('HISTORY_UNAVAILABLE', 'this deployment keeps no tape')
    const candles = await markets.tape.findCandles(venue.slug, ref.outcomeId, wanted, ref.marketId)
    if (candles.length === 0 && fromVenue.failure !== null) throw fromVenue.failure
    return { data: candles, asOf: toIso(candles.at(-1)?.timestamp ?? markets.clock.now()), source: 'archive' }
  },
})

interface Wanted {
  resolutionMs: number
  startMs: number | undefined
  endMs: number | undefined
  limit: number
}

/** `candles` null: the venue has no fitting grain, or failed with `failure`. */
async function askForCandles({ clock }: Markets, venue: VenueReads, ref: OutcomeRef, wanted: Wanted) {
  const { fetchCandles, candleResolutionsMs } = venue.data
  const grainMs = grainFor(wanted.resolutionMs, candleResolutionsMs ?? [])
  if (fetchCandles === undefined || grainMs === null) return { candles: null, failure: null }
  const factor = wanted.resolutionMs / grainMs
  if (wanted.limit * factor > finerMax) return { candles: null, failure: null }
  try {
    const query = { ...wanted, resolutionMs: grainMs, limit: wanted.limit * factor }
    const fine = await askVenue(venue, clock, (context) => fetchCandles(context, ref, query))
    const sorted = fine.toSorted((a, b) => a.timestamp - b.timestamp)
    const merged = factor === 1 ? sorted : mergeCandles(sorted, wanted.resolutionMs)
    return { candles: merged.slice(-wanted.limit), failure: null }
  } catch (failure) {
    return { candles: null, failure }
  }
}
