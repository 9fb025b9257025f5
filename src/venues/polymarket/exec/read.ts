// The account's private reads. They may be retried, so they use the retrying client.
import { z } from 'zod'
import type { LaneContext } from '../../lane.ts'
import { findKeyed, readKeyed } from '../../shared/exec/apiKeyClient.ts'
import { readableRows } from '../../shared/exec/pagedList.ts'
import { type Credentials, clobApi } from './auth.ts'
import { ClobOrder, ClobOrders, ClobTrade, ClobTrades, paths } from './wire.ts'

const lastCursor = 'LTE='
const pagesMax = 20

export interface Reader {
  context: LaneContext
  credentials: Credentials
  address: string
}

/** An absent order has been seen as 404, as nothing, and as an empty object. */
const ShownOrder = z.union([ClobOrder, z.strictObject({}).transform(() => null)]).nullish()

/** Null: not among the active orders. Finished ones are not shown. */
export async function readOrder(reader: Reader, id: string): Promise<ClobOrder | null> {
  const { address, ...requestOptions } = reader
  const one = await findKeyed(clobApi(address), { ...requestOptions, path: paths.readOrder + id, shape: ShownOrder })
  if (one != null) return one
  const query = { id }
  const listed = await readKeyed(clobApi(address), {
    ...requestOptions,
    path: paths.readOrders,
    shape: ClobOrders,
    query,
  })
  return listed.data?.find((row) => row.id.toLowerCase() === id.toLowerCase()) ?? null
}

/**
 * Trades of the account in a market since `after`, Unix seconds. `areAll` false: there are more than are read at once, or some that cannot be read.
 */
export async function readTrades(
  { address, ...requestOptions }: Reader,
  market: string,
  after: number,
): Promise<{ trades: ClobTrade[]; areAll: boolean }> {
  const trades: ClobTrade[] = []
  let cursor: string | undefined
  let isReadable = true
  for (let page = 0; page < pagesMax; page++) {
    const query = { market, after: String(after), ...(cursor === undefined ? {} : { next_cursor: cursor }) }
    const answer = await readKeyed(clobApi(address), {
      ...requestOptions,
      path: paths.trades,
      shape: ClobTrades,
      query,
    })
    const { rows, unreadable = 0 } = readableRows(ClobTrade, answer.data ?? [])
    trades.push(...rows)
    isReadable &&= unreadable === 0
    const next = answer.next_cursor
    if (!next || next === lastCursor || next === cursor) return { trades, areAll: isReadable }
    cursor = next
  }
  return { trades, areAll: false }
}
