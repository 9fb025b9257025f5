// Whether the words that no parser understood distinguish two questions: the result of `compareResidual`, without the difference itself.

import type { Question } from '../read/question.ts'
import type { Mark } from './facets.ts'

/** True only if `compareResidual` finds a hard difference. */
export function residualTokens(a: Question, b: Question, games: boolean): boolean {
  if (a.facets.placed || b.facets.placed) return false
  const onlyA = alone(a.facets.words, b.facets.words, games)
  const onlyB = alone(b.facets.words, a.facets.words, games)
  if (onlyA.length > 0 && onlyB.length > 0) return !reconciled(onlyA, onlyB)
  if (onlyA.length === 0 && onlyB.length === 0) return false
  if (games) return true
  return onlyA.length > 0
    ? tooMany(onlyA, a.facets.words, b.facets.words)
    : tooMany(onlyB, b.facets.words, a.facets.words)
}

const none: readonly Mark[] = []

function alone(words: readonly Mark[], others: readonly Mark[], games: boolean): readonly Mark[] {
  let found: Mark[] | null = null
  for (const word of words) {
    if ((games ? word.gameSoft : word.soft) || has(others, word.key)) continue
    if (found === null) found = [word]
    else found.push(word)
  }
  return found ?? none
}

function has(words: readonly Mark[], key: number): boolean {
  for (const word of words) if (word.key === key) return true
  return false
}

/** A typo, the same letters split differently, up against down. */
function reconciled(a: readonly Mark[], b: readonly Mark[]): boolean {
  for (const word of a) {
    for (const other of b) if (word.long && other.long && word.letters === other.letters) return true
  }
  const [only] = a
  if (a.length === 1 && b.length === 1 && only!.directed && b[0]!.directed) return true
  return sum(a) === sum(b)
}

function sum(words: readonly Mark[]): number {
  let found = 0
  for (const word of words) found += word.spelled
  return found
}

/** Four extra words, or a name of which the other side has no word. */
function tooMany(only: readonly Mark[], words: readonly Mark[], others: readonly Mark[]): boolean {
  if (only.length >= 4) return true
  return only.some(
    (word) => word.name && !words.some((neighbour) => neighbour.run === word.run && has(others, neighbour.key)),
  )
}
