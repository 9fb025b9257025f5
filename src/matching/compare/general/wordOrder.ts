// Who does what to whom. Two questions with the same words differ if the names change places.

import { extractDates, takeTimes } from '../../read/dateParser.ts'
import { placeOf, placePattern } from '../../read/gazetteer.ts'
import type { Question } from '../../read/question.ts'
import { canonicalSpelling, Scratch, stem } from '../../read/text.ts'
import { takeIntervals } from '../../read/thresholdParser.ts'
import { isCommon, isStop, isWeakTerm } from '../../read/vocabulary.ts'

export interface Order {
  /** The sentence without its days and amounts. */
  text: string
  /** The sentence without its days. */
  undated: string
  /** Names in their order, each as the words of one run. */
  names: readonly (readonly string[])[]
  /** The first of them is acted upon. */
  passive: boolean
  /** Both do it: the order is irrelevant. */
  mutual: boolean
  /** A list whose label follows a title without a verb: the roles are unknown. */
  unknown: boolean
}

const mutual =
  /\b(?:and|with|meets?|met|marry|married|wed|engaged|vs\.?|versus|between|deal|agreement|call|debate|talks|summit)\b|\p{L}-\p{L}/u
const passive =
  /\b(?:be|is|was|get|gets|been)(?: \w+ly)? (?!the\b|an?\b)\w+(?:ed|en|ught|ld)\b|\b\w+(?:ed|en) (?:by|in)\b/
const anyPlace = new RegExp(placePattern.source, 'gi')
const known = new WeakMap<Question, Order>()

export function orderOf(q: Question): Order {
  const before = known.get(q)
  if (before !== undefined) return before
  const found = read(q)
  known.set(q, found)
  return found
}

function read(q: Question): Order {
  const scratch = new Scratch(q.text)
  takeTimes(scratch)
  extractDates(scratch)
  const undated = scratch.raw.replaceAll('¦', ' ').replace(/\s+/g, ' ').trim()
  takeIntervals(scratch)
  const text = ahead(scratch.raw.replaceAll('¦', ' ').replace(/\s+/g, ' ').trim())
  const low = text.toLowerCase()
  return {
    text,
    undated,
    names: namesOf(text),
    passive: passive.test(low),
    mutual: mutual.test(low.replaceAll(/\b(?:agreement|deal) by\b/g, ' ')),
    unknown: !/^will\b/i.test(text) && /:\s/.test(text),
  }
}

/** "Who will acquire X? : Y" is "Will Y acquire X", "Who will Y pardon? : X" is "Will Y pardon X", "Oscars: Will X win" is "Will X win : Oscars". */
function ahead(text: string): string {
  const prefixed = /^([^:?]{2,60}): (Will .+)$/.exec(text)
  if (prefixed !== null) return `${prefixed[2]} ${prefixed[1]}`
  const listed = /^(?:Who|What|Which \S+) will ((?:the )?.+?)\s*\??\s*: (.+)$/i.exec(text)
  if (listed === null) return text
  const [, rest = '', label = ''] = listed
  return /^(?:the )?\p{Lu}/u.test(rest) ? `Will ${rest} ${label}` : `Will ${label} ${rest}`
}

function namesOf(text: string): string[][] {
  const placed = text
    .replace(/^Will (?:the )?/, '')
    .replace(anyPlace, (whole, name: string) =>
      /[A-Z]/.test(whole) && placeOf(name.toLowerCase(), whole) !== null
        ? `| ${(placeOf(name.toLowerCase(), whole) as string).replace(/^./, (first) => first.toUpperCase())} |`
        : whole,
    )
  const runs: string[][] = []
  let open = false
  for (const match of placed.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{N}]|[.&'-](?=[\p{L}\p{N}]))*|[|,:/]/gu)) {
    const word = match[0].toLowerCase().replace(/'s$/, '')
    const name =
      /^\p{Lu}/u.test(match[0]) &&
      (word === 'us' || !isStop(word)) &&
      !isWeakTerm(stem(word)) &&
      !isCommon(stem(word)) &&
      word.length > 1
    if (name && open) runs.at(-1)?.push(canonicalSpelling(word))
    else if (name) runs.push([canonicalSpelling(word)])
    open = name
  }
  return runs
}
