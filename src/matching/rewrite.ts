// Phrases said in two ways are brought to one before anything is read.
import { datedEditions } from './frames/knowledge/ceremonies.ts'
import { Scratch } from './text.ts'
import { knownPeople } from './vocabulary.ts'

export function rewritten(text: string, league: string | null): Scratch {
  const scratch = new Scratch(datedEditions(text))
  for (const [pattern, name] of knownPeople) scratch.rewrite(pattern, name)
  if (league === 'mlb') scratch.rewrite(/\ba's(?= )/g, 'Athletics')
  scratch.rewrite(/\bwhite house\b/g, 'Whitehouse')
  scratch.rewrite(/(?<=\b(?:recogn|organ|legal|national|author|normal|privat|final|criminal))is(?=e|ing|ation)/g, 'iz')
  scratch.rewrite(/\b(?<=score[sd]? )an? (?=goal|touchdown|home run|point)/g, 'at least 1 ')
  scratch.rewrite(/\b(?<=(?:wins?|gets?|takes?) )an? (?=seat\b)/g, 'at least 1 ')
  scratch.rewrite(/(?<=\p{L}) x (?=\p{L})/gu, ' and ')
  // A verdict, not a denial: who is found guilty on no day was not therefore acquitted.
  scratch.rewrite(/\b(?:found )?not guilty\b/g, 'acquitted')
  rewriteBounds(scratch)
  rewriteMargin(scratch, text)
  const bowl = /\bsuper bowl ([lxvi]+)\b/.exec(scratch.low)?.[1]
  if (bowl !== undefined) scratch.rewrite(/\bsuper bowl [lxvi]+\b/g, `Super Bowl ${1966 + roman(bowl)}`)
  return scratch
}

const bounds: readonly (readonly [RegExp, string])[] = [
  [/\b(?:(?:no|not) (?:more|greater|higher|larger) than|not (?:above|over))(?= \D{0,3}\d)/g, 'at most'],
  [/\b(?:(?:no|not) (?:less|fewer|lower|smaller) than|not (?:below|under))(?= \D{0,3}\d)/g, 'at least'],
]

/** "Not more than 8" is an amount and no denial. */
function rewriteBounds(scratch: Scratch): void {
  for (const [pattern, plain] of bounds) scratch.rewrite(pattern, plain)
}

/** The same of a text in lower case. */
export const plainBounds = (low: string): string =>
  bounds.reduce((text, [pattern, plain]) => text.replace(pattern, plain), low)

/** "Margin of victory for X above 0" is "X wins": the name inside the phrase must stay. */
function rewriteMargin(scratch: Scratch, text: string): void {
  const found =
    /margin of victory for (.{2,60}?) (in .{2,80}? )?be (?:above|more than|greater than|over) 0(?:%| ?percent)?/i.exec(
      text,
    )
  if (found === null) return
  scratch.rewrite(
    /(?:the )?margin of victory for .{2,60}? (?:in .{2,80}? )?be (?:above|more than|greater than|over) 0(?:%| ?percent)?/g,
    `${found[1]} win ${found[2] ?? ''}`,
  )
}

/** Super Bowl LX was played in 2026. */
function roman(text: string): number {
  const worth: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50 }
  return [...text].reduce((sum, letter, at) => {
    const own = worth[letter] ?? 0
    return sum + (own < (worth[text[at + 1] ?? ''] ?? 0) ? -own : own)
  }, 0)
}
