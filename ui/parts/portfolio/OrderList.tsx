// The account's orders over all venues, newest first, as stored.
import { useState } from 'preact/hooks'
import type { OrderOverview } from '#schemas/orders'
import { api } from '../../lib/api.ts'
import { format, unknown } from '../../lib/format.ts'
import { hashOf } from '../../lib/router.ts'
import { usePaged } from '../../lib/usePaged.ts'
import { RowDetails } from '../SecretOnce.tsx'
import { Unavailable } from '../Unavailable.tsx'
import { LongList } from '../VirtualTable.tsx'
import { Amount } from './Amount.tsx'

const everyMs = 30_000
const rowsMax = 100

const columns = [
  { title: 'Market' },
  { title: 'Side' },
  { title: 'Venue', class: 'wide-only' },
  { title: 'Size', class: 'num wide-only' },
  { title: 'Limit', class: 'num wide-only' },
  { title: 'Filled', class: 'num' },
  { title: 'Average', class: 'num wide-only' },
  { title: 'Status' },
  { title: 'Changed', class: 'wide-only' },
]

const notReported = 'the venue has not reported it'

/** `changes`: counts those of the account's orders. */
export function OrderList({ changes }: { changes: number }) {
  const [inFlight, setInFlight] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const { rows, busy, error, more } = usePaged<OrderOverview>(
    `orders ${inFlight} ${changes}`,
    (cursor, signal) =>
      api<OrderOverview[]>('/v1/exec/orders', { limit: rowsMax, open: inFlight ? 'true' : undefined, cursor }, signal),
    { everyMs },
  )
  const current = rows.find(({ executionId }) => executionId === chosen)
  return (
    <>
      <div class="bar">
        <label class="check">
          <input
            type="checkbox"
            checked={inFlight}
            onChange={({ currentTarget }) => setInFlight(currentTarget.checked)}
          />{' '}
          in flight only
        </label>
        <small>
          For timelines, conditional orders and webhooks see <a href={hashOf('orders')}>the page of orders</a>.
        </small>
      </div>
      <Unavailable error={error} what="Orders" />
      <div class="order-list">
        <LongList
          label="Orders"
          columns={columns}
          rows={rows}
          rowHeight={38}
          keyOf={({ executionId }) => executionId}
          cells={cellsOf}
          held={`orders ${inFlight}`}
          isChosen={({ executionId }) => executionId === chosen}
          onChoose={({ executionId }) => setChosen(executionId)}
          onEnd={more}
          empty={busy ? null : error === null ? (inFlight ? 'No orders in flight.' : 'No orders yet.') : ''}
        />
      </div>
      {current !== undefined && (
        <RowDetails label="Chosen order" of={current.executionId}>
          <OrderDetail order={current} />
        </RowDetails>
      )}
    </>
  )
}

function cellsOf(row: OrderOverview) {
  const { market, marketId, executionId, side, intent, venue, size, price, matchedSize, averagePrice, status } = row
  return [
    market ?? marketId ?? executionId,
    intent === 'order' ? (side ?? unknown) : `${intent}${side === null ? '' : ` ${side}`}`,
    venue,
    <Amount key="size" text={size} />,
    <Amount key="price" text={price} why="it has no limit, or the limit is not known" />,
    <Amount key="matched" text={matchedSize} why={notReported} />,
    <Amount key="average" text={averagePrice} why="no fill is stored, or one reports no price" />,
    status,
    format.moment(row.updatedAt),
  ]
}

function OrderDetail({ order }: { order: OrderOverview }) {
  const { venue, marketId, market, label, outcomeId, remainingSize, timeInForce, expiresAt, error } = order
  return (
    <>
      <h2>
        {order.side ?? order.intent} {label ?? outcomeId ?? ''}
      </h2>
      {marketId !== null && (
        <p>
          <a href={hashOf('market', venue, marketId)}>{market ?? marketId}</a>
        </p>
      )}
      {error !== null && <p class="bad">{error}</p>}
      <dl class="facts">
        <dt>Status</dt>
        <dd>
          {order.status} since {format.moment(order.statusSince)}
        </dd>
        <dt>Filled</dt>
        <dd>
          <Amount text={order.matchedSize} why={notReported} /> of <Amount text={order.size} />, left{' '}
          <Amount text={remainingSize} why={notReported} />
        </dd>
        <dt>Time in force</dt>
        <dd>{timeInForce ?? unknown}</dd>
        <dt>Expires</dt>
        <dd>{format.moment(expiresAt)}</dd>
        <dt>Built</dt>
        <dd>{format.moment(order.createdAt)}</dd>
        <dt>Venue’s id</dt>
        <dd>{order.venueRef ?? unknown}</dd>
        <dt>Execution</dt>
        <dd>{order.executionId}</dd>
        {order.targetExecutionId !== null && (
          <>
            <dt>Changes</dt>
            <dd>{order.targetExecutionId}</dd>
          </>
        )}
        {order.targetOf.length > 0 && (
          <>
            <dt>Changed by</dt>
            <dd>{order.targetOf.join(', ')}</dd>
          </>
        )}
        {order.groupId !== null && (
          <>
            <dt>Group</dt>
            <dd>{order.groupId}</dd>
          </>
        )}
      </dl>
    </>
  )
}
