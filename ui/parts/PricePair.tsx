import type { Candle } from '#schemas/marketData'
import type { ReviewedMarket, ReviewedPair } from '#schemas/matchReview'
import { api } from '../lib/api.ts'
import { format } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { type PricePoint, pricePath } from '../lib/pricePath.ts'
import { Failure } from './ErrorMessage.tsx'

const hours = 168
const size = { width: 600, height: 120 }

/** Yes prices of both markets over the last week. */
export function PricePair({ pair: { a, b } }: { pair: ReviewedPair }) {
  const { value, error } = usePolled(
    `prices ${a.venue} ${a.marketId} ${b.venue} ${b.marketId}`,
    async (signal) => Promise.all([pricesOf(a, signal), pricesOf(b, signal)]),
    null,
  )
  const one = value?.[0] ?? []
  const other = value?.[1] ?? []
  const range = rangeOf([...one, ...other])
  const last = (points: readonly PricePoint[]): string => format.price(points.at(-1)?.value)
  const label = `Yes prices of the last week: ${a.venue} ${last(one)}, ${b.venue} ${last(other)}`
  return (
    <figure class="prices">
      <svg viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={label} preserveAspectRatio="none">
        <path class="first" d={pricePath(one, range, size)} />
        <path class="second" d={pricePath(other, range, size)} />
      </svg>
      <figcaption>
        <small>
          <span class="first">
            {a.venue} {last(one)}
          </span>
          ,{' '}
          <span class="second">
            {b.venue} {last(other)}
          </span>
          {value !== null && one.length + other.length === 0 && ': no candles in the last week'}
        </small>
        <Failure error={error} />
      </figcaption>
    </figure>
  )
}

async function pricesOf({ venue, outcomes }: ReviewedMarket, signal: AbortSignal): Promise<PricePoint[]> {
  const yes = outcomes.find(({ label }) => label.toLowerCase() === 'yes') ?? outcomes[0]
  if (yes === undefined) return []
  const { data } = await api<Candle[]>(
    `/api/${encodeURIComponent(venue)}/fetchOHLCV`,
    { outcomeId: yes.outcomeId, resolution: '1h', limit: hours },
    signal,
  )
  return data.map(({ timestamp, close }) => ({ at: timestamp, value: close }))
}

function rangeOf(points: readonly PricePoint[]): { from: number; to: number } {
  const times = points.map(({ at }) => at)
  return { from: Math.min(...times), to: Math.max(...times) }
}
