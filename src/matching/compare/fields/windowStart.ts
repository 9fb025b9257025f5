// When a named period begins. "In 2027" and "by the end of 2027" end together, but an event before 2027 decides only one of them.

import type { Span } from '../../read/dateParser.ts'
import type { Question } from '../../read/question.ts'
import type { StatedDate } from '../../read/yearInference.ts'

const dayMs = 86_400_000
/** The last place where a day begins is twelve hours after UTC. */
const dateLineMs = 12 * 3_600_000

/** When a span of days has begun everywhere, epoch ms. */
const beginningOf = (span: Span): number => span.from * dayMs + dateLineMs

/** False only if no span of days, and so no month, begins between the two times. */
export const anyBegins = (before: number, now: number): boolean => dayAt(before) !== dayAt(now)

const dayAt = (at: number): number => Math.floor((at - dateLineMs) / dayMs)

type Read = Pick<Question, 'asOf'>

/** Whether a window has begun by the time of reading; null if that time is unknown. */
export function hasBegun(span: Span, a: Read, b: Read): boolean | null {
  if (a.asOf === null && b.asOf === null) return null
  return Math.max(a.asOf ?? 0, b.asOf ?? 0) >= beginningOf(span)
}

/** Whether a window of the question begins between the two times: it must then be compared again. */
export function startsBetween({ dates }: Pick<Question, 'dates'>, before: number, now: number): boolean {
  return dates.some((date) => {
    if (!isWindow(date)) return false
    // The other side may supply the year: any month that begins.
    if (date.span === null) return monthAt(before) !== monthAt(now)
    const begins = beginningOf(date.span)
    return before < begins && begins <= now
  })
}

const isWindow = ({ role, grain }: StatedDate): boolean => role === 'in' && grain !== 'day'

const monthAt = (at: number): number => {
  const date = new Date(at - dateLineMs)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
