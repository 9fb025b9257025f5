// Candles: the venue's if it has the grain or a finer one, otherwise built from our tape. Which source answers when: docs/marketData.md, row by
// row.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { withTimeout } from '#core/withTimeout'
import { Candle } from '#schemas/marketData'
import { type CandlesQuery, canHaveCandles, type OutcomeRef } from '#venues/venue'
import {
  type CandleRange,
  cutCandles,
  intervalFor,
  mergeCandles,
  parseResolution,
  smallerInterval,
} from '../candles.ts'
import { defineVerb } from '../defineVerb.ts'
import { Id, Limit, Time, toIso } from '../fields.ts'
import { lateTimeoutMs } from '../historyEnrichment.ts'
import type { Markets } from '../markets.ts'
import { findOutcome, outcomeRef } from '../outcomes.ts'
import type { VenueReads } from '../ports.ts'
import { locate } from '../qualifiedIds.ts'
import { readFromVenue } from '../readDeadline.ts'

const candlesDefault = 500
const candlesMax = 5_000
/** Maximum finer candles fetched to build one answer. */
const finerMax = 20_000

const Resolution = z
  .string()
  .max(16)
  .transform((text, context) => {
    const ms = parseResolution(text)
    if (ms !== null) return ms
    context.addIssue({ code: 'custom', message: 'must be a count followed by s, m, h or d, like 5m' })
    return z.NEVER
  })

export const fetchOHLCV = defineVerb({
  name: 'fetchOHLCV',
  summary:
    'Candles of an outcome, oldest first, in UTC buckets: from start on, or the newest; resolution is a count of s, m, h or d. ' +
    'The venue’s own if it has a grain that divides the resolution and returns any, otherwise made from the trades on our tape: provenance.source is venue-rest or archive',
  args: [
    { name: 'outcomeId', kind: 'string', aliases: ['id'] },
    { name: 'params', kind: 'object' },
  ],
  query: z
    .object({
      outcomeId: Id,
      resolution: Resolution,
      start: Time.optional(),
      end: Time.optional(),
      limit: Limit.max(candlesMax).default(candlesDefault),
    })
    .meta({ examples: [{ outcomeId: 'KXBTC-26', resolution: '1h', limit: 24 }] }),
  data: z.array(Candle),
  has: ({ data }) => canHaveCandles(data),
  router: 'byId',
  heavy: true,
  rowsPerCredit: 500,
  errors: ['OUTCOME_NOT_FOUND', 'NOT_SUPPORTED', 'CATALOG_UNAVAILABLE', 'NETWORK_ERROR', 'HISTORY_UNAVAILABLE'],
  async handle({ query: { outcomeId, ...range }, exchange }, markets) {
    const { venue, id } = locate(exchange, outcomeId)
    if (range.start !== undefined && range.end !== undefined && range.end < range.start) {
      throw new Fault('VALIDATION_ERROR', 'end: is before start')
    }
    if (!canHaveCandles(venue.data)) {
      throw new Fault('NOT_SUPPORTED', `${venue.slug} has neither candles nor a tape of trades`, {
        exchange: venue.slug,
      })
    }
    const ref = outcomeRef(await findOutcome(markets.catalog, venue, id))
    const wanted = { resolutionMs: range.resolution, startMs: range.start, endMs: range.end, limit: range.limit }
    const fromVenue = await askForCandles(markets, venue, ref, wanted)
    if (fromVenue.candles !== null && fromVenue.candles.length > 0) {
      return { data: fromVenue.candles, asOf: toIso(markets.clock.now()), source: 'venue-rest' }
    }
    if (markets.tape === null && fromVenue.candles === null)
      throw fromVenue.failure ?? new Fault('HISTORY_UNAVAILABLE', 'this deployment keeps no tape')
    const taped = await tapedCandles(markets, venue, ref, wanted, fromVenue)
    if (taped.length === 0 && fromVenue.candles !== null) {
      return { data: [], asOf: toIso(markets.clock.now()), source: 'venue-rest' }
    }
    const asOf = toIso(taped.at(-1)?.timestamp ?? markets.clock.now())
    return { data: taped, asOf, source: 'archive', ...(await tapeMeta(markets, venue, ref, range.end)) }
  },
})

/** Up to when the trades behind the candles were read, if the range reaches beyond it. */
async function tapeMeta({ facts, clock, log }: Markets, venue: VenueReads, ref: OutcomeRef, endMs: number | undefined) {
  if (facts === null) return {}
  try {
    const found = await withTimeout(clock, lateTimeoutMs, facts.findCoverage(venue.slug, [ref], clock.now()))
    const tapeUntil = found?.get(ref.outcomeId)?.tradesUntil ?? null
    const isBeyond = tapeUntil !== null && Date.parse(tapeUntil) < Math.min(endMs ?? clock.now(), clock.now())
    return isBeyond ? { meta: { tapeUntil } } : {}
  } catch (error) {
    log.warn({ venue: venue.slug, err: error }, 'failed to read up to when the trades of candles are complete')
    return {}
  }
}

/** `candles` null: the venue has no suitable grain, or failed with `failure`. */
interface VenueCandles {
  candles: Candle[] | null
  failure: unknown
}

/** Used when the venue has answered: a failing tape must not spoil that, and yields an empty list. */
async function tapedCandles(
  { tape, log }: Markets,
  venue: VenueReads,
  ref: OutcomeRef,
  wanted: CandleRange,
  venueResult: VenueCandles,
): Promise<Candle[]> {
  try {
    const candles = (await tape?.findCandles(venue.slug, ref.outcomeId, definedOf(wanted), ref.marketId)) ?? []
    if (candles.length === 0 && venueResult.failure !== null) throw venueResult.failure
    return candles
  } catch (error) {
    if (venueResult.candles === null) throw error
    log.warn(
      { venue: venue.slug, err: error },
      'failed to read candles from the tape after an empty response of the venue',
    )
    return []
  }
}

async function askForCandles(
  { clock }: Markets,
  venue: VenueReads,
  ref: OutcomeRef,
  wanted: CandleRange,
): Promise<VenueCandles> {
  const { fetchCandles, candleResolutionsMs } = venue.data
  const grainMs = intervalFor(wanted.resolutionMs, candleResolutionsMs ?? [])
  if (fetchCandles === undefined || grainMs === null) return { candles: null, failure: null }
  const finer = smallerInterval(wanted, grainMs)
  if (finer.limit > finerMax) return { candles: null, failure: null }
  try {
    const fine = await readFromVenue(venue, clock, (context) => fetchCandles(context, ref, definedOf(finer)))
    const sorted = fine.toSorted((a, b) => a.timestamp - b.timestamp)
    return { candles: cutCandles(mergeCandles(sorted, wanted.resolutionMs), wanted), failure: null }
  } catch (failure) {
    return { candles: null, failure }
  }
}

const definedOf = ({ resolutionMs, startMs, endMs, limit }: CandleRange): CandlesQuery => ({
  resolutionMs,
  limit,
  ...(startMs === undefined ? {} : { startMs }),
  ...(endMs === undefined ? {} : { endMs }),
})
