import type { Question } from './parsedMarket.ts'

/**
 * Remembers the answer for the pair asked about last: a comparison and the relation that follows from it ask for the same things. Nobody changes an
 * answer.
 */
export function memoizeLastPair<T>(find: (a: Question, b: Question) => T): (a: Question, b: Question) => T {
  let last: { a: Question; b: Question; found: T } | null = null
  return (a, b) => {
    if (last === null || last.a !== a || last.b !== b) last = { a, b, found: find(a, b) }
    return last.found
  }
}
