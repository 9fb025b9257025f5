// The single most useful message about an input that does not fit: which part of it, and why.
import type { z } from 'zod'
import { eitherOf, kindOf } from './validationMessages.ts'

type Issue = z.core.$ZodIssue

/** For a union, the alternative that matched the most of the input is the one that was meant. */
export function formatIssues(issues: readonly Issue[]): string {
  const { path, message } = meant(issues)
  const where = path.map(String).join('.').slice(0, 100)
  return where === '' ? message.slice(0, 300) : `${where}: ${message.slice(0, 300)}`
}

interface Reading {
  path: PropertyKey[]
  message: string
  isOfKind: boolean
  /** What would have fit there; null: more is wrong than the choice. */
  choices: readonly string[] | null
}

function meant([issue]: readonly Issue[]): Reading {
  if (issue === undefined) return { path: [], message: 'invalid input', isOfKind: false, choices: null }
  const { code, path } = issue
  if (code !== 'invalid_union' || issue.errors.length === 0)
    return { path, message: issue.message, isOfKind: code !== 'invalid_type', choices: choicesOf(issue) }
  const readings = issue.errors.map(meant)
  const furthest = readings.reduce((best, reading) => (reach(reading) > reach(best) ? reading : best))
  const chosen = furthest.path.length === 0 && furthest.choices !== null ? allChoices(readings) : furthest
  return { ...chosen, path: [...path, ...furthest.path], isOfKind: true }
}

function choicesOf(issue: Issue): readonly string[] | null {
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value))
  return issue.code === 'invalid_type' ? [kindOf(issue.expected)] : null
}

/** One of several words, or of a few words and a number: none of them is more likely to be meant. */
function allChoices(readings: readonly Reading[]): Pick<Reading, 'message' | 'choices'> {
  const choices = [...new Set(readings.flatMap(({ path, choices }) => (path.length === 0 ? (choices ?? []) : [])))]
  return { message: `must be ${eitherOf(choices)}`, choices }
}

/** Text where an object is expected says little; a text that is none of the expected words says more. */
const reach = ({ path, isOfKind }: Reading): number => path.length * 2 + (isOfKind ? 1 : 0)
