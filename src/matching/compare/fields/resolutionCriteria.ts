// Where rules say which of several readings is meant, and the two sides differ: the time played, the estimate, the series, the decision,
// the chart.
import { blocking, type MatchDifference } from '../../match.ts'
import type { Question } from '../../read/question.ts'

type Reading = readonly [
  what: string,
  asked: RegExp | null,
  values: readonly (readonly [name: string, words: RegExp])[],
]

const readings: readonly Reading[] = [
  [
    'the time played',
    null,
    [
      [
        'regular time',
        /\b90 minutes\b|\bregul(?:ar|ation) (?:time|play)\b|\bexcluding (?:any )?(?:overtime|extra time)\b/,
      ],
      ['overtime, too', /\b(?<!not )includ(?:es|ed|ing) (?:any )?(?:overtime|extra time|penalt)/],
    ],
  ],
  [
    'the estimate',
    null,
    [
      ['the first', /\b(?:advance|initial|first|flash) (?:estimate|release|print)\b/],
      ['the second', /\bsecond estimate\b/],
      ['the last', /\b(?:third|final) estimate\b/],
    ],
  ],
  [
    'the series',
    null,
    [
      ['U-3', /\bu-?3\b/],
      ['U-6', /\bu-?6\b/],
    ],
  ],
  [
    'the decision',
    null,
    [
      [
        'that of one meeting',
        /\b(?:at|after|following|of) (?:its|the|their) [^.;]{0,60}\bmeetings?\b|\bscheduled meeting/,
      ],
      [
        'any, between meetings too',
        /\b(?<!not )(?:includ(?:es|ed|ing)|even|counts?) (?:\S+ ){0,4}(?:inter-?meeting|emergency|unscheduled)\b|\b(?:inter-?meeting|emergency|unscheduled) (?:(?!not\b|never\b)\S+ ){0,3}(?:count|qualif|includ)/,
      ],
    ],
  ],
  [
    'the chart',
    /\b(?:spotify|netflix|apple music|app store|youtube)\b/,
    [
      ['worldwide', /\b(?:global|worldwide)\b/],
      ['of the US', /\b(?:us|usa|u\.s\.|united states)\b/],
    ],
  ],
]

/** Maximum length of rules read. */
const longest = 4_000
const known = new WeakMap<Question, readonly (readonly string[])[]>()

/** For each reading the values the rules name. */
function namedBy(q: Question): readonly (readonly string[])[] {
  const before = known.get(q)
  if (before !== undefined) return before
  const rules = q.rules.slice(0, longest).toLowerCase()
  const title = q.text.toLowerCase()
  const found = readings.map(([, titlePattern, values]) =>
    titlePattern !== null && !titlePattern.test(title)
      ? []
      : values.filter(([, words]) => words.test(rules)).map(([name]) => name),
  )
  known.set(q, found)
  return found
}

export function compareResolutionCriteria(a: Question, b: Question): MatchDifference[] {
  const [mine, other] = [namedBy(a), namedBy(b)]
  return readings.flatMap(([what], at) => {
    const [x, y] = [mine[at] ?? [], other[at] ?? []]
    if (x.length === 0 || y.length === 0 || x.some((value) => y.includes(value))) return []
    const detail = `rules: ${what} is ${x.join(', ')} on ${a.venue} and ${y.join(', ')} on ${b.venue}`
    return [{ kind: 'rules', points: blocking, detail }]
  })
}
