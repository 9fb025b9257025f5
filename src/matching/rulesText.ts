// The text of a market's rules, as far as it is read by itself: its years and its deadlines.
import { fold, Scratch } from './text.ts'
import { spanOf, takeDates } from './when.ts'

export interface RulesText {
  /** Folded. */
  text: string
  years: readonly number[]
  /** Last days that its first part names as a deadline, with their year. */
  deadlines: readonly number[]
}

export function readRules(rules: string): RulesText {
  const text = fold(rules)
  if (text === '') return nothing
  const years = [...new Set([...text.matchAll(/\b(20[2-4]\d)\b/g)].map((match) => Number(match[1])))].sort()
  return { text, years, deadlines: deadlinesIn(text) }
}

const nothing: RulesText = { text: '', years: [], deadlines: [] }

function deadlinesIn(rules: string): number[] {
  const days = new Set<number>()
  for (const moment of takeDates(new Scratch(rules.slice(0, 800)))) {
    if (moment.role === 'deadline' && moment.year !== null && (moment.day !== null || moment.before))
      days.add(spanOf(moment, moment.year).to)
  }
  return [...days].sort((a, b) => a - b)
}
