// What Kalshi's answers prove.
import type { SendOutcome } from '#net/http'
import type { RelayOutcome } from '../../lane.ts'
import { KalshiError } from './wire.ts'

const textMax = 500

/** Said of the time of a signature: our clock is wrong, not the key. */
export const clockIsOff = 'header_timestamp_expired'

/** An order with our own client order id is there. */
const duplicate = 'order_already_exists'

/** `accept` reads a 2xx; null when it proves nothing. */
export function relayOutcome(sent: SendOutcome, accept: (body: unknown) => RelayOutcome | null): RelayOutcome {
  if (sent.kind === 'not_sent') {
    return { kind: 'refused', reason: 'the venue could not be reached and nothing was sent', code: 'NETWORK_ERROR' }
  }
  if (sent.kind === 'unknown') return { kind: 'unknown', cause: sent.cause }
  const { status, text } = sent
  const unknown: RelayOutcome = { kind: 'unknown', cause: new Error(`status ${status}: ${text.slice(0, textMax)}`) }
  if (status === 429)
    return { kind: 'refused', reason: 'the venue limits requests; nothing was placed', code: 'NETWORK_ERROR' }
  const body = parseJson(text)
  if (status >= 200 && status < 300) return accept(body) ?? unknown
  const refusal = readRefusal(body)
  if (refusal?.code === clockIsOff) {
    return {
      kind: 'refused',
      reason: 'the venue’s clock and ours disagree; nothing was placed',
      code: 'NETWORK_ERROR',
    }
  }
  if (status === 401 || status === 403) return { kind: 'refused', reason: refusal?.text ?? `status ${status}` }
  if (refusal === null || status < 400 || status >= 500 || status === 408) return unknown
  return refusal.code === duplicate ? unknown : { kind: 'rejected', reason: refusal.text }
}

/** `code: detail`, as the venue said it. */
export function readRefusal(body: unknown): { code: string; text: string } | null {
  const parsed = KalshiError.safeParse(body)
  if (!parsed.success) return null
  const { code, message, details } = parsed.data
  const said = details || message
  return { code, text: (said && said !== code ? `${code}: ${said}` : code).slice(0, textMax) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
