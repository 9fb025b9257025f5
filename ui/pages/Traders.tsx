// Leaderboards, of one venue or by our score over all of them, and one wallet.
import { useState } from 'preact/hooks'
import type { LeaderboardWindow, NativeLeader, TraderScore } from '#schemas/traders'
import { api } from '../lib/api.ts'
import { format, unknown } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { hashOf } from '../lib/router.ts'
import { Notes } from '../parts/Disclaimers.tsx'
import { Trader } from '../parts/Trader.tsx'
import { Unavailable } from '../parts/Unavailable.tsx'
import { LongList } from '../parts/VirtualTable.tsx'

const everyMs = 30_000
const rowsMax = 100
const all = 'all venues'

type By = 'profit' | 'volume' | 'score'
type Leader = NativeLeader | TraderScore

/** The trader capabilities of a venue in `GET /v1/venues`. */
interface VenueRow {
  venue: string
  traders: { leaderboard: Partial<Record<By, LeaderboardWindow[]>> | null } | null
}

const columns = [
  { title: 'Trader' },
  { title: 'Venue', class: 'wide-only' },
  { title: 'Score', class: 'num' },
  { title: 'Profit', class: 'num' },
  { title: 'Volume', class: 'num wide-only' },
  { title: 'Category', class: 'wide-only' },
]

export function TradersPage({ words: [venue, wallet] }: { words: string[] }) {
  return venue === undefined || wallet === undefined ? <Leaderboard /> : <Trader venue={venue} wallet={wallet} />
}

/** A selection is kept while one of its traders is viewed. */
let kept: { venue: string | null; by: By; window: LeaderboardWindow } = { venue: null, by: 'profit', window: 'all' }

function Leaderboard() {
  const venues = usePolled('traders of venues', (signal) => api<VenueRow[]>('/v1/venues', {}, signal), null)
  const ranked = (venues.value?.data ?? []).filter(({ traders }) => (traders?.leaderboard ?? null) !== null)
  const [wanted, setWanted] = useState(kept)
  const set = (change: Partial<typeof kept>): void => {
    kept = { ...wanted, ...change }
    setWanted(kept)
  }
  const venue = wanted.venue ?? ranked[0]?.venue ?? all
  const rankings = ranked.find((row) => row.venue === venue)?.traders?.leaderboard ?? { score: ['all' as const] }
  const bys = Object.keys(rankings) as By[]
  const by = bys.includes(wanted.by) ? wanted.by : (bys[0] ?? 'score')
  const windows = rankings[by] ?? ['all']
  const window = windows.includes(wanted.window) ? wanted.window : windows[0]!
  return (
    <>
      <h1>Traders</h1>
      <div class="filters">
        <Choice
          label="Venue"
          value={venue}
          options={[...ranked.map((row) => row.venue), all]}
          onChoose={(each) => set({ venue: each })}
        />
        <Choice label="Rank by" value={by} options={bys} onChoose={(each) => set({ by: each as By })} />
        <Choice
          label="Period"
          value={window}
          options={windows}
          onChoose={(each) => set({ window: each as LeaderboardWindow })}
        />
      </div>
      {venues.value === null ? (
        <>
          <Unavailable error={venues.error} what="Venues" />
          {venues.error === null && <p class="quiet">Loading…</p>}
        </>
      ) : (
        <Board key={`${venue} ${by} ${window}`} venue={venue} by={by} window={window} />
      )}
    </>
  )
}

interface ChoiceOptions {
  label: string
  value: string
  options: readonly string[]
  onChoose(value: string): void
}

const Choice = ({ label, value, options, onChoose }: ChoiceOptions) => (
  <label>
    {label}
    <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  </label>
)

function Board({ venue, by, window }: { venue: string; by: By; window: LeaderboardWindow }) {
  const path = venue === all ? '/v1/traders/leaderboard' : `/v1/traders/${encodeURIComponent(venue)}/leaderboard`
  const { value, error } = usePolled(
    `leaders ${venue} ${by} ${window}`,
    (signal) => api<Leader[]>(path, { by, window, limit: rowsMax }, signal),
    everyMs,
  )
  return (
    <>
      <Unavailable error={error} what="Traders" variable="CROSSBOOK_TRADERS" />
      <div class="traders">
        <LongList
          label="Leaderboard"
          columns={columns}
          rows={value?.data ?? []}
          rowHeight={38}
          keyOf={(row) => `${row.venue} ${row.wallet}`}
          cells={cellsOf}
          empty={error !== null ? '' : value === null ? null : 'No traders ranked yet.'}
        />
      </div>
      <p class="quiet" role="status">
        {value === null
          ? error === null
            ? 'Loading…'
            : ''
          : `${value.data.length} traders, as of ${format.moment(value.asOf)}`}
      </p>
      <Notes answer={value} />
    </>
  )
}

function cellsOf(row: Leader) {
  const name = row.displayName ?? row.wallet
  const shared = [
    <a key="trader" href={hashOf('traders', row.venue, row.wallet)} title={row.wallet}>
      {'rank' in row && `${row.rank}. `}
      {name}
    </a>,
    row.venue,
  ]
  return 'stats' in row
    ? [
        ...shared,
        format.count(row.score),
        format.usd(row.stats.realizedPnlUsd),
        format.usd(row.stats.totalVolumeUsd),
        row.category ?? unknown,
      ]
    : [...shared, unknown, format.usd(row.profitUsd), format.usd(row.volumeUsd), unknown]
}
