// There is no read of one order: it is looked for among the open ones, then in the history, page by page.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { SendOutcome } from '#net/http'
import type { LaneContext } from '../../lane.ts'
import { readFault } from '../../shared/exec/readFault.ts'
import { geminiWords } from './answer.ts'
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
  if (sent.kind !== 'answered') {
    throw new Fault('NETWORK_ERROR', 'gemini is unreachable', { exchange: 'gemini', cause: sent.cause })
  }
  const { status, text } = sent
  const body = parseExact(text)
  const rows = GeminiOrders.safeParse(body)
  if (status === 200 && rows.success) return rows.data
  const why = rows.success ? '' : z.prettifyError(rows.error)
  throw readFault(geminiWords, { venue: 'gemini', status, body, why })
}
