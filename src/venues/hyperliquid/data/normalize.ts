// Maps outcomes and questions to our types. Pure: nothing is guessed, what the venue does not report is null or absent.
import { type Event, type Market, noPriceChanges, type Outcome } from '#schemas/market'
import { dailyVolume, ownDailyVolume } from '../../shared/dailyVolume.ts'
import { amountOf, known, omitUndefined } from '../../shared/data/parsers.ts'
import { coinOf, encodingOf } from '../exec/asset.ts'
import { tick } from '../exec/wireNumbers.ts'
import type { HyperOutcome, HyperSettled, HyperSpotContext } from '../wire.ts'
import type { Templates } from './enumMaps.ts'
import { payoutsOf, priceOf } from './numbers.ts'
import { outcomeTexts, type QuestionHead, questionTexts } from './titleTemplates.ts'

const sourceExchange = 'hyperliquid'
const site = 'https://app.hyperliquid.xyz'

/** Data in addition to the rows themselves. */
export interface RowContext {
  templates: Templates
  /** By coin. */
  contexts: ReadonlyMap<string, HyperSpotContext>
}

/** An outcome with its question (null if standalone) and its settlement (null if unsettled). */
export interface Listed {
  spec: HyperOutcome
  question: QuestionHead | null
  settled: HyperSettled | null
}

/** The question, or the standalone outcome that is its own question: the two are numbered separately. */
export const eventIdOf = ({ spec, question }: Pick<Listed, 'spec' | 'question'>): string =>
  question === null ? `outcome-${spec.outcome}` : String(question.question)

export function normalizeMarket(listed: Listed, { templates, contexts }: RowContext): Market {
  const { spec, question, settled } = listed
  const { labels, title, description, slug, fields, resolvesAt } = outcomeTexts(spec, question, templates)
  const marketId = String(spec.outcome)
  const coins = (['YES', 'NO'] as const).map((side) => coinOf(encodingOf(spec.outcome, side)))
  const payouts = settled === null ? null : payoutsOf(settled.settleFraction)
  const volumes = coins.map((coin) => (settled === null ? amountOf(contexts.get(coin)?.dayNtlVlm) : null))
  const outcome = (index: 0 | 1): Outcome => {
    const context = contexts.get(coins[index]!)
    const supply = amountOf(context?.circulatingSupply)
    return {
      outcomeId: coins[index]!,
      marketId,
      label: labels[index],
      price: settled === null ? (priceOf(context?.markPx) ?? priceOf(context?.midPx)) : (payouts?.[index] ?? null),
      // Lists carry no quotes; the book does.
      bestBid: null,
      bestAsk: null,
      ...noPriceChanges,
      coverage: null,
      metadata: known({ volume24h: volumes[index], circulatingSupply: supply }),
    }
  }
  return {
    marketId,
    eventId: eventIdOf(listed),
    title,
    description,
    slug,
    outcomes: [outcome(0), outcome(1)],
    ...omitUndefined({ resolutionDate: resolvesAt ?? undefined, category: fields.category || undefined }),
    ...ownDailyVolume(sumOf(volumes)),
    volume: null,
    liquidity: null,
    openInterest: null,
    url: urlOf(coins[0]!),
    tickSize: Number(tick),
    status: settled === null ? 'active' : 'resolved',
    sourceExchange,
    sourceMetadata: known({
      // The lane builds from the first three.
      outcome: spec.outcome,
      quoteToken: spec.quoteToken,
      deployerFeeScale: spec.deployerFeeScale,
      marketType: 'binary',
      executionModel: 'clob',
      collateral: spec.quoteToken,
      volumeUnit: spec.quoteToken,
      question: question?.question,
      venueName: spec.name,
      deployerName: spec.venue,
      deployer: spec.deployer,
      terms: Object.keys(fields).length === 0 ? null : fields,
      settleFraction: settled?.settleFraction,
      settleDetails: settled?.details,
    }),
  }
}

/** What a question says about its outcomes besides their names; a settled question lacks it. */
export interface QuestionTerms {
  fallbackOutcome?: number | null
  namedOutcomes?: readonly number[]
  settledNamedOutcomes?: readonly number[] | null
}

/** `markets`: at least one of the event's markets. */
export function normalizeEvent(
  first: Listed,
  markets: readonly Market[],
  { templates }: RowContext,
  terms: QuestionTerms | null,
): Event {
  const { question } = first
  const texts = question === null ? outcomeTexts(first.spec, null, templates) : questionTexts(question, templates)
  return {
    id: eventIdOf(first),
    title: texts.title,
    description: texts.description,
    slug: texts.slug,
    markets: [...markets],
    ...dailyVolume(markets),
    volume: null,
    url: markets[0]?.url ?? `${site}/outcomes`,
    ...omitUndefined({ category: texts.fields.category || undefined }),
    seriesId: null,
    sourceExchange,
    sourceMetadata: known({
      question: question?.question,
      venueName: question?.name,
      // Exactly one outcome of a question pays: a named one, or the unlisted fallback.
      mutuallyExclusive: question === null ? null : true,
      fallbackOutcome: terms?.fallbackOutcome,
      namedOutcomes: terms?.namedOutcomes,
      settledNamedOutcomes: terms?.settledNamedOutcomes,
      terms: Object.keys(texts.fields).length === 0 ? null : texts.fields,
    }),
  }
}

/** The page of a coin; a plain `#` would begin a fragment. */
const urlOf = (coin: string): string => `${site}/outcomes/${encodeURIComponent(coin)}`

/** Null as soon as one part is unknown. Rounded to the millionth, the precision of the venue's decimals. */
function sumOf(parts: readonly (number | null)[]): number | null {
  let sum = 0
  for (const part of parts) {
    if (part === null) return null
    sum += part
  }
  return Math.round(sum * 1e6) / 1e6
}
