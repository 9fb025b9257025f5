// Which outcome of which market says the same as a chosen one: of other venues' markets only those that surely ask the same.
import type { Market, Outcome } from '#schemas/market'
import type { MatchBand, MatchRelation } from '#schemas/matches'

export interface Leg {
  market: Market
  venue: string
  outcomeId: string
  label: string
}

export interface MatchedMarket {
  market: Market & { yes?: Outcome | undefined; no?: Outcome | undefined }
  venue: string
  relation: MatchRelation
  polarity: 'same' | 'inverse'
  matchBand: MatchBand
}

type Sided = Market & { yes?: Outcome | undefined; no?: Outcome | undefined }

/** The chosen outcome's own leg comes first. Where it is neither Yes nor No nothing can be said of others. */
export function legsOf(market: Sided, outcome: Outcome, matches: readonly MatchedMarket[]): Leg[] {
  const own = { market, venue: market.sourceExchange, outcomeId: outcome.outcomeId, label: outcome.label }
  const side =
    market.yes?.outcomeId === outcome.outcomeId ? 'yes' : market.no?.outcomeId === outcome.outcomeId ? 'no' : null
  if (side === null) return [own]
  const others = matches.flatMap((match): Leg[] => {
    if (match.relation !== 'identity' || match.matchBand !== 'verified') return []
    const same = match.polarity === 'same' ? side : side === 'yes' ? 'no' : 'yes'
    const found = match.market[same]
    return found === undefined
      ? []
      : [{ market: match.market, venue: match.venue, outcomeId: found.outcomeId, label: found.label }]
  })
  return [own, ...others]
}
