// How much: strikes, ranges and plain numbers. Two strikes that are each other's complement make the pair inverse.
import type { MatchDifference } from '../../match.ts'
import type { Question } from '../../read/question.ts'
import { type Interval, intervalText, relate } from '../../read/thresholdParser.ts'
import { isParsed } from './releasePeriod.ts'

export interface StrikeResult {
  differences: MatchDifference[]
  inverse: boolean
}

const kind = 'strike'

export function compareStrikes(a: Question, b: Question): StrikeResult {
  const mine = a.intervals
  const other = b.intervals
  const numbers = compareNumbers(a, b)
  if (mine.length === 0 && other.length === 0) return { differences: numbers, inverse: false }
  if (mine.length === 0 || other.length === 0) {
    const [who, silent] = mine.length > 0 ? [a, b] : [b, a]
    const only = who.intervals.map(intervalText).join(' and ')
    return {
      differences: [
        ...numbers,
        { kind, points: 35, detail: `strike: only ${who.venue} says ${only}, ${silent.venue} names none` },
      ],
      inverse: false,
    }
  }
  if (mine.length === 1 && other.length === 1) {
    const single = compareOne(a, mine[0] as Interval, b, other[0] as Interval)
    return { differences: [...single.differences, ...numbers], inverse: single.inverse }
  }
  const equal =
    mine.length === other.length && mine.every((each) => other.some((o) => /^(?:equal|tick)$/.test(relate(each, o))))
  if (equal) return { differences: numbers, inverse: false }
  const detail = `strike: ${a.venue} says ${mine.map(intervalText).join(' and ')}, ${b.venue} says ${other.map(intervalText).join(' and ')}`
  return { differences: [{ kind, points: 40, detail }, ...numbers], inverse: false }
}

function compareOne(a: Question, x: Interval, b: Question, y: Interval): StrikeResult {
  const statement = `${a.venue} says ${intervalText(x)}, ${b.venue} says ${intervalText(y)}`
  const differences: MatchDifference[] = []
  if (x.touch !== y.touch)
    differences.push({
      kind,
      points: 32,
      detail: `strike: ${statement}; touching it once is not the same as being there at the time`,
    })
  const relation = relate(x, y)
  // A price may touch both sides on the way.
  switch (x.touch && y.touch && relation.endsWith('complement') ? 'different' : relation) {
    case 'equal':
      return { differences, inverse: false }
    case 'tick':
      return {
        differences: [...differences, { kind, points: 2, detail: `strike: ${statement}; a tick apart` }],
        inverse: false,
      }
    case 'boundary':
      return {
        differences: [
          ...differences,
          { kind, points: 12, detail: `strike: ${statement}; the number itself counts on one side only` },
        ],
        inverse: false,
      }
    case 'complement':
      return { differences: [...differences, ...unless(a, b, statement)], inverse: true }
    case 'near-complement':
      return {
        differences: [
          ...differences,
          { kind, points: 12, detail: `strike: ${statement}; the number itself is on both sides or on neither` },
        ],
        inverse: true,
      }
    case 'different':
      return { differences: [...differences, { kind, points: 45, detail: `strike: ${statement}` }], inverse: false }
  }
}

/** "Sentenced to more than 10 years" and "to 10 or less": if it may not happen at all, both may be No. */
function unless(a: Question, b: Question, statement: string): MatchDifference[] {
  if (isParsed(a) && isParsed(b)) return []
  return [{ kind, points: 12, detail: `strike: ${statement}; it is not certain that one of them comes true` }]
}

function compareNumbers(a: Question, b: Question): MatchDifference[] {
  const onlyA = without(a.numbers, b.numbers)
  const onlyB = without(b.numbers, a.numbers)
  // Numbers next to a matchup are founding years of clubs and lengths of series.
  const address = a.matchup !== null && b.matchup !== null
  if (onlyA.length > 0 && onlyB.length > 0) {
    return [
      {
        kind: 'number',
        points: address ? 12 : 40,
        detail: `number: ${a.venue} says ${onlyA.join(', ')}, ${b.venue} says ${onlyB.join(', ')}`,
      },
    ]
  }
  if (onlyA.length + onlyB.length === 0) return []
  const who = onlyA.length > 0 ? a : b
  return [
    {
      kind: 'number',
      points: address ? 3 : 16,
      detail: `number: only ${who.venue} says ${[...onlyA, ...onlyB].join(', ')}`,
    },
  ]
}

function without(mine: readonly number[], other: readonly number[]): number[] {
  const left = [...other]
  return mine.filter((value) => {
    const at = left.indexOf(value)
    if (at < 0) return true
    left.splice(at, 1)
    return false
  })
}
