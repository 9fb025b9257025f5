// Reads of the venue: POST /info, one shape per `type`. https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { HttpClient } from '#net/http'
import { weightOf } from '../data/weights.ts'

/** What a read needs; a LaneContext has it. */
export interface InfoContext {
  http: HttpClient
  urls: Readonly<Record<string, string>>
  signal: AbortSignal
}

/** Throws NETWORK_ERROR for anything but the expected answer. */
export async function info<S extends z.ZodType>(
  { http, urls, signal }: InfoContext,
  body: { readonly type: string; readonly [name: string]: unknown },
  shape: S,
  timeoutMs?: number,
): Promise<z.output<S>> {
  const weight = weightOf(body.type)
  const response = await http.request({ method: 'POST', url: `${urls.REST}/info`, body, signal, timeoutMs, weight })
  const parsed = shape.safeParse(response.body)
  if (response.status === 200 && parsed.success) return parsed.data
  throw new Fault('NETWORK_ERROR', 'hyperliquid sent an answer we cannot read', {
    exchange: 'hyperliquid',
    detail: `${body.type}: status ${response.status}${parsed.success ? '' : `, ${z.prettifyError(parsed.error)}`}`,
  })
}
