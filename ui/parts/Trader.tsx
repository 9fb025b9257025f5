// One wallet: its figures and score, its trades, and its positions in the markets that it traded last. Missing data is labelled.
import type { TraderHolder, TraderScore, TraderTrade } from '#schemas/traders'
import { type Answer, api } from '../lib/api.ts'
import { format, unknown } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { hashOf } from '../lib/router.ts'
import { Notes } from './Disclaimers.tsx'
import { Unavailable } from './Unavailable.tsx'

const everyMs = 30_000
const tradesMax = 100
/** Holders are read market by market. */
const marketsMax = 5
const holdersMax = 100

interface Who {
  venue: string
  wallet: string
}

export function Trader({ venue, wallet }: Who) {
  const path = `/v1/traders/${encodeURIComponent(venue)}/wallets/${encodeURIComponent(wallet)}`
  const profile = usePolled(path, (signal) => api<TraderScore>(path, {}, signal), everyMs)
  const trades = usePolled(
    `${path}/trades`,
    (signal) => api<TraderTrade[]>(`${path}/trades`, { limit: tradesMax }, signal),
    everyMs,
  )
  // Shown together, so that nothing moves when the rest has loaded.
  const isLoading = [profile, trades].some(({ value, error }) => value === null && error === null)
  return (
    <>
      <h1>Traders</h1>
      <p>
        <a href={hashOf('traders')}>All traders</a>
      </p>
      {isLoading && <p class="quiet">Loading…</p>}
      <div hidden={isLoading}>
        <section class="card" aria-label="Trader">
          <h2 class="wallet">{profile.value?.data.displayName ?? wallet}</h2>
          <p class="bar">
            <span class="badge">{venue}</span> <small class="wallet">{wallet}</small>
          </p>
          <Refused error={profile.error} what="Traders" />
          {profile.value !== null && <Figures score={profile.value.data} />}
          <Notes answer={profile.value} />
        </section>
        <section class="card positions" aria-label="Positions">
          <h2>Positions</h2>
          <Positions who={{ venue, wallet }} trades={trades.value?.data ?? null} />
        </section>
        <section class="card" aria-label="Trades">
          <h2>Trades</h2>
          <Refused error={trades.error} what="Its trades" />
          {trades.value !== null && <Trades venue={venue} rows={trades.value.data} />}
          <Notes answer={trades.value} />
        </section>
      </div>
    </>
  )
}

/** Data that a venue does not publish is not an error. */
const Refused = ({ error, what }: { error: Parameters<typeof Unavailable>[0]['error']; what: string }) =>
  error?.code === 'TRADERS_UNSUPPORTED' ? (
    <p class="quiet">Unknown: {error.message}.</p>
  ) : (
    <Unavailable error={error} what={what} variable="CROSSBOOK_TRADERS" />
  )

function Figures({ score: { score, category, factors, stats, refreshState, note } }: { score: TraderScore }) {
  return (
    <>
      <dl class="facts">
        <dt>Score</dt>
        <dd>
          {score === null ? unknown : `${format.count(score)} of 100`} <small>({refreshState})</small>
        </dd>
        <dt>Category</dt>
        <dd>{category ?? unknown}</dd>
        {factors !== null &&
          Object.entries(factors).map(([name, value]) => (
            <>
              <dt>{factorNames[name as keyof typeof factors]}</dt>
              <dd>{format.count(value)}</dd>
            </>
          ))}
        <dt>Realised P&amp;L</dt>
        <dd>{format.usd(stats.realizedPnlUsd)}</dd>
        <dt>Volume</dt>
        <dd>{format.usd(stats.totalVolumeUsd)}</dd>
        <dt>Markets</dt>
        <dd>{format.count(stats.marketsTraded)}</dd>
        <dt>Win rate</dt>
        <dd>{format.percent(stats.winRate)}</dd>
        <dt>First seen</dt>
        <dd>{format.moment(stats.firstSeen)}</dd>
        <dt>Last seen</dt>
        <dd>{format.moment(stats.lastSeen)}</dd>
      </dl>
      {note !== undefined && <p class="quiet">{note}</p>}
    </>
  )
}

