// Days and months in UTC.
export interface Period {
  /** `2026-11-30` or `2026-11`. */
  name: string
  /** Epoch ms, inclusive. */
  from: number
  /** Epoch ms, exclusive. */
  to: number
}

export type Interval = 'day' | 'month'

/** `2026-11` or `2026-11-30`. Null: no such month or day. */
export function parsePeriod(text: string): Period | null {
  const match = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text)
  if (match === null) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), match[3] === undefined ? null : Number(match[3])]
  const period = day === null ? monthOf(Date.UTC(year, month - 1, 1)) : dayOf(Date.UTC(year, month - 1, day))
  // A day that the month does not have is another day.
  return period.name === text ? period : null
}

export const periodOf = (at: number, interval: Interval): Period => (interval === 'day' ? dayOf(at) : monthOf(at))

const dayMs = 86_400_000

function dayOf(at: number): Period {
  const from = Math.floor(at / dayMs) * dayMs
  return { name: new Date(from).toISOString().slice(0, 10), from, to: from + dayMs }
}

function monthOf(at: number): Period {
  const date = new Date(at)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const from = Date.UTC(year, month, 1)
  return { name: new Date(from).toISOString().slice(0, 7), from, to: Date.UTC(year, month + 1, 1) }
}
