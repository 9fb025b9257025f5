// How a failed private read is reported. Credentials count as rejected only if the venue says so in its own format: an edge's error page, under 401
// or 403 as under any other status, is a network error.
import { Fault } from '#core/fault'
import { type ErrorCodes, readRefusal, textMax } from './relay.ts'

/** The venue itself rejected credentials it has checked. */
export class CredentialRefusal extends Fault {}

interface Answer {
  venue: string
  status: number
  body: unknown
  /** For the log: why the body is not what was requested. */
  why?: string
}

export function readFault(words: ErrorCodes, { venue, status, body, why = '' }: Answer): Fault {
  const refusal = readRefusal(words, body, status)
  const detail = `status ${status} ${refusal?.text ?? why}`.slice(0, textMax)
  const options = { exchange: venue, detail }
  if (refusal?.means === 'credential') {
    const code = refusal.code ?? 'VENUE_CREDENTIAL_REJECTED'
    return new CredentialRefusal(code, refusal.advice ?? `${venue} rejected the key`, { ...options, afterWork: true })
  }
  const what = refusal?.means === 'notLookedAt' ? 'did not look' : 'sent an answer we cannot read'
  return new Fault('NETWORK_ERROR', `${venue} ${what}`, options)
}

/** The venue itself says that nothing exists at this path; another server's 404 says nothing about the order. */
export function isReportedMissing(words: ErrorCodes, status: number, body: unknown): boolean {
  const means = status === 404 ? readRefusal(words, body, status)?.means : undefined
  return means === 'order' || means === 'unclear'
}
