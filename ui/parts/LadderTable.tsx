import type { BookState } from '../lib/bookState.ts'
import { format } from '../lib/format.ts'
import { type LadderRow, ladderOf, type Sides } from '../lib/ladder.ts'

const rows = 8
const noSides = { bids: [], asks: [] }

/** A live book, and whether it is stale. */
export function LadderTable({ book, refusal }: BookState) {
  const stale = book?.staleBecause ?? null
  return (
    <>
      <p class="bar" role="status">
        {book === null && <span class="badge">{refusal === null ? 'waiting' : 'no book'}</span>}
        {book !== null && stale === null && <span class="badge good">live</span>}
        {stale !== null && <span class="badge stale">stale</span>}
        <small>{stale ?? refusal ?? (book === null ? '' : `as of ${format.time(book.timestamp)}`)}</small>
      </p>
      <LadderRows sides={book ?? noSides} isStale={stale !== null} />
    </>
  )
}

/** Asks above, bids below, each bar as wide as the cumulative size up to its level. */
export function LadderRows({
  sides,
  isStale = false,
  withVenues = false,
}: {
  sides: Sides
  isStale?: boolean
  withVenues?: boolean
}) {
  const { bids, asks, spread } = ladderOf(sides, rows)
  return (
    <table class={`ladder ${isStale ? 'is-stale' : ''}`}>
      <thead>
        <tr>
          {withVenues && <th scope="col">Venue</th>}
          <th scope="col" class="num">
            Price
          </th>
          <th scope="col" class="num">
            Size
          </th>
          <th scope="col" class="num">
            Depth
          </th>
        </tr>
      </thead>
      <tbody>
        {asks.toReversed().map((row, i) => (
          <LadderLine key={`ask ${rows - i}`} side="ask" row={row} withVenues={withVenues} />
        ))}
        <tr class="spread">
          <td colSpan={withVenues ? 4 : 3}>
            {spread !== null && spread < 0 ? 'crossed by ' : 'spread '}
            {format.price(spread === null ? null : Math.abs(spread))}
          </td>
        </tr>
        {bids.map((row, i) => (
          // A line is identified by its position in the ladder
          <LadderLine key={`bid ${i}`} side="bid" row={row} withVenues={withVenues} />
        ))}
      </tbody>
    </table>
  )
}

function LadderLine({ side, row, withVenues }: { side: 'bid' | 'ask'; row: LadderRow | null; withVenues: boolean }) {
  return (
    <tr class={side}>
      {withVenues && (
        <td class="whose" title={row?.venues?.map(({ id, size }) => `${id} ${format.count(size)}`).join(', ')}>
          <b>{row?.venues?.map(({ id }) => id).join(' + ')}</b>
        </td>
      )}
      <td class="num">
        <b>{row === null ? '\u00a0' : format.price(row.price)}</b>
      </td>
      <td class="num">
        <b>{row === null ? '' : format.size(row.size)}</b>
      </td>
      <td class="num">
        {row !== null && <i class="fill" style={{ transform: `scaleX(${row.share})` }} />}
        <b>{row === null ? '' : format.compact(row.depth)}</b>
      </td>
    </tr>
  )
}
