// The orders of a paper account as the paper exchange has them, newest first.
import { useState } from 'preact/hooks'
import type { PaperOrder } from '#schemas/paper'
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
  { title: 'Size', class: 'num wide-only' },
  { title: 'Limit', class: 'num wide-only' },
  { title: 'Filled', class: 'num' },
  { title: 'Ahead', class: 'num wide-only' },
  { title: 'State' },
  { title: 'Changed', class: 'wide-only' },
]

const notResting = 'it did not rest yet'

/** `round`: a change of it reads the list at once. */
export function PaperOrders({ round }: { round: number }) {
  const [isWorkingOnly, setIsWorkingOnly] = useState(true)
  const [chosen, setChosen] = useState<string | null>(null)
  const { rows, busy, error, more } = usePaged<PaperOrder>(
    `paper orders ${isWorkingOnly} ${round}`,
    (cursor, signal) =>
      api<PaperOrder[]>(
        '/v1/paper/orders',
        { limit: rowsMax, state: isWorkingOnly ? 'working' : undefined, cursor },
        signal,
      ),
    { everyMs },
  )
  const current = rows.find(({ executionId }) => executionId === chosen)
  return (
    <>
      <div class="bar">
        <label class="check">
          <input
            type="checkbox"
            checked={isWorkingOnly}
            onChange={({ currentTarget }) => setIsWorkingOnly(currentTarget.checked)}
          />{' '}
          working only
        </label>
        <small>Ahead: contracts ahead of an order in the queue when it began to rest.</small>
      </div>
      <Unavailable error={error} what="Paper orders" variable="CROSSBOOK_PAPER" />
      <div class="order-list">
        <LongList
          label="Paper orders"
          columns={columns}
          rows={rows}
          rowHeight={38}
          keyOf={({ executionId }) => executionId}
          cells={cellsOf}
          held={`paper orders ${isWorkingOnly}`}
          isChosen={({ executionId }) => executionId === chosen}
          onChoose={({ executionId }) => setChosen(executionId)}
          onEnd={more}
          empty={busy ? null : error === null ? (isWorkingOnly ? 'No working orders.' : 'No orders yet.') : ''}
        />
      </div>
      {current !== undefined && (
        <RowDetails label="Chosen paper order" of={current.executionId}>
          <OrderDetail order={current} />
        </RowDetails>
      )}
    </>
  )
}

const cellsOf = ({ marketId, side, venue, size, price, filled, queueAhead, state, updatedAt }: PaperOrder) => [
  marketId,
  side,
  venue,
  <Amount key="size" text={size} />,
  <Amount key="price" text={price} />,
  <Amount key="filled" text={filled} />,
  <Amount key="ahead" text={queueAhead} why={notResting} />,
  state,
  format.moment(updatedAt),
]

function OrderDetail({ order }: { order: PaperOrder }) {
  const { venue, marketId, outcomeId, side, reserved, reason, cancelRequestedAt } = order
  return (
    <>
      <h2>
        {side} {outcomeId} in <a href={hashOf('market', venue, marketId)}>{marketId}</a>
      </h2>
      {reason !== null && <p class="bad">{reason}</p>}
      <dl class="facts">
        <dt>State</dt>
        <dd>
          {order.state} since {format.moment(order.updatedAt)}
        </dd>
        <dt>Filled</dt>
        <dd>
          <Amount text={order.filled} /> of <Amount text={order.size} />
        </dd>
        <dt>Ahead in the queue</dt>
        <dd>
          <Amount text={order.queueAhead} why={notResting} /> contracts when it began to rest
        </dd>
        <dt>Reserved</dt>
        <dd>
          <Amount text={reserved} /> {side === 'buy' ? 'in cash' : 'contracts'}
        </dd>
        <dt>Fee so far</dt>
        <dd>
          <Amount text={order.fee} />
        </dd>
        <dt>Time in force</dt>
        <dd>
          {order.timeInForce}
          {order.postOnly && ', post-only'}
        </dd>
        <dt>Expires</dt>
        <dd>{format.moment(order.expiresAt)}</dd>
        <dt>Placed</dt>
        <dd>{format.moment(order.placedAt)}</dd>
        {cancelRequestedAt !== null && (
          <>
            <dt>Cancel requested</dt>
            <dd>{format.moment(cancelRequestedAt)}</dd>
          </>
        )}
        <dt>Order id</dt>
        <dd>{order.orderId}</dd>
        <dt>Execution</dt>
        <dd>{order.executionId}</dd>
      </dl>
    </>
  )
}
