// The catalog: searched by the server, read page by page as the list is scrolled.
import { useState } from 'preact/hooks'
import type { Market } from '#schemas/market'
import type { Status } from '#schemas/status'
import { api } from '../lib/api.ts'
import { format, unknown } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { hashOf } from '../lib/router.ts'
import { volumeOf } from '../lib/units.ts'
import { usePaged } from '../lib/usePaged.ts'
import { Failure } from '../parts/ErrorMessage.tsx'
import { Quote } from '../parts/Quote.tsx'
import { LongList } from '../parts/VirtualTable.tsx'

const pageRows = 200
const typingMs = 250
const everyMs = 30_000

interface Filters {
  query: string
  sourceExchange: string
  sort: 'volume' | 'liquidity' | 'newest'
  status: 'active' | 'closed' | 'resolved' | 'all'
}

const columns = [
  { title: 'Market' },
  { title: 'Venue', class: 'wide-only' },
  { title: 'Bid', class: 'num' },
  { title: 'Ask', class: 'num' },
  { title: 'Change, 24 h', class: 'num wide-only' },
  { title: 'Volume, 24 h', class: 'num wide-only' },
  { title: 'Resolves', class: 'num wide-only' },
]

/** A search is kept while one of its markets is viewed. */
let kept: Filters = { query: '', sourceExchange: '', sort: 'volume', status: 'active' }

export function MarketsPage() {
  const [filters, setFilters] = useState(kept)
  const list = usePaged<Market>(
    JSON.stringify(filters),
    (cursor, signal) => api('/api/router/fetchMarkets', { ...filters, limit: pageRows, cursor }, signal),
    { delayMs: filters.query === '' ? 0 : typingMs, everyMs },
  )
  const total = typeof list.meta?.total === 'number' ? list.meta.total : null
  const { value: venues } = usePolled('venues', (signal) => api<Status>('/v1/status', {}, signal), null)
  const set = (change: Partial<Filters>): void => {
    kept = { ...filters, ...change }
    setFilters(kept)
  }
  return (
    <>
      <h1>Markets</h1>
      <search class="filters">
        <label class="wide">
          Search titles
          <input
            type="search"
            value={filters.query}
            onInput={({ currentTarget }) => set({ query: currentTarget.value })}
          />
        </label>
        <label>
          Venue
          <select
            value={filters.sourceExchange}
            onChange={({ currentTarget }) => set({ sourceExchange: currentTarget.value })}
          >
            <option value="">all</option>
            {venues?.data.venues.map(({ venue }) => (
              <option key={venue} value={venue}>
                {venue}
              </option>
            ))}
          </select>
        </label>
        <label>
          Status
          <select
            value={filters.status}
            onChange={({ currentTarget }) => set({ status: currentTarget.value as Filters['status'] })}
          >
            <option value="active">active</option>
            <option value="closed">closed</option>
            <option value="resolved">resolved</option>
            <option value="all">all</option>
          </select>
        </label>
        <label>
          Sort by
          <select
            value={filters.sort}
            onChange={({ currentTarget }) => set({ sort: currentTarget.value as Filters['sort'] })}
          >
            <option value="volume">volume</option>
            <option value="liquidity">liquidity</option>
            <option value="newest">newest</option>
          </select>
        </label>
      </search>
      <div class="markets">
        <LongList
          label="Markets"
          columns={columns}
          rows={list.rows}
          rowHeight={38}
          keyOf={({ marketId }) => marketId}
          cells={cellsOf}
          held={JSON.stringify(filters)}
          onEnd={list.more}
          empty={list.error !== null ? '' : list.isWhole ? 'No markets match.' : null}
        />
      </div>
      <p class="quiet" role="status">
        {list.busy
          ? 'Loading…'
          : list.meta === null
            ? 'Not loaded.'
            : `${format.count(list.rows.length)} of ${total === null ? unknown : format.count(total)} markets`}
      </p>
      <p class="quiet">
        Prices are those of the catalog at {format.time(list.asOf)}, and of the live book where a row in sight has one.
        Volumes are in each venue’s own unit, sorted by about what they are in dollars: contracts at their last price.
      </p>
      <Failure error={list.error} />
    </>
  )
}

function cellsOf(market: Market) {
  const [first] = market.outcomes
  const { sourceExchange: venue, marketId } = market
  return [
    <a key="market" href={hashOf('market', venue, marketId.slice(venue.length + 1))} title={market.title}>
      {market.title}
    </a>,
    venue,
    <Quote key="bid" market={market} side="bids" />,
    <Quote key="ask" market={market} side="asks" />,
    format.change(first?.priceChange24h),
    volumeOf(market),
    format.date(market.resolutionDate),
  ]
}
