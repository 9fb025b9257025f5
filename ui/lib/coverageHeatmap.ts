// Coverage of a period of the tape as columns: each shows how complete its part of the tape is. Pure.
import type { OutcomeCoverage } from '#schemas/history'

/**
 * `whole`: nothing is missing. `part`, `lost`: some of it, or all. `unwatched`: not recorded. `before`: recording had not started.
 * `unconfirmed`: completeness unknown, because it is after the watermark or the start of a gap is unknown.
 */
export type Tone = 'whole' | 'part' | 'lost' | 'unwatched' | 'before' | 'unconfirmed'

/** Adjacent columns of one tone, `to` excluded. */
export interface Run {
  from: number
  to: number
  tone: Tone
}

type Coverage = Pick<OutcomeCoverage, 'tapeSince' | 'completeUntil' | 'gaps'>

export interface Span {
  sinceMs: number
  untilMs: number
}

export function heatOf(coverage: Coverage, { sinceMs, untilMs }: Span, columns: number): Run[] {
  const width = (untilMs - sinceMs) / columns
  const runs: Run[] = []
  for (let i = 0; i < columns; i++) {
    const tone = toneOf(coverage, { sinceMs: sinceMs + i * width, untilMs: sinceMs + (i + 1) * width })
    const last = runs.at(-1)
    if (last?.tone === tone) last.to = i + 1
    else runs.push({ from: i, to: i + 1, tone })
  }
  return runs
}

function toneOf({ tapeSince, completeUntil, gaps }: Coverage, column: Span): Tone {
  const length = column.untilMs - column.sinceMs
  const share = (from: number, to: number): number =>
    Math.max(0, Math.min(to, column.untilMs) - Math.max(from, column.sinceMs)) / length
  const of = (kind: 'gap' | 'closed'): number =>
    gaps.filter((gap) => gap.kind === kind).reduce((sum, gap) => sum + share(...boundsOf(gap)), 0)
  const lost = of('gap')
  if (lost > 0) return lost >= nearlyAll ? 'lost' : 'part'
  if (share(Number.NEGATIVE_INFINITY, Date.parse(tapeSince)) > half) return 'before'
  if (of('closed') > half) return 'unwatched'
  const promised = completeUntil === null ? Number.NEGATIVE_INFINITY : Date.parse(completeUntil)
  if (share(promised, Number.POSITIVE_INFINITY) > half) return 'unconfirmed'
  return gaps.some((gap) => share(...uncertainRangeOf(gap, gaps)) > 0) ? 'unconfirmed' : 'whole'
}

const half = 0.5
const nearlyAll = 0.999
/** A gap with an unknown start is drawn where it ended. */
const unknownBeginningMs = 1

/** The earliest possible start of such a gap: the end of the last known interval before it. Empty where its start is known. */
function uncertainRangeOf({ from, to }: Coverage['gaps'][number], gaps: Coverage['gaps']): [number, number] {
  if (from !== null || to === null) return [0, 0]
  const end = Date.parse(to)
  const ends = gaps.flatMap((gap) => (gap.to === null ? [] : [Date.parse(gap.to)])).filter((ms) => ms < end)
  return [Math.max(Number.NEGATIVE_INFINITY, ...ends), end]
}

function boundsOf({ from, to }: Coverage['gaps'][number]): [number, number] {
  const end = to === null ? Number.POSITIVE_INFINITY : Date.parse(to)
  return [from === null ? end - unknownBeginningMs : Date.parse(from), end]
}

/** The complete share of the columns that could have been recorded. Null: there are none. */
export function wholeShare(runs: readonly Run[]): number | null {
  const columns = (tones: readonly Tone[]): number =>
    runs.filter(({ tone }) => tones.includes(tone)).reduce((sum, { from, to }) => sum + to - from, 0)
  const taped = columns(['whole', 'part', 'lost'])
  return taped === 0 ? null : columns(['whole']) / taped
}
