// Figures from the venue's two lists: the number of open outcomes, and their daily volume. Each list is one complete response.
import { metricsOf, wholeSum } from '../../shared/data/metrics.ts'
import { amountOf } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { fieldOf } from '../../shared/data/rows.ts'
import type { PublishedMetric } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { coinOf, encodingOf } from '../exec/asset.ts'
import { HyperOutcome, HyperQuestion, HyperSpotContext } from '../wire.ts'
import { getOutcomeMeta, getSpotContexts } from './endpoints.ts'

/** The unit of the daily volume. */
const quoteToken = 'USDC'

export async function fetchMetrics(context: VenueContext): Promise<PublishedMetric[]> {
  const [meta, contexts] = await Promise.all([getOutcomeMeta(context), getSpotContexts(context)])
  const outcomes = HyperOutcome.array().safeParse(meta.outcomes).data
  const questions = HyperQuestion.array().safeParse(meta.questions).data
  if (outcomes === undefined || questions === undefined) throw unreadable(context, 'outcomeMeta', 'a row of it')
  // As the catalog counts them: fallbacks are not listed.
  const fallbacks = new Set(questions.map(({ fallbackOutcome }) => fallbackOutcome))
  const open = outcomes.filter(({ outcome }) => !fallbacks.has(outcome))
  const volumes = new Map(
    contexts.flatMap((row) => {
      const { data } = String(fieldOf(row, 'coin')).startsWith('#') ? HyperSpotContext.safeParse(row) : {}
      return data === undefined ? [] : [[data.coin, amountOf(data.dayNtlVlm)] as const]
    }),
  )
  const coins = open.flatMap(({ outcome }) => [coinOf(encodingOf(outcome, 'YES')), coinOf(encodingOf(outcome, 'NO'))])
  const isOneToken = open.every((spec) => spec.quoteToken === quoteToken)
  return [
    ...metricsOf({ scope: 'listed', read: 'POST /info outcomeMeta' }, [['openMarkets', open.length, 'MARKETS']]),
    ...metricsOf({ scope: 'listed', read: 'POST /info spotMetaAndAssetCtxs' }, [
      ['volume24h', isOneToken ? wholeSum(coins.map((coin) => volumes.get(coin) ?? null)) : null, quoteToken],
    ]),
  ]
}
