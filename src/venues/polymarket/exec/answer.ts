// What the CLOB's answers prove. Refusals come as {error}; an order refused in a 200 comes with its errorMsg.
import type { SendOutcome } from '#net/http'
import type { RelayOutcome } from '../../lane.ts'
import { ClobError } from './wire.ts'

const textMax = 500

/** The key was turned down, or belongs to somebody else. */
const aboutKey = /invalid api key|unauthorized|(owner|signer address) .*of the API KEY/i
/** Said of an order that may rest: the venue knows its hash already, or gave up in the midst of taking it. */
const unclear = /duplicated|context canceled|match delayed/i
/** 503 is silence, unless the venue says that it takes no orders. */
const closedForOrders = /trading is currently (disabled|cancel-only)|post-only mode/i

/** `accept` reads a 200; null when it proves nothing. */
export function relayOutcome(sent: SendOutcome, accept: (body: unknown) => RelayOutcome | null): RelayOutcome {
  if (sent.kind === 'not_sent') {
    return { kind: 'refused', reason: 'the venue could not be reached and nothing was sent', code: 'NETWORK_ERROR' }
  }
  if (sent.kind === 'unknown') return { kind: 'unknown', cause: sent.cause }
  const { status, text } = sent
  const unknown: RelayOutcome = { kind: 'unknown', cause: new Error(`status ${status}: ${text.slice(0, textMax)}`) }
  if (status === 429)
    return { kind: 'refused', reason: 'the venue limits requests; nothing was placed', code: 'NETWORK_ERROR' }
  // RFC 8470: the request was not processed. The matching engine restarts.
  if (status === 425)
    return { kind: 'refused', reason: 'the matching engine restarts; nothing was placed', code: 'NETWORK_ERROR' }
  const body = parseJson(text)
  if (status === 200 || status === 201) return accept(body) ?? unknown
  const refusal = ClobError.safeParse(body)
  const said = refusal.success ? refusal.data.error.slice(0, textMax) : null
  if (status === 401 || (status === 403 && said === null)) {
    return { kind: 'refused', reason: said ?? `status ${status}` }
  }
  if (said === null || status < 400) return unknown
  if (status >= 500) return status === 503 && closedForOrders.test(said) ? { kind: 'rejected', reason: said } : unknown
  if (status === 408) return unknown
  return refusalOf(said)
}

export function refusalOf(said: string): RelayOutcome {
  if (unclear.test(said)) return { kind: 'unknown', cause: new Error(said.slice(0, textMax)) }
  return { kind: aboutKey.test(said) ? 'refused' : 'rejected', reason: said.slice(0, textMax) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
