// One game: its bets by venue, one bet across venues, and the markets behind them.
import { useState } from 'preact/hooks'
import type { z } from 'zod'
import type { Comparison, FixtureDetail, MarketDescriptor } from '#schemas/sports'
import { api } from '../lib/api.ts'
import { format, unknown } from '../lib/format.ts'
import { titleOf } from '../lib/games.ts'
import { usePolled } from '../lib/hooks.ts'
import { hashOf } from '../lib/router.ts'
import { Unavailable } from './Unavailable.tsx'

const everyMs = 15_000
const pricesEveryMs = 5_000

type Detail = z.infer<typeof FixtureDetail>

const nameOf = ({ marketType, period, slot }: MarketDescriptor): string =>
  [marketType, ...(period === 'game' ? [] : [period]), ...(slot === 'game' ? [] : [slot])]
    .join(', ')
    .replaceAll('_', ' ')

export function Game({ fixtureId }: { fixtureId: string }) {
  const path = `/v1/sports/fixtures/${encodeURIComponent(fixtureId)}`
  const { value, error } = usePolled(path, (signal) => api<Detail>(path, {}, signal), everyMs)
  return (
    <>
      <h1>Sports</h1>
      <p>
        <a href={hashOf('sports')}>All games</a>
      </p>
      <Unavailable error={error} what="Sports" variable="CROSSBOOK_SPORTS" />
      {value === null ? error === null && <p class="quiet">Loading…</p> : <Known game={value.data} />}
    </>
  )
}

function Known({ game }: { game: Detail }) {
  const [chosen, setChosen] = useState(0)
  const bet = game.markets[chosen] ?? game.markets[0]
  return (
    <>
      <section class="card" aria-label="Game">
        <h2>{titleOf(game)}</h2>
        <dl class="facts">
          <dt>Competition</dt>
          <dd>{game.competition?.name ?? game.sport ?? 'unknown'}</dd>
          <dt>Starts</dt>
          <dd>
            {game.kickoffAt === null ? `${format.date(game.eventDate)}, time unknown` : format.minute(game.kickoffAt)}
          </dd>
          <dt>Status</dt>
          <dd>{game.status}</dd>
          <dt>Score</dt>
          <dd>unknown: no connected venue reports scores</dd>
          <dt>Listed by</dt>
          <dd>{game.venues.join(', ')}</dd>
        </dl>
      </section>
      <section class="card" aria-label="Prices">
        <h2>Prices across venues</h2>
        {bet === undefined ? (
          <p class="quiet">No bets on this game have been identified yet.</p>
        ) : (
          <>
            <fieldset class="bar">
              <legend>Bet</legend>
              {game.markets.map((each, i) => (
                <button key={nameOf(each)} type="button" aria-pressed={each === bet} onClick={() => setChosen(i)}>
                  {nameOf(each)}
                </button>
              ))}
            </fieldset>
            <Prices key={nameOf(bet)} fixtureId={game.fixtureId} bet={bet} />
          </>
        )}
      </section>
      <section class="card" aria-label="Markets of the game">
        <h2>The same bet across venues</h2>
        <Placements game={game} />
      </section>
    </>
  )
}

function Prices({ fixtureId, bet: { marketType, period, slot } }: { fixtureId: string; bet: MarketDescriptor }) {
  const { value, error } = usePolled(
    `compare ${fixtureId} ${marketType} ${period} ${slot}`,
    (signal) => api<Comparison>('/v1/sports/compare', { fixture: fixtureId, marketType, period, slot }, signal),
    pricesEveryMs,
  )
  if (value === null)
    return error === null ? <p class="quiet">Loading…</p> : <Unavailable error={error} what="Prices" />
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Prices by venue">
      <table>
        <thead>
          <tr>
            <th scope="col">Result</th>
            <th scope="col">Line</th>
            <th scope="col">Venue</th>
            <th scope="col" class="num">
              Bid
            </th>
            <th scope="col" class="num">
              Ask
            </th>
            <th scope="col" class="num">
              No-vig
            </th>
            <th scope="col">Book</th>
          </tr>
        </thead>
        <tbody>
          {value.data.lines.flatMap(({ line, outcomes, venues }) =>
            outcomes.flatMap(({ outcome, name, best }) =>
              venues.flatMap(({ venue, outcomes: prices }) => {
                const price = prices.find((each) => each.outcome === outcome)
                if (price === undefined) return []
                return [
                  <tr key={`${line} ${outcome} ${venue}`}>
                    <th scope="row">{name}</th>
                    <td>{format.count(line)}</td>
                    <td>
                      {venue} {best?.venue === venue && <span class="badge good">best</span>}
                    </td>
                    <td class="num">{format.price(price.bid)}</td>
                    <td class="num">{format.price(price.ask)}</td>
                    <td class="num">{format.percent(price.noVig)}</td>
                    <td>{price.state === 'none' ? 'requested' : price.state}</td>
                  </tr>,
                ]
              }),
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

function Placements({ game: { placements } }: { game: Detail }) {
  if (placements.length === 0) return <p class="quiet">No markets.</p>
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Markets by bet">
      <table>
        <thead>
          <tr>
            <th scope="col">Bet</th>
            <th scope="col">Line</th>
            <th scope="col">Venue</th>
            <th scope="col">Market</th>
            <th scope="col">Open</th>
          </tr>
        </thead>
        <tbody>
          {placements.map(({ venue, marketId, marketType, period, slot, line, open }) => (
            <tr key={`${venue} ${marketId} ${marketType} ${period} ${slot} ${line}`}>
              <td>{nameOf({ marketType, period, slot, lines: [], venues: [] })}</td>
              <td>{line === null ? unknown : format.count(line)}</td>
              <td>{venue}</td>
              <td>
                <a href={hashOf('market', venue, marketId)}>{marketId}</a>
              </td>
              <td>{open ? 'yes' : 'no'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
