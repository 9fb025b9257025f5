// The prices at which Novig takes orders: the list requires a token, so an order is checked against it when it is sent. The venue asks
// clients to read it at start and "at a reasonable interval", and not to store it. https://docs.novig.com/api-reference/ticks
import { z } from 'zod'
import type { LaneContext } from '../../lane.ts'
import { sendKeyed } from '../../shared/exec/apiKeyClient.ts'
import { parseJson } from '../../shared/exec/relay.ts'
import { novigApi, type WithToken } from './auth.ts'
import { paths } from './wire.ts'

const Prices = z
  .array(z.union([z.number(), z.string()]).transform(Number).pipe(z.number().gt(0).lt(1)))
  .min(1)
  .max(10_000)

const keptMs = 10 * 60_000
/** By the venue's address: one for each. */
const grids = new Map<string, { prices: readonly number[]; readAtMs: number }>()

/** Null: it cannot be read now, and the venue decides by itself. */
export async function readGrid(context: LaneContext, credentials: WithToken): Promise<readonly number[] | null> {
  const { clock, urls } = context
  const kept = grids.get(urls.REST!)
  if (kept !== undefined && Math.abs(clock.now() - kept.readAtMs) < keptMs) return kept.prices
  const sent = await sendKeyed(novigApi, context, credentials, { method: 'GET', path: paths.ticks, text: null })
  if (sent.kind !== 'answered' || sent.status !== 200) return null
  const { data: prices } = Prices.safeParse(parseJson(sent.text))
  if (prices === undefined) return null
  grids.set(urls.REST!, { prices, readAtMs: clock.now() })
  return prices
}

const tolerance = 1e-7

/** Null: it is a price of the grid. Otherwise the nearest ones, the lower first. */
export function nearestPrices(grid: readonly number[], price: number): number[] | null {
  if (grid.some((each) => Math.abs(each - price) < tolerance)) return null
  const [below, above] = [grid.filter((each) => each < price), grid.filter((each) => each > price)]
  return [...(below.length > 0 ? [Math.max(...below)] : []), ...(above.length > 0 ? [Math.min(...above)] : [])]
}
