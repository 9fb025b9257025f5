// A question's words prepared for the entries: what is read elsewhere (dates, times, amounts, parentheses) is removed, and the rest is one
// plain sentence.

import { extractDates, takeTimes } from '../dateParser.ts'
import { couldBePlaceName, placeOf, placePattern } from '../gazetteer.ts'
import { rewritten } from '../normalization.ts'
import type { Scratch } from '../text.ts'
import { type Interval, takeIntervals } from '../thresholdParser.ts'

export interface Sentence {
  /** Lower case, without a leading "will" and trailing marks; what a venue appends to the question follows after " : ". */
  text: string
  intervals: Interval[]
  /** Text in parentheses or after a quoted title: short forms, artists, years. */
  asides: string[]
}

/** Anything longer is not a template's sentence. */
const longest = 260

/** `undated`: of the composed sentence, if already available. */
export function sentenceOf(composed: string, undated: Scratch | null = null): Sentence | null {
  if (composed.length > longest) return null
  const withDigits = counted(composed)
  const scratch = undated !== null && withDigits === composed ? undated.copy() : withoutDates(withDigits)
  const intervals = takeIntervals(scratch)
  const asides: string[] = []
  const aside = (_: string, words: string): string => {
    if (words.trim() !== '¦' && words.trim() !== '') asides.push(words.toLowerCase().trim())
    return ' '
  }
  const text = placed(scratch.raw)
    .replace(/^Will /, '')
    // Jorge "Tuto" Quiroga: a nickname between the names.
    .replace(/(?<=\p{Lu}\p{L}+) ["'(]\p{Lu}\p{L}+["')] (?=\p{Lu})/gu, ' ')
    .replace(/\(([^()]*)\)/g, aside)
    // "Texas Hold 'Em" by Beyonce wins: the artist only identifies the title.
    .replace(/(?<=["'])\s+by ([^"?:]{2,60}?)(?=\s+(?:win|be|is|wins|receive|reach|go|hit|debut)\b)/g, aside)
    .replaceAll('¦', ' ')
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}])['"]|['"](?![\p{L}\p{N}])/gu, ' ')
    .replace(/\?+/g, ' ')
    .replace(/[,;!*%$]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?: :)+ ?$/, '')
    .replace(/^ ?(?:: )?/, '')
    .replace(/^(?:will )?(?:the )?/, '')
    .replace(/[ .-]+$/, '')
  return text === '' ? null : { text, intervals, asides }
}

function withoutDates(text: string): Scratch {
  const scratch = rewritten(text, null)
  takeTimes(scratch)
  extractDates(scratch)
  return scratch
}

const counts = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
const worded = new RegExp(
  `\\b(${counts.join('|')})(?= (?:or (?:more|fewer|less)|votes?|ballots?|rounds?|times|seats?|senators|states|cuts|hikes|meetings|members|people|games|goals)\\b)`,
  'g',
)

const top = /\btop[ -](?:(\d+)|(two|three|four|five|six|seven|eight|nine|ten))(?![\w.,]*\d)\b/g

/** "five or more ballots" is "5 or more ballots"; a capital marks a word of a name. */
const counted = (text: string): string =>
  text
    .replace(worded, (word) => String(counts.indexOf(word)))
    // "The top 5" is a place in a list; "tops 5" is more than five.
    .replace(top, (_, digits: string | undefined, word: string) => `top #${digits ?? counts.indexOf(word)}`)

const anyPlace = new RegExp(placePattern.source, 'gi')

/** Countries, states and cities as one word each, including demonyms and possessives. */
const placed = (text: string): string =>
  couldBePlaceName(text.toLowerCase())
    ? text.replace(anyPlace, (found, name: string) => {
        const place = placeOf(name.toLowerCase(), found)
        return place === null || !/[A-Z]/.test(found) ? found : place.replaceAll('-', '')
      })
    : text
