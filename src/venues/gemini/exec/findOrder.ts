// There is no read of one order: it is looked for among the open ones, then in the history, page by page.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { SendOutcome } from '#net/http'
import type { LaneContext } from '../../lane.ts'
import { readRefusal } from './answer.ts'
import type { Credentials, Payload } from './auth.ts'
import { call } from './call.ts'
import { parseExact } from './json.ts'
import { type GeminiOrder, GeminiOrders, paths } from './wire.ts'

const pageRows = 100
/** Of each list; the venue advises five private calls a second. */
const pagesMax = 5

export interface Wanted {
  orderId: string | null
  clientOrderId: string | null
  symbol: string | null
}

/** Null when neither list shows it. Throws VENUE_CREDENTIAL_REJECTED and its two own codes, NETWORK_ERROR. */
export async function findOrder(
  context: LaneContext,
  credentials: Credentials,
  wanted: Wanted,
): Promise<GeminiOrder | null> {
  for (const path of [paths.active, paths.history]) {
    for (let page = 0; page < pagesMax; page++) {
      const symbol: Payload = wanted.symbol === null ? {} : { symbol: wanted.symbol }
      const fields = { ...symbol, limit: pageRows, offset: page * pageRows }
      const rows = readRows(await call(context, credentials, path, fields))
      const found = rows.find((row) => isWanted(row, wanted))
      if (found !== undefined) return found
      if (rows.length < pageRows) break
    }
  }
  return null
}

const isWanted = (row: GeminiOrder, { orderId, clientOrderId }: Wanted): boolean =>
  orderId === null ? clientOrderId !== null && row.clientOrderId === clientOrderId : row.orderId === orderId

function readRows(sent: SendOutcome): GeminiOrder[] {
  if (sent.kind !== 'answered') throw unreadable('gemini is unreachable', undefined, sent.cause)
  const { status, text } = sent
  const refusal = readRefusal(text)
  if (refusal?.code !== undefined) {
    throw new Fault(refusal.code, keySettings[refusal.code], { exchange: 'gemini', detail: refusal.text })
  }
  // A limit on requests, or a clock that is off, says nothing about the key.
  if (status === 429 || refusal?.about === 'service') throw unreadable('gemini did not look', refusal?.text)
  if (status === 401 || status === 403 || refusal?.about === 'key') {
    throw new Fault('VENUE_CREDENTIAL_REJECTED', 'gemini rejected the key', {
      exchange: 'gemini',
      detail: refusal?.text ?? `status ${status}`,
    })
  }
  const rows = GeminiOrders.safeParse(parseExact(text))
  if (status === 200 && refusal === null && rows.success) return rows.data
  const why = refusal?.text ?? (rows.success ? '' : z.prettifyError(rows.error))
  throw unreadable('gemini gave an answer we cannot read', `status ${status} ${why}`)
}

/** What the caller has to change at the venue. */
const keySettings = {
  GEMINI_TIME_NONCE_REQUIRED: 'this Gemini key does not use time-based nonces; make one that does',
  GEMINI_HEARTBEAT_KEY_UNSUPPORTED: 'this Gemini key requires a heartbeat; make one that does not',
} as const

const unreadable = (message: string, detail?: string, cause?: unknown): Fault =>
  new Fault('NETWORK_ERROR', message, { exchange: 'gemini', detail, cause })
