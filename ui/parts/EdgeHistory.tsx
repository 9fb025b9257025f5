// A row's edge over time: live since it was selected, and from the tape the periods in which it was executable.
import { apiLines } from '../lib/api.ts'
import { format } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { edgeLine, lasts, type Stretch } from '../lib/intervals.ts'
import { useModule } from '../lib/lazy.ts'
import type { Point } from './Chart.tsx'
import { Failure } from './ErrorMessage.tsx'

export type { Point } from './Chart.tsx'

const dayMs = 86_400_000
const everyMs = 10_000
const stretchesMax = 200
/** Five minutes each. */
const steps = 288

interface ExecutablePeriods {
  /** Newest first. */
  stretches: Stretch[]
  sinceMs: number
  untilMs: number
}

export function EdgeHistory({ clusterId, points }: { clusterId: string; points: readonly Point[] }) {
  const { value, error } = usePolled(`stretches ${clusterId}`, (signal) => stretchesOf(clusterId, signal), everyMs)
  const charts = useModule(() => import('./Chart.tsx'))
  return (
    <>
      <h3>Edge since selected, USD</h3>
      <div class="figure low">
        {charts !== null && (
          <charts.Chart isLow label={`Edge, ${points.length} points`} data={{ kind: 'line', points }} />
        )}
      </div>
      <h3>Executable stretches, last 24 h, from the tape</h3>
      <Failure error={error} />
      <p class="quiet">Best edge of each stretch, USD. No line: not executable.</p>
      <div class="figure low">
        {charts !== null && value !== null && (
          <charts.Chart
            isLow
            label={`Edge from the tape, ${value.stretches.length} stretches`}
            data={{ kind: 'line', points: edgeLine(value.stretches, value, steps), isWindow: true }}
          />
        )}
      </div>
      <div class="list" tabIndex={0} role="region" aria-label="Stretches">
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Duration</th>
              <th scope="col" class="num">
                Best edge
              </th>
            </tr>
          </thead>
          <tbody>
            {value?.stretches.map((stretch) => (
              <tr key={stretch.firstSeen}>
                <td>
                  {format.date(stretch.firstSeen)}, {format.time(stretch.firstSeen)}
                </td>
                <td>
                  {format.span(stretch.lastSeen - stretch.firstSeen)}
                  {lasts(stretch, value.untilMs)
                    ? ', ongoing'
                    : stretch.ended
                      ? ''
                      : ' at least: its end was not recorded'}
                </td>
                <td class="num">{format.usd(stretch.bestEdge)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {value?.stretches.length === 0 && <p class="quiet">None on the tape.</p>}
      </div>
    </>
  )
}

async function stretchesOf(clusterId: string, signal: AbortSignal): Promise<ExecutablePeriods> {
  const now = Date.now()
  const query = { clusterId, since: now - dayMs, until: now, limit: stretchesMax }
  const lines = (await apiLines('/v1/history/arbitrage', query, signal)) as (Stretch & { k: string })[]
  const stretches = lines.filter(({ k }) => k !== 'cursor').toReversed()
  return { stretches, sinceMs: now - dayMs, untilMs: now }
}
