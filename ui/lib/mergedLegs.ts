// Finds the outcomes that mean the same as a chosen one: on other venues only in markets that certainly ask the same question.
import { sidesOf } from '#arbitrage/pairsFromMatches'
import type { Market, Outcome } from '#schemas/market'
import type { MatchBand, MatchRelation } from '#schemas/matches'

export interface Leg {
  /** Display name; unique among the legs. */
  id: string
  market: Market
  venue: string
  outcomeId: string
}

export interface MatchedMarket {
  market: Market
  venue: string
  relation: MatchRelation
  polarity: 'same' | 'inverse'
  matchBand: MatchBand
  /** Null: not the same question as the requested market, whatever the single pair shows. */
  clusterId: string | null
}

export interface Legs {
  /** The chosen outcome's own leg comes first. */
  legs: Leg[]
  /** Markets that ask the same question and cannot be merged, with the reason. */
  left: { id: string; reason: string }[]
}

export function legsOf(market: Market, outcome: Outcome, matches: readonly MatchedMarket[]): Legs {
  const own = { market, venue: market.sourceExchange, outcome }
  const side = sideOf(market, outcome)
  const found: { market: Market; venue: string; outcome: Outcome }[] = [own]
  const left: Legs['left'] = []
  for (const match of matches.filter(asksTheSame)) {
    const same = side === null || match.polarity === 'same' ? side : opposite[side]
    const other = same === null ? null : sidesOf(match.market)[same]
    if (match.clusterId === null) left.push({ id: match.venue, reason: 'other matches contradict this one' })
    else if (other === null)
      left.push({
        id: match.venue,
        reason: `which of its outcomes is ${same === null ? `“${outcome.label}”` : same.toUpperCase()} is unknown`,
      })
    else found.push({ market: match.market, venue: match.venue, outcome: other })
  }
  return { legs: named(found), left }
}

const opposite = { yes: 'no', no: 'yes' } as const

/** An inverse identity is stored as a complement. */
const asksTheSame = ({ relation, matchBand }: MatchedMarket): boolean =>
  matchBand === 'verified' && (relation === 'identity' || relation === 'complement')

/** Found by the same rule as the program uses for its own surface. */
function sideOf(market: Market, { outcomeId }: Outcome): 'yes' | 'no' | null {
  const { yes, no } = sidesOf(market)
  return yes?.outcomeId === outcomeId ? 'yes' : no?.outcomeId === outcomeId ? 'no' : null
}

function named(found: readonly { market: Market; venue: string; outcome: Outcome }[]): Leg[] {
  const names = found.map(({ venue, outcome }) => `${venue} ${outcome.label}`)
  const isAlone = (name: string): boolean => names.indexOf(name) === names.lastIndexOf(name)
  return found.map(({ market, venue, outcome: { outcomeId } }, i) => {
    const name = names[i]!
    const id = market.marketId.startsWith(`${venue}:`) ? market.marketId.slice(venue.length + 1) : market.marketId
    return { id: isAlone(name) ? name : `${name} (${id})`, market, venue, outcomeId }
  })
}
