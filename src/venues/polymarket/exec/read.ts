// The account's private reads. They may be repeated, so they go through the client that repeats them.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { LaneContext } from '../../lane.ts'
import { isShownMissing, readFault } from '../../shared/exec/readFault.ts'
import { redactBody } from '../../shared/redact.ts'
import { clobWords } from './answer.ts'
import { authHeaders, type Credentials } from './auth.ts'
import { ClobOrder, ClobOrders, type ClobTrade, ClobTrades, paths } from './wire.ts'

const lastCursor = 'LTE='
const pagesMax = 20

export interface Reader {
  context: LaneContext
  credentials: Credentials
  address: string
}

/** An order that is not shown has been seen as 404, as nothing, and as an empty object. */
const ShownOrder = z.union([ClobOrder, z.strictObject({}).transform(() => null)]).nullish()

/** Null: not among the active orders. Finished ones are not shown. */
export async function readOrder(reader: Reader, id: string): Promise<ClobOrder | null> {
  const one = await get(reader, paths.readOrder + id, ShownOrder)
  if (one != null) return one
  const listed = await get(reader, paths.readOrders, ClobOrders, { id })
  return listed?.data?.find((row) => row.id.toLowerCase() === id.toLowerCase()) ?? null
}

/** All trades of the account in a market since `after`, Unix seconds. */
export async function readTrades(reader: Reader, market: string, after: number): Promise<ClobTrade[]> {
  const trades: ClobTrade[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const query = { market, after: String(after), ...(cursor === undefined ? {} : { next_cursor: cursor }) }
    const answer = await get(reader, paths.trades, ClobTrades, query)
    trades.push(...(answer?.data ?? []))
    const next = answer?.next_cursor
    if (!next || next === lastCursor || next === cursor) return trades
    cursor = next
  }
  throw new Fault('NETWORK_ERROR', 'polymarket tells of more trades than we read at once', { exchange: 'polymarket' })
}

async function get<T>(
  { context: { http, urls, clock, signal }, credentials, address }: Reader,
  path: string,
  schema: z.ZodType<T>,
  query?: Record<string, string>,
): Promise<T | null> {
  const headers = () => authHeaders(credentials, { address, method: 'GET', path, nowMs: clock.now() })
  const { status, body: raw } = await http.request({
    url: `${urls.CLOB}${path}`,
    headers,
    ...(query && { query }),
    signal,
  })
  const body = redactBody(raw, Object.values(credentials))
  if (path.startsWith(paths.readOrder) && isShownMissing(clobWords, status, body)) return null
  const parsed = schema.safeParse(body)
  if (status === 200 && parsed.success) return parsed.data
  const why = parsed.success ? '' : z.prettifyError(parsed.error)
  throw readFault(clobWords, { venue: 'polymarket', status, body, why })
}
