// The text of a market's rules, with what is read from it independently: its years and its deadlines.

import { extractDates, spanOf, type TimeOfDay, takeTimes } from './dateParser.ts'
import { fold, Scratch } from './text.ts'

export interface RulesText {
  /** Folded. */
  text: string
  years: readonly number[]
  /** Last days that its first part names as a deadline, with their year. */
  deadlines: readonly number[]
  /** Hours that its first part names, each once. */
  times: readonly TimeOfDay[]
}

export function readRules(rules: string): RulesText {
  const text = fold(rules)
  if (text === '') return nothing
  const years = [...new Set([...text.matchAll(/\b(20[2-4]\d)\b/g)].map((match) => Number(match[1])))].sort()
  return { text, years, deadlines: deadlinesIn(text), times: timesIn(text) }
}

const nothing: RulesText = { text: '', years: [], deadlines: [], times: [] }

function deadlinesIn(rules: string): number[] {
  const days = new Set<number>()
  for (const moment of extractDates(new Scratch(rules.slice(0, 800)))) {
    if (moment.role === 'deadline' && moment.year !== null && (moment.day !== null || moment.before))
      days.add(spanOf(moment, moment.year).to)
  }
  return [...days].sort((a, b) => a - b)
}

/** "12:00 in the ET timezone (noon)" is one hour. */
function timesIn(rules: string): TimeOfDay[] {
  const plain = rules
    .slice(0, 1_500)
    .replace(/\(\s*(?:noon|midnight)\s*\)/gi, ' ')
    .replace(/(?<=[\dm])\.? (?:in|\() ?(?:the )?(?=[a-z]{2,4}\b)/gi, ' ')
    .replace(/\b(e|c|m|p)(?:astern|entral|ountain|acific)(?: standard| daylight)? time\b/gi, '$1t')
    .replace(/\bcoordinated universal time\b/gi, 'utc')
  const times = takeTimes(new Scratch(plain))
  return times.filter(
    ({ minutes, zone }, at) => times.findIndex((other) => other.minutes === minutes && other.zone === zone) === at,
  )
}
