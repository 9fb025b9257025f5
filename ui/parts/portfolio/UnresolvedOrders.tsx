// Orders of unknown outcome: what each waits for, until when, and what its owner can do.
import type { UnresolvedOrder } from '#schemas/orders'
import { api } from '../../lib/api.ts'
import { format } from '../../lib/format.ts'
import { usePolled } from '../../lib/hooks.ts'
import { actionWords, orderWords } from '../../lib/portfolio/orderWords.ts'
import { hashOf } from '../../lib/router.ts'
import { Unavailable } from '../Unavailable.tsx'

const path = '/v1/exec/orders/in-doubt'
const everyMs = 30_000
const rowsMax = 50

/** `changes`: counts those of the account's orders. */
export function UnresolvedOrders({ changes }: { changes: number }) {
  const { value, error } = usePolled(
    'unresolved orders',
    (signal) => api<UnresolvedOrder[]>(path, { limit: rowsMax }, signal),
    everyMs,
    changes,
  )
  const rows = value?.data ?? []
  return (
    <div class="list unresolved" tabIndex={0} role="region" aria-label="Unknown outcomes">
      <Unavailable error={error} what="Orders of unknown outcome" />
      {value === null && error === null && <p class="quiet">Loading…</p>}
      {value !== null && rows.length === 0 && <p>None: the outcome of every order that was sent is known.</p>}
      {rows.length > 0 && (
        <ul class="plain">
          {rows.map((order) => (
            <Unresolved key={order.executionId} order={order} />
          ))}
        </ul>
      )}
      {typeof value?.nextCursor === 'string' && <p class="quiet">Only the newest {rowsMax} are shown.</p>}
    </div>
  )
}

function Unresolved({ order }: { order: UnresolvedOrder }) {
  const { executionId, venue, status, marketId, matchedSize, response, missingSince, waitsFor, since, until } = order
  return (
    <li>
      <h3>
        {orderWords(order)} <span class="badge warn">{status}</span>
      </h3>
      <p>
        {marketId !== null && (
          <>
            <a href={hashOf('market', venue, marketId)}>{marketId}</a>.{' '}
          </>
        )}
        <small>{executionId}</small>
      </p>
      <dl class="facts">
        <dt>Waits for</dt>
        <dd>{waitsFor.text}.</dd>
        <dt>Since</dt>
        <dd>{format.moment(since)}</dd>
        <dt>Until</dt>
        <dd>{until === null ? 'nothing determines that' : format.moment(until)}</dd>
        {response !== null && (
          <>
            <dt>Response</dt>
            <dd>{response}</dd>
          </>
        )}
        {missingSince !== null && (
          <>
            <dt>Not shown since</dt>
            <dd>{format.moment(missingSince)}</dd>
          </>
        )}
        {matchedSize !== null && (
          <>
            <dt>Reported as filled</dt>
            <dd>{matchedSize}</dd>
          </>
        )}
        <dt>You can</dt>
        <dd>
          {order.actions.length === 0 ? (
            'do nothing here: look it up at the venue.'
          ) : (
            <ul class="notes">
              {order.actions.map((action) => (
                <li key={action.kind}>{actionWords(action)}</li>
              ))}
            </ul>
          )}
        </dd>
      </dl>
    </li>
  )
}
