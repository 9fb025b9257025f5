// What Polymarket US's answers prove. Bodies of refusals carry `message` or `error`.
import { z } from 'zod'
import type { SendOutcome } from '#net/http'
import type { RelayOutcome } from '../../lane.ts'

const textMax = 500

const Refusal = z.object({ message: z.string().optional(), error: z.string().optional() })

/** The venue's sentence; the bare text where it is no JSON. */
export function reasonOf(status: number, text: string): string {
  const parsed = Refusal.safeParse(parseJson(text))
  const said = parsed.success ? (parsed.data.message ?? parsed.data.error) : text
  return (said || `status ${status}`).slice(0, textMax)
}

/** `accept` reads a 2xx; null when it proves nothing. */
export function relayOutcome(sent: SendOutcome, accept: (body: unknown) => RelayOutcome | null): RelayOutcome {
  if (sent.kind === 'not_sent')
    return { kind: 'refused', reason: 'the venue could not be reached and nothing was sent', code: 'NETWORK_ERROR' }
  if (sent.kind === 'unknown') return { kind: 'unknown', cause: sent.cause }
  const { status, text } = sent
  if (status === 401 || status === 403) return { kind: 'refused', reason: reasonOf(status, text) }
  if (status === 429)
    return { kind: 'refused', reason: 'the venue limits requests; nothing was placed', code: 'NETWORK_ERROR' }
  if (status >= 400 && status < 500 && status !== 408) return { kind: 'rejected', reason: reasonOf(status, text) }
  const outcome = status >= 200 && status < 300 ? accept(parseJson(text)) : null
  return outcome ?? { kind: 'unknown', cause: new Error(`status ${status}: ${text.slice(0, textMax)}`) }
}

/** Undefined for an empty body and for what is no JSON. */
export function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
