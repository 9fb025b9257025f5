import type { OutcomeCoverage } from '#schemas/history'
import { heatOf, type Span, wholeShare } from '../lib/coverageHeatmap.ts'
import { format, unknown } from '../lib/format.ts'

export const heatColumns = 96

/** An outcome's coverage as a strip: each column shows how complete its part of the tape is. */
export function HeatRow({ outcome, span }: { outcome: OutcomeCoverage; span: Span }) {
  const runs = heatOf(outcome, span, heatColumns)
  const share = wholeShare(runs)
  const gaps = outcome.gaps.filter(({ kind }) => kind === 'gap').length
  return (
    <svg
      class="heat"
      viewBox={`0 0 ${heatColumns} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${share === null ? `${unknown} not taped` : `${format.percent(share)} complete`}, ${gaps} gaps`}
    >
      {runs.map(({ from, to, tone }) => (
        <rect key={from} class={tone} x={from} y={0} width={to - from} height={10} />
      ))}
    </svg>
  )
}
