// An event by June is also an event by July: questions of one event that differ only in their deadline.
import type { Question } from '../read/question.ts'
import type { Found } from './ladder.ts'
import { isPersistent } from './monotonicEvents.ts'

/**
 * From each deadline to the next. A market that closes before an earlier deadline's market is not trusted, nor a deadline without
 * a year.
 */
export function deadlines(group: readonly Question[]): Found[] {
  const rungs = group.flatMap((question) => {
    const [date] = question.dates
    const plain =
      question.dates.length === 1 &&
      !question.negated &&
      question.proposition?.denied !== true &&
      !isPersistent(question)
    if (!plain || date?.role !== 'deadline' || date.span === null) return []
    return [{ key: question.key, closes: question.closes, by: date.span.to }]
  })
  rungs.sort((x, y) => x.by - y.by || (x.key < y.key ? -1 : 1))
  return rungs.slice(1).flatMap((later, at): Found[] => {
    const earlier = rungs[at]!
    if (later.by === earlier.by) return []
    if (earlier.closes !== null && later.closes !== null && earlier.closes > later.closes) return []
    return [{ kind: 'a_implies_b', a: earlier.key, b: later.key }]
  })
}
