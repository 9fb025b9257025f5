// One authenticated read. Query parameters are outside the signature.
import { z } from 'zod'
import type { LaneContext } from '../../lane.ts'
import { isShownMissing, readFault } from '../../shared/exec/readFault.ts'
import { redactBody } from '../../shared/redact.ts'
import { usWords } from './answer.ts'
import { authHeaders, type Credentials } from './auth.ts'

/** Null where the venue knows of nothing at this path. Throws VENUE_CREDENTIAL_REJECTED, NETWORK_ERROR. */
export async function read<S extends z.ZodType>(
  { http, clock, urls, signal }: LaneContext,
  credentials: Credentials,
  path: string,
  shape: S,
  query?: Readonly<Record<string, readonly string[]>>,
): Promise<z.output<S> | null> {
  const headers = () => authHeaders(credentials, 'GET', path, clock.now())
  const { status, body: raw } = await http.request({ url: `${urls.API}${path}`, query, headers, signal })
  const body = redactBody(raw, Object.values(credentials))
  if (isShownMissing(usWords, status, body)) return null
  const parsed = shape.safeParse(body)
  if (status === 200 && parsed.success) return parsed.data
  const why = `${path} ${parsed.success ? '' : z.prettifyError(parsed.error)}`
  throw readFault(usWords, { venue: 'polymarket_us', status, body, why })
}
