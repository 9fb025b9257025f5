import type { WebhookDelivery, WebhookEndpoint } from '#schemas/webhooks'
import { api } from '../lib/api.ts'
import { format } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { wordsOf } from '../lib/timeline.ts'
import { Failure } from './ErrorMessage.tsx'
import { Unavailable } from './Unavailable.tsx'

const everyMs = 10_000
const pageRows = 200

const tone = { delivered: 'good', queued: 'warn', failed: 'bad' } as const

/** Deliveries to the account's endpoints, sent and pending. */
export function Webhooks() {
  const { value, error } = usePolled(
    'webhooks',
    (signal) => api<WebhookEndpoint[]>('/v1/webhooks', {}, signal),
    everyMs,
  )
  return (
    <section class="card" aria-label="Webhooks">
      <h2>Webhooks</h2>
      <Unavailable error={error} what="Webhooks" variable="CROSSBOOK_WEBHOOKS" />
      {value?.data.length === 0 && <p class="quiet">No endpoints registered.</p>}
      {value?.data.map((endpoint) => (
        <Endpoint key={endpoint.id} endpoint={endpoint} />
      ))}
    </section>
  )
}

function Endpoint({ endpoint: { id, url, events, active } }: { endpoint: WebhookEndpoint }) {
  const { value, error } = usePolled(
    `deliveries ${id}`,
    (signal) =>
      api<WebhookDelivery[]>(
        `/v1/webhooks/${encodeURIComponent(id)}/deliveries`,
        { order: 'newest', limit: pageRows },
        signal,
      ),
    everyMs,
  )
  return (
    <>
      <p class="bar">
        <span class={`badge ${active ? 'good' : 'warn'}`}>{active ? 'active' : 'paused'}</span> {url}{' '}
        <small>{events.join(', ')}</small>
      </p>
      <Failure error={error} />
      <div class="list deliveries" tabIndex={0} role="region" aria-label={`Deliveries to ${url}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Event</th>
              <th scope="col">Created</th>
              <th scope="col">Delivered</th>
              <th scope="col" class="num">
                Attempts
              </th>
              <th scope="col">Last result</th>
              <th scope="col">Next attempt</th>
              <th scope="col">Payload</th>
            </tr>
          </thead>
          <tbody>
            {value?.data.map(({ id: delivery, status, event, payload, ...row }) => (
              <tr key={delivery}>
                <td>
                  <span class={`badge ${tone[status]}`}>{status}</span>
                </td>
                <td>{event}</td>
                <td>{format.time(row.createdAt)}</td>
                <td>{format.time(row.deliveredAt)}</td>
                <td class="num">{format.count(row.attempts)}</td>
                <td>{row.lastResult ?? 'not attempted'}</td>
                <td>{format.time(row.nextAttemptAt)}</td>
                <td class="payload">
                  <small>{wordsOf(payload)}</small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {value?.data.length === 0 && <p class="quiet">No deliveries yet.</p>}
      </div>
      {value?.nextCursor != null && <p class="quiet">Older deliveries exist that are not shown.</p>}
    </>
  )
}
