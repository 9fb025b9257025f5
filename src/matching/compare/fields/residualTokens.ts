// Words that nothing else understood. Words on both sides agree; a name on one side only, or different words on both, is a difference.

import type { MatchDifference } from '../../match.ts'
import { ruleOutPoints } from '../../match.ts'
import { placeOfWord } from '../../read/gazetteer.ts'
import type { Question, Residual } from '../../read/question.ts'
import { isGameWord, isMeasure, isWeakTerm } from '../../read/vocabulary.ts'
import { wordTrieRegex } from '../../read/wordTrieRegex.ts'
import { swapped } from '../frames/arguments.ts'
import { occursInsideName, primaryForNomination } from './features.ts'

export function compareResidual(a: Question, b: Question): MatchDifference[] {
  const games = a.matchup !== null && b.matchup !== null
  const soft = (word: Residual): boolean =>
    isWeakTerm(word.key) || isWeakTerm(word.text) || (games && isGameWord(word.text))
  const shared = new Set(a.rest.map((word) => word.key).filter((key) => b.rest.some((word) => word.key === key)))
  const placed = (word: Residual, other: Question): boolean => {
    const place = placeOfWord(word.text)
    return place !== null && (other.features.place ?? []).includes(place)
  }
  let onlyA = a.rest.filter((word) => !shared.has(word.key) && !soft(word) && !placed(word, b))
  let onlyB = b.rest.filter((word) => !shared.has(word.key) && !soft(word) && !placed(word, a))
  const out: MatchDifference[] = []
  const spelled = a.rest.filter(
    (word) => shared.has(word.key) && word.name && !b.rest.some((other) => other.text === word.text),
  )
  const varied = spelled.filter((word) =>
    b.rest.some((other) => other.key === word.key && !plural(word.text, other.text)),
  )
  if (varied.length > 0) {
    const other = b.rest.find((word) => word.key === varied[0]?.key)
    out.push({
      kind: 'spelling',
      points: 3,
      detail: `spelling: ${varied[0]?.text} on ${a.venue}, ${other?.text} on ${b.venue}`,
    })
  }
  for (const word of [...onlyA]) {
    const slip = onlyB.find((other) => swapped(word.text, other.text))
    if (slip === undefined) continue
    onlyA = onlyA.filter((each) => each !== word)
    onlyB = onlyB.filter((each) => each !== slip)
    out.push({
      kind: 'spelling',
      points: 3,
      detail: `spelling: ${word.text} on ${a.venue}, ${slip.text} on ${b.venue}`,
    })
  }
  // "Bet Boom" and "BetBoom": the same letters, split differently.
  if (onlyA.length > 0 && onlyB.length > 0 && letters(onlyA) === letters(onlyB)) {
    onlyA = []
    onlyB = []
  }
  if (!games) {
    onlyA = [...onlyA, ...oneSidedActions(a, b)]
    onlyB = [...onlyB, ...oneSidedActions(b, a)]
    if (onlyA.length > 0 && onlyB.length === 0) onlyB = onlyPlaces(b, a)
    else if (onlyB.length > 0 && onlyA.length === 0) onlyA = onlyPlaces(a, b)
  }
  if (onlyA.length > 0 && onlyB.length > 0) {
    if (opposed(onlyA, onlyB)) {
      // An unchanged price is neither up nor down; for a price in cents that is next to impossible.
      out.push({
        kind: 'direction',
        points: a.domain === 'price' && b.domain === 'price' ? 4 : 12,
        detail: `direction: ${a.venue} says ${list(onlyA)}, ${b.venue} says ${list(onlyB)}; no change is on neither side`,
      })
      return out
    }
    const names = onlyA.some((word) => word.name) && onlyB.some((word) => word.name)
    // No word and no verb in common: they only mention the same place or person, like any two questions of a topic.
    const apart =
      !games && shared.size === 0 && !(a.features.action ?? []).some((action) => b.features.action?.includes(action))
    const points = apart ? 62 : names ? 50 : 30 + 3 * Math.min(4, onlyA.length + onlyB.length - 2)
    out.push({
      kind: names ? 'name' : 'wording',
      points,
      detail: `${names ? 'names' : 'words'}: ${a.venue} says ${list(onlyA)}, ${b.venue} says ${list(onlyB)}`,
    })
    return out
  }
  const extra = onlyA.length > 0 ? onlyA : onlyB
  if (extra.length === 0) return out
  const [who, whole] = onlyA.length > 0 ? [a, a.rest] : [b, b.rest]
  out.push(oneSided(who, who === a ? b : a, whole, extra, shared, games))
  return out
}

