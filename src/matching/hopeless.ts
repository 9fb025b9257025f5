// Pairs that share a topic and nothing more: told apart by one plain contradiction, before anything that costs time is compared.
import type { FeatureKind } from './features.ts'
import { primary } from './fields/dates.ts'
import { gamesApart } from './fields/games.ts'
import { mayBeOne } from './frames/compare.ts'
import type { Question } from './question.ts'
import { relate, within } from './threshold.ts'

/** Kinds that no wording reconciles. */
const plain: readonly FeatureKind[] = ['team', 'district', 'party', 'asset', 'metric', 'period', 'group', 'division']

/** True only where a comparison would find neither a match nor an implication; false says nothing. */
export function hopeless(a: Question, b: Question): boolean {
  if (a.matchup !== null && b.matchup !== null) return gamesApart(a, b)
  if (plain.some((kind) => conflict(a.features[kind], b.features[kind]))) return true
  return otherDays(a, b) || otherAmounts(a, b) || otherNames(a, b)
}

const conflict = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a !== undefined && b !== undefined && a.every((value) => !b.includes(value))

/** Two days, said with their years: neither follows from the other. */
function otherDays(a: Question, b: Question): boolean {
  const [x, y] = [primary(a), primary(b)]
  if (x?.role !== 'on' || y?.role !== 'on' || x.span === null || y.span === null) return false
  return x.span.from !== y.span.from || x.span.to !== y.span.to
}

/** Two amounts of which neither holds the other. */
function otherAmounts(a: Question, b: Question): boolean {
  if (a.proposition !== null || b.proposition !== null || a.intervals.length !== 1 || b.intervals.length !== 1)
    return false
  const [x, y] = [a.intervals[0]!, b.intervals[0]!]
  return relate(x, y) === 'different' && within(x, y) !== true && within(y, x) !== true
}

/** Both say whom they are about, and it is not one person by any means of telling. */
function otherNames(a: Question, b: Question): boolean {
  const [p, q] = [a.proposition, b.proposition]
  if (p === null || q === null || p.frame !== q.frame || p.frame.people?.includes('who') !== true) return false
  return !mayBeOne(a, b)
}