const factorNames = {
  trackRecord: 'Track record',
  experience: 'Experience',
  scale: 'Scale',
  discipline: 'Discipline',
} as const

interface Position {
  marketId: string
  /** Null: not among the largest holders that the venue lists. */
  held: TraderHolder[] | null
}

function Positions({ who, trades }: { who: Who; trades: readonly TraderTrade[] | null }) {
  const markets = [...new Set((trades ?? []).map(({ marketId }) => marketId))].slice(0, marketsMax)
  if (trades === null) return <p class="quiet">Unknown: they are looked up by its trades, which could not be read.</p>
  if (markets.length === 0) return <p class="quiet">Unknown: this wallet has no trades to look positions up by.</p>
  return <Held key={markets.join(' ')} who={who} markets={markets} />
}

function Held({ who: { venue, wallet }, markets }: { who: Who; markets: readonly string[] }) {
  const { value, error } = usePolled(
    `positions ${venue} ${wallet} ${markets.join(' ')}`,
    (signal) => Promise.all(markets.map((marketId) => positionIn(venue, wallet, marketId, signal))),
    null,
  )
  return (
    <>
      <p class="quiet">
        Venues do not report all that a wallet holds. Shown are its holdings in the {markets.length} markets it traded
        last, where it is among the {holdersMax} largest holders.
      </p>
      <Refused error={error} what="Holders" />
      {value !== null && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Positions by market">
          <table>
            <thead>
              <tr>
                <th scope="col">Market</th>
                <th scope="col">Outcome</th>
                <th scope="col" class="num">
                  Shares
                </th>
                <th scope="col" class="num">
                  Value
                </th>
              </tr>
            </thead>
            <tbody>
              {value.flatMap(({ marketId, held }) =>
                held === null ? (
                  <tr key={marketId}>
                    <td>
                      <a href={hashOf('market', venue, marketId)}>{marketId}</a>
                    </td>
                    <td colSpan={3}>unknown: not among the {holdersMax} largest</td>
                  </tr>
                ) : (
                  held.map(({ outcomeId, shares, usdValue }) => (
                    <tr key={outcomeId}>
                      <td>
                        <a href={hashOf('market', venue, marketId)}>{marketId}</a>
                      </td>
                      <td class="cut">{outcomeId}</td>
                      <td class="num">{format.count(shares)}</td>
                      <td class="num">{format.usd(usdValue)}</td>
                    </tr>
                  ))
                ),
              )}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

async function positionIn(venue: string, wallet: string, marketId: string, signal: AbortSignal): Promise<Position> {
  const path = `/v1/traders/${encodeURIComponent(venue)}/markets/${encodeURIComponent(marketId)}/holders`
  const { data }: Answer<TraderHolder[]> = await api(path, { limit: holdersMax }, signal)
  const held = data.filter((holder) => holder.wallet === wallet)
  return { marketId, held: held.length === 0 ? null : held }
}

const Trades = ({ venue, rows }: { venue: string; rows: readonly TraderTrade[] }) => (
  <div class="list" tabIndex={0} role="region" aria-label="Its trades">
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Side</th>
          <th scope="col" class="num">
            Price
          </th>
          <th scope="col" class="num">
            Size
          </th>
          <th scope="col" class="num">
            USD
          </th>
          <th scope="col">Market</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ tradeId, outcomeId, ts, side, price, amount, usdSize, marketId }) => (
          <tr key={`${tradeId} ${outcomeId}`}>
            <td>{format.moment(ts)}</td>
            <td>{side ?? unknown}</td>
            <td class="num">{format.price(price)}</td>
            <td class="num">{format.size(amount)}</td>
            <td class="num">{format.usd(usdSize)}</td>
            <td>
              <a href={hashOf('market', venue, marketId)}>{marketId}</a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {rows.length === 0 && <p class="quiet">No trades known.</p>}
  </div>
)
