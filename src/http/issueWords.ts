// The one thing to say of an input that does not fit: which part of it, and why.
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** Of a union the reading that got furthest into the input is the one that was meant. */
export function issueWords(issues: readonly Issue[]): string {
  const { path, message } = meant(issues)
  const where = path.map(String).join('.').slice(0, 100)
  return where === '' ? message.slice(0, 300) : `${where}: ${message.slice(0, 300)}`
}

function meant([issue]: readonly Issue[]): { path: PropertyKey[]; message: string; isOfKind: boolean } {
  if (issue === undefined) return { path: [], message: 'invalid input', isOfKind: false }
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) {
    return { path: issue.path, message: issue.message, isOfKind: issue.code !== 'invalid_type' }
  }
  const readings = issue.errors.map(meant)
  const furthest = readings.reduce((best, reading) => (reach(reading) > reach(best) ? reading : best))
  return { ...furthest, path: [...issue.path, ...furthest.path], isOfKind: true }
}

/** Text where an object is wanted says little; a text that is none of the words wanted says more. */
const reach = ({ path, isOfKind }: ReturnType<typeof meant>): number => path.length * 2 + (isOfKind ? 1 : 0)
