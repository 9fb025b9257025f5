// Normalizes phrases that have two forms before anything is parsed.
import { datedEditions } from './frames/knowledge/ceremonies.ts'
import { pattern, rewrites, rewritten as rewrittenIn } from './patternFilter.ts'
import { Scratch } from './text.ts'
import { peopleGazetteer } from './vocabulary.ts'

/** "Not more than 8" is an amount, not a negation. */
const bounds = rewrites([
  [/\b(?:(?:no|not) (?:more|greater|higher|larger) than|not (?:above|over))(?= \D{0,3}\d)/g, 'at most'],
  [/\b(?:(?:no|not) (?:less|fewer|lower|smaller) than|not (?:below|under))(?= \D{0,3}\d)/g, 'at least'],
])

/** In this order. */
const turns = [
  ...peopleGazetteer,
  ...rewrites([
    [/\bwhite house\b/g, 'Whitehouse'],
    [/(?<=\b(?:recogn|organ|legal|national|author|normal|privat|final|criminal))is(?=e|ing|ation)/g, 'iz'],
    [/\b(?<=score[sd]? )an? (?=goal|touchdown|home run|point)/g, 'at least 1 '],
    [/\b(?<=(?:wins?|gets?|takes?) )an? (?=seat\b)/g, 'at least 1 '],
    [/(?<=\p{L}) x (?=\p{L})/gu, ' and '],
    // A court verdict, not a negation: not being found guilty by some day is not an acquittal.
    [/\b(?:found )?not guilty\b/g, 'acquitted'],
  ]),
  ...bounds,
]
const marks = {
  athletics: pattern(/\ba's(?= )/g),
  bowl: pattern(/\bsuper bowl [lxvi]+\b/g),
  margin: pattern(
    /(?:the )?margin of victory for .{2,60}? (?:in .{2,80}? )?be (?:above|more than|greater than|over) 0(?:%| ?percent)?/g,
  ),
}

export function rewritten(text: string, league: string | null): Scratch {
  const scratch = new Scratch(datedEditions(text))
  for (const { wording, form } of turns) scratch.rewrite(wording, form)
  if (league === 'mlb') scratch.rewrite(marks.athletics, 'Athletics')
  rewriteMargin(scratch, text)
  if (scratch.contains(marks.bowl)) {
    const bowl = /\bsuper bowl ([lxvi]+)\b/.exec(scratch.low)?.[1] as string
    scratch.rewrite(marks.bowl, `Super Bowl ${1966 + roman(bowl)}`)
  }
  return scratch
}

/** Bounds only, in a lower-case text. */
export const plainBounds = (low: string): string => rewrittenIn(low, bounds)

/** "Margin of victory for X above 0" is "X wins": the name inside the phrase must stay. */
function rewriteMargin(scratch: Scratch, text: string): void {
  if (!scratch.contains(marks.margin)) return
  const found =
    /margin of victory for (.{2,60}?) (in .{2,80}? )?be (?:above|more than|greater than|over) 0(?:%| ?percent)?/i.exec(
      text,
    )
  if (found === null) return
  scratch.rewrite(marks.margin, `${found[1]} win ${found[2] ?? ''}`)
}

/** Super Bowl LX was played in 2026. */
function roman(text: string): number {
  const worth: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50 }
  return [...text].reduce((sum, letter, at) => {
    const own = worth[letter] ?? 0
    return sum + (own < (worth[text[at + 1] ?? ''] ?? 0) ? -own : own)
  }, 0)
}
