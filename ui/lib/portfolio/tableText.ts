// The pages of a table as one text, and what its headers say. Pure.
import { gapLines, sourceWords } from './unknownAmounts.ts'

/** The pages as one text: each begins with the same header line. */
export const joinCsv = ([first = '', ...others]: readonly string[]): string =>
  [first, ...others.map((page) => page.slice(page.indexOf('\r\n') + 2))].join('')

/** The headers of a file that say what it lacks. */
export function headerNotes(headers: Pick<Headers, 'get'>): string[] {
  const unavailable = (headers.get('x-unavailable') ?? '').split(',').filter((source) => source !== '')
  const countOf = (name: string): number => Number(headers.get(name) ?? 0)
  const gaps = ['x-unexplained-orders', 'x-unreadable-fills', 'x-unreadable-exchanges'] as const
  const [unexplained, unreadable, exchanges] = gaps.map(countOf)
  return [...unavailable.map(sourceWords), ...gapLines(unexplained!, unreadable!, exchanges!)]
}