const opposites: readonly (readonly [RegExp, RegExp])[] = [
  [/^up$/, /^down$/],
  [/^ris(?:e|es|ing)$/, /^fall(?:s|ing)?$/],
  [/^increas(?:e|es|ed|ing)$/, /^decreas(?:e|es|ed|ing)$/],
  [/^higher$/, /^lower$/],
]

/** Has an opposite. */
export const isDirected = (word: string): boolean => directed.test(word)
const directed = wordTrieRegex(opposites.flat())

/** One word against its opposite, and nothing else differs. */
const opposed = (a: readonly Residual[], b: readonly Residual[]): boolean =>
  a.length === 1 &&
  b.length === 1 &&
  opposites.some(([x, y]) => {
    const [one, two] = [a[0]?.text ?? '', b[0]?.text ?? '']
    return (x.test(one) && y.test(two)) || (y.test(one) && x.test(two))
  })

/** A verb that only one side has, with unknown words on the other ("win" against "played"), is a difference of wording. */
function oneSidedActions(who: Question, other: Question): Residual[] {
  if (primaryForNomination(who, other) || (other.features.action ?? []).length > 0) return []
  return (who.features.action ?? []).map((action) => ({ key: action, text: action, name: false, run: -1 }))
}

/** A place on one side and another name on the other: "lead Iran" against "lead Corvia". */
function onlyPlaces(who: Question, other: Question): Residual[] {
  if ((other.features.place ?? []).length > 0) return []
  return (who.features.place ?? [])
    .filter((place) => place !== 'us' && !occursInsideName(other, place))
    .map((place) => ({ key: place, text: place, name: true, run: -1 }))
}

function oneSided(
  who: Question,
  other: Question,
  whole: readonly Residual[],
  extra: readonly Residual[],
  shared: ReadonlySet<string>,
  games: boolean,
): MatchDifference {
  const detail = `words: only ${who.venue} says ${list(extra)}`
  // Participants and place are already taken out: what remains is a different bet on the game.
  if (games) return { kind: 'bet', points: 28 + 3 * Math.min(4, extra.length), detail }
  // "goals" against "goals + assists": another quantity is counted.
  if (who.intervals.length + who.numbers.length > 0 && extra.some((word) => isMeasure(word.text)))
    return { kind: 'measure', points: 32, detail }
  if (turned(who, other, shared))
    return { kind: 'name', points: 40, detail: `${detail}; the words they share are in another order` }
  const alone = extra.filter(
    (word) => word.name && !whole.some((other) => other.run === word.run && shared.has(other.key)),
  )
  if (alone.length > 0)
    return {
      kind: 'name',
      points: ruleOutPoints + 2 + 4 * Math.min(3, extra.length - 1),
      detail: `names: only ${who.venue} says ${list(extra)}`,
    }
  return { kind: 'wording', points: 11 + 5 * (extra.length - 1), detail }
}

/** A name with its words reversed is another name: "Racing Bulls" and "Red Bull Racing". */
function turned(a: Question, b: Question, shared: ReadonlySet<string>): boolean {
  const runs = new Map<number, string[]>()
  for (const word of a.rest)
    if (word.name && shared.has(word.key)) runs.set(word.run, [...(runs.get(word.run) ?? []), word.key])
  return [...runs.values()].some((run) => {
    const places = run.map((key) => b.rest.findIndex((word) => word.key === key))
    const one = new Set(places.map((at) => b.rest[at]?.run)).size === 1
    return one && places.some((at, index) => index > 0 && at < (places[index - 1] as number))
  })
}

const list = (words: readonly Residual[]): string => words.map((word) => `"${word.text}"`).join(' ')
const letters = (words: readonly Residual[]): string => words.map((word) => word.key).join('')
const plural = (a: string, b: string): boolean => a === `${b}s` || b === `${a}s`
