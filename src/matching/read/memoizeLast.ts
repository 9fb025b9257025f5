import type { Question } from './question.ts'

/** Caches the result for the last pair: a comparison and the relation derived from it need the same values. Results must not be changed. */
export function memoizeLastPair<T>(find: (a: Question, b: Question) => T): (a: Question, b: Question) => T {
  let last: { a: Question; b: Question; found: T } | null = null
  return (a, b) => {
    if (last === null || last.a !== a || last.b !== b) last = { a, b, found: find(a, b) }
    return last.found
  }
}
