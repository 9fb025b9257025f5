// The account's positions: open ones from the stream, closed ones read page by page.
import { useMemo, useState } from 'preact/hooks'
import type { PortfolioPosition } from '#schemas/portfolio'
import { api } from '../../lib/api.ts'
import { format } from '../../lib/format.ts'
import { type PositionSource, positionKey, sourceOf } from '../../lib/portfolio/portfolioState.ts'
import { type ShownStatus, shownPositions, shownStatuses } from '../../lib/portfolio/positionRows.ts'
import { averageCostWhy, markWhy, profitWhy, realizedWhy, settledCostWhy } from '../../lib/portfolio/unknownAmounts.ts'
import type { LivePortfolio } from '../../lib/portfolio/usePortfolio.ts'
import { usePaged } from '../../lib/usePaged.ts'
import { useSelected } from '../../lib/useSelectedRow.ts'
import { RowDetails } from '../SecretOnce.tsx'
import { Unavailable } from '../Unavailable.tsx'
import { LongList } from '../VirtualTable.tsx'
import { Amount } from './Amount.tsx'
import { PositionDetail } from './PositionDetail.tsx'

const everyMs = 30_000
const rowsMax = 200

const columns = [
  { title: 'Market' },
  { title: 'Outcome' },
  { title: 'Venue', class: 'wide-only' },
  { title: 'Quantity', class: 'num' },
  { title: 'Cost', class: 'num wide-only' },
  { title: 'Mid', class: 'num wide-only' },
  { title: 'Bid', class: 'num wide-only' },
  { title: 'Last', class: 'num wide-only' },
  { title: 'Value', class: 'num wide-only' },
  { title: 'Unrealised', class: 'num' },
  { title: 'Realised', class: 'num wide-only' },
]

interface Options {
  live: LivePortfolio
  /** Of the account, for the filter. */
  venues: readonly string[]
}

export function Positions({ live, venues }: Options) {
  const [status, setStatus] = useState<ShownStatus>('open')
  const [venue, setVenue] = useState('')
  const [showsLost, setShowsLost] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const source = sourceOf(live, live.staleBecause)
  const read = useRead(readStatus(source, status), venue, live.closed)
  const { rows, hidden, byKey } = useMemo(() => {
    const streamed = source === 'stream' || read.rows.length === 0 ? live.positions.values() : []
    const all = [...read.rows, ...streamed]
    const shown = shownPositions(all, { status, venue, showsLost })
    return { ...shown, byKey: new Map(shown.rows.map((row) => [positionKey(row), row])) }
  }, [live.positions, read.rows, source, status, venue, showsLost])
  const selected = useSelected(byKey, chosen)
  const { unavailable } = live
  const isLoading = read.busy || (source === 'waiting' && status !== 'closed')
  const isStale = source === 'read' && rows.length > 0 && (read.error !== null || read.rows.length === 0)
  return (
    <>
      <div class="filters">
        <label>
          Status
          <select value={status} onChange={({ currentTarget }) => setStatus(currentTarget.value as ShownStatus)}>
            {shownStatuses.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label>
          Venue
          <select value={venue} onChange={({ currentTarget }) => setVenue(currentTarget.value)}>
            <option value="">all venues</option>
            {venues.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="bar">
        <label class="check">
          <input
            type="checkbox"
            checked={showsLost}
            onChange={({ currentTarget }) => setShowsLost(currentTarget.checked)}
          />{' '}
          lost positions of resolved markets
        </label>
        <Source live={live} source={source} />
        {hidden > 0 && <small>{format.count(hidden)} lost hidden</small>}
      </div>
      <Unavailable error={read.error} what="Positions" />
      <div class={`position-list ${isStale ? 'is-stale' : ''}`}>
        <LongList
          label="Positions"
          columns={columns}
          rows={rows}
          rowHeight={38}
          keyOf={(row) => positionKey(row)}
          cells={(row) => cellsOf(row, unavailable)}
          held={`positions ${status} ${venue}`}
          isChosen={(row) => positionKey(row) === chosen}
          onChoose={(row) => setChosen(positionKey(row))}
          onEnd={read.more}
          empty={isLoading ? null : read.error === null ? emptyText(status, hidden) : ''}
        />
      </div>
      {selected !== null && (
        <RowDetails label="Chosen position" of={positionKey(selected.row)}>
          <PositionDetail position={selected.row} isGone={selected.isGone} unavailable={unavailable} />
        </RowDetails>
      )}
    </>
  )
}

/** What is read over HTTP; null: nothing. */
function readStatus(source: PositionSource, status: ShownStatus): ShownStatus | null {
  if (source === 'read') return status
  return status === 'open' ? null : 'closed'
}

/** `closed`: how many positions were closed since; they are read again then. */
function useRead(status: ShownStatus | null, venue: string, closed: number) {
  return usePaged<PortfolioPosition>(
    `positions ${status} ${venue} ${status === null ? 0 : closed}`,
    async (cursor, signal) =>
      status === null
        ? { data: [] }
        : api<PortfolioPosition[]>('/v1/portfolio/positions', { status, venue, limit: rowsMax, cursor }, signal),
    status === null ? {} : { everyMs },
  )
}

const emptyText = (status: ShownStatus, hidden: number): string =>
  hidden > 0
    ? 'Only lost positions, which are hidden.'
    : status === 'all'
      ? 'No positions yet.'
      : `No ${status} positions.`

function Source({ live, source }: { live: LivePortfolio; source: PositionSource }) {
  if (source === 'waiting') return <span class="badge">waiting</span>
  if (source === 'stream')
    return (
      <>
        <span class="badge good">live</span> <small>as of {format.time(live.asOf)}</small>
      </>
    )
  return (
    <>
      <span class="badge stale">read every {format.span(everyMs)}</span>{' '}
      <small>{live.staleBecause ?? 'the stream sends only the positions changed last'}</small>
    </>
  )
}

function cellsOf(row: PortfolioPosition, unavailable: readonly string[]) {
  const { market, marketId, outcomeId, label, venue, quantity, averageCost, currency, settlement } = row
  const mark = (at: 'mid' | 'bid' | 'last') => (
    <Amount key={at} text={row.marks[at]} why={markWhy(row, at, unavailable)} />
  )
  return [
    market ?? marketId,
    <span key="outcome" title={outcomeId}>
      {label ?? outcomeId}
    </span>,
    venue,
    <Amount key="quantity" text={quantity} />,
    settlement === null ? (
      <Amount key="cost" text={averageCost} why={averageCostWhy(row)} />
    ) : (
      <Amount key="cost" text={null} why={settledCostWhy} />
    ),
    mark('mid'),
    mark('bid'),
    mark('last'),
    settlement === null ? (
      <Amount key="value" text={row.value.mid} unit={currency} why={markWhy(row, 'mid', unavailable)} />
    ) : (
      <Amount key="value" text={row.value.settlement} unit={currency} why="the payout is not known" />
    ),
    <Amount key="unrealized" text={row.unrealizedPnl.mid} why={profitWhy(row, 'mid', unavailable)} isGain />,
    <Amount key="realized" text={row.realizedPnl} why={realizedWhy} isGain />,
  ]
}
