// How long a live message waited for the brokers before they stamped it. Their timestamps do not show it: a message held back while they
// were unavailable would look new, even if its sender no longer owns the venue.
import type { IHeaders } from 'kafkajs'

const name = 'waited'
/** Anything less is ordinary transit time. */
const leastMs = 500

/** Empty for messages sent immediately: most have no header. */
export const queueDelayHeaders = (ms: number): { headers?: IHeaders } =>
  ms < leastMs ? {} : { headers: { [name]: String(Math.round(ms)) } }

/** ms; 0 without the header. */
export function queueDelayOf(headers: IHeaders | undefined): number {
  const header = headers?.[name]
  const ms = header === undefined ? 0 : Number(String(header))
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}
