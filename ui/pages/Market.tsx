// One market: its live book, candles, trades, its coverage on the tape, and the markets elsewhere that ask the same question.
import { useState } from 'preact/hooks'
import type { Market, Outcome } from '#schemas/market'
import { api } from '../lib/api.ts'
import { format, unknown } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { useModule } from '../lib/lazy.ts'
import { bookName, useBooks } from '../lib/liveBook.ts'
import { openInterestOf, volumeOf } from '../lib/units.ts'
import { isWebAddress } from '../lib/webAddress.ts'
import { Candles } from '../parts/Candles.tsx'
import { Failure } from '../parts/ErrorMessage.tsx'
import { LadderTable } from '../parts/LadderTable.tsx'
import { Matches, useMatches } from '../parts/Matches.tsx'
import { Trades } from '../parts/Trades.tsx'

const everyMs = 15_000

export function MarketPage({ words: [venue = '', marketId = ''] }: { words: string[] }) {
  const { value, error } = usePolled(
    `market ${venue} ${marketId}`,
    (signal) => api<Market>(`/api/${encodeURIComponent(venue)}/fetchMarket`, { marketId }, signal),
    everyMs,
  )
  const [chosen, setChosen] = useState(0)
  if (value === null)
    return (
      <>
        <h1>Market</h1>
        <Failure error={error} />
        {error === null && <p class="quiet">Loading…</p>}
      </>
    )
  const market = value.data
  const outcome = market.outcomes[chosen] ?? market.outcomes[0]
  return (
    <>
      <h1>{market.title}</h1>
      <p class="bar">
        <span class="badge">{venue}</span>
        <span class={`badge ${market.status === 'active' ? 'good' : ''}`}>{market.status}</span>
        <small>
          resolves {format.date(market.resolutionDate)} · volume, 24 h {volumeOf(market)} · open interest{' '}
          {openInterestOf(market)}
          {isWebAddress(market.url) && (
            <>
              {' · '}
              <a href={market.url} target="_blank" rel="noopener noreferrer">
                view on venue
              </a>
            </>
          )}
        </small>
      </p>
      <Failure error={error} isOverlay />
      <fieldset class="bar outcomes">
        <legend>Outcome</legend>
        {market.outcomes.map(({ outcomeId, label }, i) => (
          <button
            key={outcomeId}
            type="button"
            aria-pressed={outcome?.outcomeId === outcomeId}
            onClick={() => setChosen(i)}
          >
            {label}
          </button>
        ))}
      </fieldset>
      {outcome !== undefined && <Panels key={outcome.outcomeId} market={market} outcome={outcome} />}
    </>
  )
}

function Panels({ market, outcome }: { market: Market; outcome: Outcome }) {
  const { sourceExchange: venue } = market
  const { outcomeId } = outcome
  const books = useBooks([{ venue, outcomeId }])
  const matches = useMatches(market)
  const merged = useModule(() => import('../parts/MergedBook.tsx'))
  return (
    <div class="columns">
      <div class="column">
        <section class="card" aria-label="Book">
          <h2>Book</h2>
          <LadderTable {...(books.get(bookName({ venue, outcomeId })) ?? { book: null, refusal: null })} />
        </section>
        <section class="card" aria-label="Trades">
          <h2>Trades</h2>
          <Trades venue={venue} outcomeId={outcomeId} />
        </section>
        <section class="card last" aria-label="Tape coverage">
          <h2>Tape coverage</h2>
          <CoverageFacts outcome={outcome} />
        </section>
      </div>
      <div class="column">
        <section class="card" aria-label="Candles">
          <h2>Candles</h2>
          <Candles venue={venue} outcomeId={outcomeId} />
        </section>
        <section class="card buying" aria-label="Buy across venues">
          <h2>Buy across venues</h2>
          {merged === null ? (
            <p class="quiet">Loading…</p>
          ) : (
            <merged.MergedBook market={market} outcome={outcome} matches={matches} />
          )}
        </section>
        <section class="card" aria-label="Matching markets">
          <h2>Matching markets</h2>
          <Matches matches={matches} />
        </section>
      </div>
    </div>
  )
}

function CoverageFacts({ outcome: { coverage } }: { outcome: Outcome }) {
  if (coverage === null) return <p class="quiet">Not taped, or the tape is unavailable.</p>
  return (
    <dl class="facts">
      <dt>Recorded by</dt>
      <dd>{coverage.mechanism}</dd>
      <dt>Books since</dt>
      <dd>{moment(coverage.tapeSince)}</dd>
      <dt>Trades since</dt>
      <dd>{moment(coverage.tradesSince)}</dd>
      <dt>Trades until</dt>
      <dd>{moment(coverage.tradesUntil)}</dd>
      <dt>Polled every</dt>
      <dd>{format.span(coverage.effectiveIntervalMs)}</dd>
      <dt>Gaps, 24 h</dt>
      <dd>{format.count(coverage.gaps24h)}</dd>
      <dt>Last gap</dt>
      <dd>{moment(coverage.lastGapAt)}</dd>
    </dl>
  )
}

const moment = (at: string | null): string => (at === null ? unknown : `${format.date(at)}, ${format.time(at)}`)
