import type { BookState } from '../lib/bookState.ts'
import { format } from '../lib/format.ts'
import { type LadderRow, ladderOf } from '../lib/ladder.ts'

const rows = 8
const noSides = { bids: [], asks: [] }

/** Asks above, bids below, each bar as wide as what stands up to its level. */
export function LadderTable({ book, refusal }: BookState) {
  const { bids, asks, spread } = ladderOf(book ?? noSides, rows)
  const stale = book?.staleBecause ?? null
  return (
    <>
      <p class="bar" role="status">
        {book === null && <span class="badge">{refusal === null ? 'waiting for a book' : 'no book'}</span>}
        {book !== null && stale === null && <span class="badge good">live</span>}
        {stale !== null && <span class="badge stale">stale</span>}
        <small>{stale ?? refusal ?? (book === null ? '' : `as of ${format.time(book.timestamp)}`)}</small>
      </p>
      <table class={`ladder ${stale === null ? '' : 'is-stale'}`}>
        <thead>
          <tr>
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
            <LadderLine key={`ask ${rows - i}`} side="ask" row={row} />
          ))}
          <tr class="spread">
            <td colSpan={3}>spread {format.price(spread)}</td>
          </tr>
          {bids.map((row, i) => (
            // A place in the ladder is what the line is
            <LadderLine key={`bid ${i}`} side="bid" row={row} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function LadderLine({ side, row }: { side: 'bid' | 'ask'; row: LadderRow | null }) {
  return (
    <tr class={side}>
      <td class="num">
        <b>{row === null ? '\u00a0' : format.price(row.price)}</b>
      </td>
      <td class="num">
        <b>{row === null ? '' : format.count(row.size)}</b>
      </td>
      <td class="num">
        {row !== null && <i class="fill" style={{ transform: `scaleX(${row.share})` }} />}
        <b>{row === null ? '' : format.compact(row.depth)}</b>
      </td>
    </tr>
  )
}
