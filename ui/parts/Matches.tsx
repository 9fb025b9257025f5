import type { z } from 'zod'
import type { MatchRow } from '#marketData/markets/crossVenue/matchRows'
import type { Market } from '#schemas/market'
import { type Answer, api } from '../lib/api.ts'
import { format } from '../lib/format.ts'
import { type Polled, usePolled } from '../lib/hooks.ts'
import { hashOf } from '../lib/router.ts'
import { Failure } from './ErrorMessage.tsx'

type Match = z.infer<typeof MatchRow>

const everyMs = 30_000
const matchesMax = 50

export type MatchesState = Polled<Answer<Match[]>>

export const useMatches = ({ sourceExchange, marketId }: Market): MatchesState =>
  usePolled(
    `matches ${sourceExchange} ${marketId}`,
    (signal) =>
      api('/api/router/fetchMarketMatches', { marketId: `${sourceExchange}:${marketId}`, limit: matchesMax }, signal),
    everyMs,
  )

/** Markets elsewhere that are related to a market, their relation, and their differences. */
export function Matches({ matches: { value, error } }: { matches: MatchesState }) {
  if (value === null) return error === null ? <p class="quiet">Loading…</p> : <Failure error={error} />
  if (value.data.length === 0) return <p class="quiet">No matching market on another venue.</p>
  return (
    <ul class="plain">
      {value.data.map((match) => (
        <MatchLine key={match.market.marketId} match={match} />
      ))}
    </ul>
  )
}

function MatchLine({ match }: { match: Match }) {
  const { market, venue, relation, polarity, matchScore, matchBand, relationBand, matchDifferences } = match
  const band = relation === 'identity' ? matchBand : relationBand
  return (
    <li>
      <div class="bar">
        <span class="badge">{venue}</span>
        <a href={hashOf('market', venue, market.marketId.slice(venue.length + 1))}>{market.title}</a>
      </div>
      <div class="bar">
        <span class={`badge ${band === 'verified' ? 'good' : 'warn'}`}>
          {relation}
          {band === null ? '' : `, ${band}`}
        </span>
        <small>
          score {format.count(matchScore)}
          {polarity === 'inverse' && ' · YES here is NO there'} · bid {format.price(match.bestBid)}, ask{' '}
          {format.price(match.bestAsk)}
        </small>
      </div>
      <small>{match.relationReason}</small>
      {matchDifferences.length > 0 && (
        <ul>
          {matchDifferences.map(({ kind, detail, points }) => (
            <li key={`${kind} ${detail}`}>
              {detail} <small>({format.count(points)} points)</small>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
