// The fills of a paper account, newest first, with the book and the trades that each follows from.
import { useState } from 'preact/hooks'
import type { PaperFill } from '#schemas/paper'
import { api } from '../../lib/api.ts'
import { format } from '../../lib/format.ts'
import { hashOf } from '../../lib/router.ts'
import { usePaged } from '../../lib/usePaged.ts'
import { Amount } from '../portfolio/Amount.tsx'
import { RowDetails } from '../SecretOnce.tsx'
import { Unavailable } from '../Unavailable.tsx'
import { LongList } from '../VirtualTable.tsx'

const everyMs = 30_000
const rowsMax = 100

const columns = [
  { title: 'Market' },
  { title: 'Side' },
  { title: 'Venue', class: 'wide-only' },
  { title: 'Price', class: 'num' },
  { title: 'Size', class: 'num' },
  { title: 'Cash', class: 'num wide-only' },
  { title: 'Fee', class: 'num wide-only' },
  { title: 'Liquidity', class: 'wide-only' },
  { title: 'Filled', class: 'wide-only' },
]

/** `round`: a change of it reads the list at once. */
export function PaperFills({ round }: { round: number }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const { rows, busy, error, more } = usePaged<PaperFill>(
    `paper fills ${round}`,
    (cursor, signal) => api<PaperFill[]>('/v1/paper/fills', { order: 'newest', limit: rowsMax, cursor }, signal),
    { everyMs },
  )
  const current = rows.find(({ fillId }) => fillId === chosen)
  return (
    <>
      <Unavailable error={error} what="Paper fills" variable="CROSSBOOK_PAPER" />
      <div class="paper-fills">
        <LongList
          label="Paper fills"
          columns={columns}
          rows={rows}
          rowHeight={38}
          keyOf={({ fillId }) => fillId}
          cells={cellsOf}
          held="paper fills"
          isChosen={({ fillId }) => fillId === chosen}
          onChoose={({ fillId }) => setChosen(fillId)}
          onEnd={more}
          empty={busy ? null : error === null ? 'No fills yet.' : ''}
        />
      </div>
      {current !== undefined && (
        <RowDetails label="Chosen paper fill" of={current.fillId}>
          <FillDetail fill={current} />
        </RowDetails>
      )}
    </>
  )
}

const cellsOf = ({ marketId, side, venue, price, size, cash, fee, currency, liquidity, filledAt }: PaperFill) => [
  marketId,
  side,
  venue,
  <Amount key="price" text={price} />,
  <Amount key="size" text={size} />,
  <Amount key="cash" text={cash} unit={currency} />,
  <Amount key="fee" text={fee} />,
  liquidity,
  format.moment(filledAt),
]

function FillDetail({ fill }: { fill: PaperFill }) {
  const { venue, marketId, outcomeId, side, currency, evidence } = fill
  const { bookEpoch, bookSeq, tradeIds } = evidence
  return (
    <>
      <h2>
        {side} {outcomeId} in <a href={hashOf('market', venue, marketId)}>{marketId}</a>
      </h2>
      <dl class="facts">
        <dt>Fill</dt>
        <dd>
          <Amount text={fill.size} /> at <Amount text={fill.price} />, {format.moment(fill.filledAt)}
        </dd>
        <dt>Cash</dt>
        <dd>
          <Amount text={fill.cash} unit={currency} /> before a fee of <Amount text={fill.fee} unit={currency} />
        </dd>
        <dt>Liquidity</dt>
        <dd>{fill.liquidity === 'taker' ? 'taken from the book' : 'rested in the book'}</dd>
        <dt>Follows from book</dt>
        <dd>
          epoch {bookEpoch}, sequence number {bookSeq}
        </dd>
        <dt>And from trades</dt>
        <dd>{tradeIds.length === 0 ? 'none: from the book alone' : tradeIds.join(', ')}</dd>
        <dt>Execution</dt>
        <dd>{fill.executionId}</dd>
      </dl>
    </>
  )
}
