// Publishes requests to venues as they are made, for tracing: without listeners this costs one check. Published here and not by the HTTP library,
// which sends what waited in its pool in another request's context.
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'

/** Filled in as it becomes known. Hosts only: paths and queries contain keys of nodes and wallets of callers. */
export interface RequestDiagnostics {
  venue: string | null
  method: string
  host: string
  status?: number
  /** For a send: what is finally known of it. */
  outcome?: string
}

export const requestChannel: TracingChannel<'crossbook:request', RequestDiagnostics> = tracingChannel<
  'crossbook:request',
  RequestDiagnostics
>('crossbook:request')

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'unknown')
