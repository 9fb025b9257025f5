// One authenticated read. Query parameters are outside the signature.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { LaneContext } from '../../lane.ts'
import { redactBody } from '../../shared/redact.ts'
import { reasonOf } from './answer.ts'
import { authHeaders, type Credentials } from './auth.ts'

/** Null for 404. Throws VENUE_CREDENTIAL_REJECTED, NETWORK_ERROR. */
export async function read<S extends z.ZodType>(
  { http, clock, urls, signal }: LaneContext,
  credentials: Credentials,
  path: string,
  shape: S,
  query?: Readonly<Record<string, readonly string[]>>,
): Promise<z.output<S> | null> {
  const headers = authHeaders(credentials, 'GET', path, clock.now())
  const { status, body: raw } = await http.request({ url: `${urls.API}${path}`, query, headers, signal })
  if (status === 404) return null
  const body = redactBody(raw, Object.values(credentials))
  const detail = status === 200 ? '' : reasonOf(status, JSON.stringify(body ?? ''))
  if (status === 401 || status === 403) {
    throw new Fault('VENUE_CREDENTIAL_REJECTED', 'polymarket_us rejected the key', {
      exchange: 'polymarket_us',
      detail,
    })
  }
  const parsed = shape.safeParse(body)
  if (status === 200 && parsed.success) return parsed.data
  throw new Fault('NETWORK_ERROR', 'polymarket_us gave an answer we cannot read', {
    exchange: 'polymarket_us',
    detail: `${path}: status ${status} ${detail}${parsed.success ? '' : z.prettifyError(parsed.error)}`,
  })
}
