// Runs a saved probe again without the venue: its answers and frames go through today's code.
import { Fault } from '#core/fault'
import type { HttpClient, HttpRequest } from '#net/http'
import type { OpenSocket } from '#net/socket'
import type { Bundle } from './save.ts'

type SavedRequest = Pick<HttpRequest, 'method' | 'url' | 'query' | 'body'>

const keyOf = ({ method = 'GET', url, query, body }: SavedRequest): string =>
  JSON.stringify([method, url, Object.entries(query ?? {}).filter(([, value]) => value != null), body ?? null])

/**
 * A client that responds as the venue did. The same request gets its responses in order, and the last one repeatedly; a request that was
 * not saved gets the response to the same address with other parameters, or a fault. What failed fails again.
 */
export function replayClient({
  venue,
  exchanges,
}: Pick<Bundle, 'venue' | 'exchanges'>): HttpClient & { receivedAt(): number } {
  const answers = new Map<string, Bundle['exchanges']>()
  for (const exchange of exchanges) {
    const key = keyOf({ ...exchange, body: exchange.sent })
    answers.set(key, [...(answers.get(key) ?? []), exchange])
  }
  let receivedAt = 0
  return {
    /** When the last returned response had arrived, epoch ms: the time of the venue's clock is compared with it. */
    receivedAt: () => receivedAt,
    async request(request) {
      const left = answers.get(keyOf(request))
      const found =
        (left !== undefined && left.length > 1 ? left.shift() : left?.[0]) ??
        exchanges.find(({ url, method }) => url === request.url && method === (request.method ?? 'GET'))
      if (found === undefined) throw new Fault('NETWORK_ERROR', `${request.url} was not saved`)
      receivedAt = found.receivedAt
      const { status, headers, body, failure } = found
      if (failure === undefined && status !== null) return { status, headers, body: structuredClone(body) }
      if (status !== null) request.received?.(bytesOf(body), { status, headers })
      const { message = 'there was no answer', detail, retryAfterSeconds } = failure ?? {}
      throw new Fault('NETWORK_ERROR', message, {
        exchange: venue,
        detail,
        // There is no venue to wait for.
        retryAfterSeconds: retryAfterSeconds === undefined ? undefined : Math.min(1, retryAfterSeconds),
      })
    },
  }
}

const bytesOf = (body: unknown): Buffer => Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))

/** A socket on which the saved frames arrive once it is open and the subscriptions were sent; nothing comes after them. */
export const replaySocket =
  ({ frames }: Pick<Bundle, 'frames'>): OpenSocket =>
  (_url, _headers, events) => {
    let isClosed = false
    setImmediate(() => {
      events.opened()
      for (const frame of frames) if (!isClosed) events.frame(Buffer.from(frame))
    })
    return {
      send: () => undefined,
      bufferedBytes: () => 0,
      close() {
        isClosed = true
      },
    }
  }
