// Games of all venues, and one game in detail: which venues list it, and the price of each bet at each venue.
import { useState } from 'preact/hooks'
import type { Facets, FixtureRow } from '#schemas/sports'
import { api } from '../lib/api.ts'
import { format } from '../lib/format.ts'
import { titleOf } from '../lib/games.ts'
import { usePolled } from '../lib/hooks.ts'
import { hashOf } from '../lib/router.ts'
import { usePaged } from '../lib/usePaged.ts'
import { Game } from '../parts/Game.tsx'
import { Unavailable } from '../parts/Unavailable.tsx'
import { LongList } from '../parts/VirtualTable.tsx'

const pageRows = 100
const facetsEveryMs = 60_000

const columns = [
  { title: 'Game' },
  { title: 'Competition', class: 'wide-only' },
  { title: 'Status' },
  { title: 'Starts', class: 'wide-only' },
  { title: 'Venues' },
  { title: 'Bets', class: 'wide-only' },
]

export function SportsPage({ words: [fixtureId] }: { words: string[] }) {
  return fixtureId === undefined ? <Games /> : <Game fixtureId={fixtureId} />
}

/** A selection is kept while one of its games is viewed. */
let kept = { sport: '', status: '' }

function Games() {
  const [filters, setFilters] = useState(kept)
  const { value: facets } = usePolled('facets', (signal) => api<Facets>('/v1/sports/facets', {}, signal), facetsEveryMs)
  const list = usePaged<FixtureRow>(JSON.stringify(filters), (cursor, signal) =>
    api('/v1/sports/fixtures', { ...filters, limit: pageRows, cursor }, signal),
  )
  const set = (change: Partial<typeof kept>): void => {
    kept = { ...filters, ...change }
    setFilters(kept)
  }
  const { degradedReason } = list.meta ?? {}
  return (
    <>
      <h1>Sports</h1>
      <div class="filters">
        <label>
          Sport
          <select value={filters.sport} onChange={({ currentTarget }) => set({ sport: currentTarget.value })}>
            <option value="">all</option>
            {facets?.data.sports.map(({ sport, fixtures }) => (
              <option key={sport} value={sport}>
                {sport} ({fixtures})
              </option>
            ))}
          </select>
        </label>
        <label>
          Status
          <select value={filters.status} onChange={({ currentTarget }) => set({ status: currentTarget.value })}>
            <option value="">all</option>
            {facets?.data.statuses.map(({ status, fixtures }) => (
              <option key={status} value={status}>
                {status} ({fixtures})
              </option>
            ))}
          </select>
        </label>
      </div>
      <Unavailable error={list.error} what="Sports" variable="CROSSBOOK_SPORTS" />
      <div class="sports">
        <LongList
          label="Games"
          columns={columns}
          rows={list.rows}
          rowHeight={44}
          keyOf={(game) => game.fixtureId}
          cells={cellsOf}
          onEnd={list.more}
          empty={list.error !== null ? '' : list.isWhole ? 'No games in the next seven days.' : null}
        />
      </div>
      <p class="quiet" role="status">
        {list.busy ? 'Loading…' : `${format.count(list.rows.length)} games, from twelve hours ago to seven days ahead`}
        {typeof degradedReason === 'string' && `; out of date: ${degradedReason}`}
      </p>
    </>
  )
}

const tone = { scheduled: '', live: 'good', final: '', postponed: 'warn', cancelled: 'warn' } as const

const cellsOf = (game: FixtureRow) => [
  <a key="game" href={hashOf('sports', game.fixtureId)}>
    {titleOf(game)}
  </a>,
  game.competition?.name ?? game.sport ?? 'unknown',
  <span key="status" class={`badge ${tone[game.status]}`}>
    {game.status}
  </span>,
  game.kickoffAt === null ? `${format.date(game.eventDate)}, time unknown` : format.minute(game.kickoffAt),
  game.venues.join(', '),
  [...new Set(game.markets.map(({ marketType }) => marketType))].join(', '),
]
