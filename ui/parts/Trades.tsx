import { useEffect, useState } from 'preact/hooks'
import type { Trade } from '#schemas/marketData'
import { type ApiError, api } from '../lib/api.ts'
import { format } from '../lib/format.ts'
import type { Frame } from '../lib/frame.ts'
import { usePolled } from '../lib/hooks.ts'
import { streamConnections, tradesOf } from '../lib/stream.ts'
import { Failure } from './ErrorMessage.tsx'

const shownMax = 50
/** The stream repeats no trade: the trades since the last read are read again. */
const everyMs = 30_000

export function Trades({ venue, outcomeId }: { venue: string; outcomeId: string }) {
  const { value, error } = usePolled<{ data: Trade[] }>(
    `trades ${venue} ${outcomeId}`,
    (signal) => api<Trade[]>(`/api/${encodeURIComponent(venue)}/fetchTrades`, { outcomeId, limit: shownMax }, signal),
    everyMs,
    streamConnections.value,
  )
  const [live, setLive] = useState<readonly Trade[]>([])
  useEffect(
    () =>
      tradesOf(venue, outcomeId, (frame) => {
        const trade = tradeIn(frame, outcomeId)
        if (trade !== null) setLive((before) => [trade, ...before].slice(0, shownMax))
      }),
    [venue, outcomeId],
  )
  const seen = new Set(live.map(({ id }) => id))
  const trades = [...live, ...(value?.data ?? []).filter(({ id }) => !seen.has(id))]
    .toSorted((a, b) => b.timestamp - a.timestamp)
    .slice(0, shownMax)
  return (
    <>
      <Refusal error={trades.length === 0 ? error : null} />
      <div class="list fixed" tabIndex={0} role="region" aria-label="Latest trades">
        <table class="ladder">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Taker</th>
              <th scope="col" class="num">
                Price
              </th>
              <th scope="col" class="num">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {trades.map(({ timestamp, side, price, amount }, i) => (
              // A new trade is inserted at the top without moving the other rows.
              <tr key={`place ${i}`}>
                <td>{format.time(timestamp)}</td>
                <td class={side === 'buy' ? 'good' : side === 'sell' ? 'bad' : ''}>{side}</td>
                <td class="num">{format.price(price)}</td>
                <td class="num">{format.size(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {value !== null && trades.length === 0 && <p class="quiet">No trades yet.</p>}
      </div>
    </>
  )
}

const Refusal = ({ error }: { error: ApiError | null }) =>
  error?.code === 'NOT_SUPPORTED' ? <p class="quiet">This venue publishes no trades.</p> : <Failure error={error} />

const sides = { Buy: 'buy', Sell: 'sell', Unknown: 'unknown' } as const

function tradeIn(frame: Frame | null, outcomeId: string): Trade | null {
  // A fill that is seen before its block is not a trade yet.
  if (frame?.type !== 'trade' || ('status' in frame && frame.status !== 'confirmed')) return null
  const { id, timestamp, price, shares, type } = frame.data
  return { id, timestamp, price, amount: shares, side: sides[type], outcomeId }
}
