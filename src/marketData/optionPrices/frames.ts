// Frames of the stream's `price` channel. Their price part is encoded once, regardless of how many sockets receive it.
import type { OptionPriceData } from '#schemas/optionPrices'
import type { FoundPool, PoolPrices, PriceQuery } from './prices.ts'

const encoded = new WeakMap<PoolPrices, string>()

/** `asked`: the subscriber's own names, at the top level. `ts`: epoch ms when the frame was written. */
export function priceFrame(
  { venue, marketId, marketAddress }: PriceQuery,
  found: Pick<FoundPool, 'marketId' | 'pool'>,
  poolPrices: PoolPrices,
  ts: number,
): Buffer {
  const { address } = found.pool
  const about = { provider: venue, marketId: found.marketId, marketAddress: address }
  const head = JSON.stringify({ type: 'price', venue, marketId, marketAddress: marketAddress ?? address, ts })
  return Buffer.from(`${opened(head)},"data":${opened(JSON.stringify(about))},${restOf(poolPrices).slice(1)}}`)
}

const opened = (object: string): string => object.slice(0, -1)

function restOf(poolPrices: PoolPrices): string {
  const known = encoded.get(poolPrices)
  if (known !== undefined) return known
  const { prices, triggeredBy, asOfMs } = poolPrices
  const rest: Pick<OptionPriceData, 'triggeredBy' | 'asOfISO'> & { prices: PoolPrices['prices'] } = {
    prices,
    triggeredBy,
    asOfISO: new Date(asOfMs).toISOString(),
  }
  const text = JSON.stringify(rest)
  encoded.set(poolPrices, text)
  return text
}
