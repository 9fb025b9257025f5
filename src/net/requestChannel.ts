// Where requests to venues are told of as they are made: whoever traces them listens, and as long as nobody does they cost one look. Said here and not to
// the HTTP library, which sends what waited in its pool from another request's turn.
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'

/** Filled in as it becomes known. Hosts alone: paths and queries have keys of nodes and wallets of callers in them. */
export interface ToldRequest {
  venue: string | null
  method: string
  host: string
  status?: number
  /** Of a send: what is known of it in the end. */
  outcome?: string
}

export const requestChannel: TracingChannel<'crossbook:request', ToldRequest> = tracingChannel<
  'crossbook:request',
  ToldRequest
>('crossbook:request')

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'unknown')
