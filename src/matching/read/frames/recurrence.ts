// How often something occurs within its window: two answers exclude each other only if it occurs once.
import { primary } from '../../compare/fields/dates.ts'
import type { SetRelation } from '../../compare/frames/frameThresholds.ts'
import type { Question } from '../question.ts'
import type { StatedDate } from '../yearInference.ts'
import type { Proposition } from './read.ts'

/** Something touched, or read several times within its window, may have different outcomes. */
export function repeated(a: Question, { frame, amount }: Proposition, b: Question): boolean {
  if (amount?.touch === true || a.facets.ofSeveral || b.facets.ofSeveral) return true
  const { each } = frame
  if (each === undefined) return false
  const once = (date: StatedDate | null): boolean =>
    date !== null && date.role !== 'deadline' && (date.grain === 'day' || (each === 'month' && date.grain === 'month'))
  return !once(primary(a)) && !once(primary(b))
}

const ofMany = /\bof the (?:day|week|month|game|match)\b/i

/** Whether there is one winner: not if it is won again before a deadline, nor if it is given every month. */
export function isOneTimeEvent(a: Question, p: Proposition, b: Question, q: Proposition): boolean {
  if (repeated(a, p, b) || repeated(b, q, a)) return false
  if (p.frame.window !== 'recurring') return true
  const dates = [primary(a), primary(b)]
  if (dates.some((date) => date?.role === 'deadline' || date?.role === 'after')) return false
  return ![a, b].some(({ text }) => ofMany.test(text)) || dates.every((date) => date !== null && date.grain !== 'year')
}

/** Only whether one amount contains the other is still meaningful. */
export const keepContainmentOnly = (relation: SetRelation | null): SetRelation | null =>
  relation === 'apart' || relation === 'rest' ? null : relation
