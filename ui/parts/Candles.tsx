import { useState } from 'preact/hooks'
import type { Candle } from '#schemas/marketData'
import { api } from '../lib/api.ts'
import { format } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { useModule } from '../lib/lazy.ts'
import { Failure } from './ErrorMessage.tsx'

const resolutions = ['1m', '5m', '1h', '1d'] as const
const everyMs = 10_000
const candlesMax = 300

export function Candles({ venue, outcomeId }: { venue: string; outcomeId: string }) {
  const [resolution, setResolution] = useState<(typeof resolutions)[number]>('1m')
  const { value, error } = usePolled(
    `candles ${venue} ${outcomeId} ${resolution}`,
    (signal) =>
      api<Candle[]>(
        `/api/${encodeURIComponent(venue)}/fetchOHLCV`,
        { outcomeId, resolution, limit: candlesMax },
        signal,
      ),
    everyMs,
  )
  const charts = useModule(() => import('./Chart.tsx'))
  return (
    <>
      <fieldset class="bar">
        <legend>Resolution</legend>
        {resolutions.map((each) => (
          <button key={each} type="button" aria-pressed={each === resolution} onClick={() => setResolution(each)}>
            {each}
          </button>
        ))}
        <small role="status">{value?.data.length === 0 && 'No candles for this period.'}</small>
      </fieldset>
      <div class="figure">
        {value === null && error === null && <p class="quiet">Loading…</p>}
        {charts !== null && value !== null && (
          <charts.Chart label={labelOf(resolution, value.data)} data={{ kind: 'candles', candles: value.data }} />
        )}
      </div>
      <Failure error={error} />
    </>
  )
}

/** Text alternative of the chart. */
const labelOf = (resolution: string, candles: readonly Candle[]): string =>
  `${resolution} candles: ${candles.length}, last close ${format.price(candles.at(-1)?.close)}`
