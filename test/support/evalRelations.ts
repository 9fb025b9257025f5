// Evaluates pairs labelled with relation and family: results per family, the confidence of the numbers, and which entry parses which pairs.

import { compareQuestions } from '#matching/compare/compare'
import { relate } from '#matching/compare/relation'
import { readQuestion } from '#matching/read/parsedMarket'
import { type MatchRelation, matchRelations } from '#schemas/matches'
import type { LabelledPair } from './labelledPairs.ts'
import { bootstrapMean, mean, round, type Share } from './matching/intervals.ts'

export interface Evaluated {
  pair: LabelledPair
  truth: MatchRelation
  found: MatchRelation
  sure: boolean
  verified: boolean
  /** Null when the label does not say. */
  turned: boolean | null
  /** Entry that parsed both sides; null when the fields decided. */
  frame: string | null
}

export interface RelationEvaluation {
  pairs: number
  equal: number
  families: number
  /** Equal pairs that are verified, of all; resampled by pair. */
  micro: Share
  /** Mean over the families that have equal pairs; resampled by family. */
  familyMean: Share
  /** The same, where each family's number excludes entries that parse no other family and no other set that was given with `--beside`. */
  leaveOneFamilyOut: { micro: Share; familyMean: Share }
  falseVerified: string[]
  /** Of the verified pairs with a labelled polarity: those found with the opposite one. */
  polarity: { checked: number; turned: string[] }
  implications: { labelled: number; right: number; share: number; sureAndWrong: string[] }
  /** Label, then result. */
  confusion: Record<MatchRelation, Record<MatchRelation, number>>
  perFamily: Record<string, { equal: number; verified: number }>
  perFrame: Record<string, { pairs: number; equal: number; verified: number; families: number }>
}

const equals = (relation: MatchRelation): boolean => relation === 'identity' || relation === 'complement'
const implies = (relation: MatchRelation): boolean => relation === 'subset' || relation === 'superset'

/** Listings are read as of now: windows that had begun when they traded have begun. */
export function evaluatePair(
  pair: LabelledPair,
  without: ReadonlySet<string> = new Set(),
  asOf: number = Date.now(),
): Evaluated {
  const read = (market: LabelledPair['a']): ReturnType<typeof readQuestion> => {
    const question = readQuestion(market, { asOf })
    return without.has(question.proposition?.frame.name ?? '') ? { ...question, proposition: null } : question
  }
  const [a, b] = [read(pair.a), read(pair.b)]
  const result = compareQuestions(a, b)
  const { relation, sure } = relate(a, b, result)
  const framed = a.proposition !== null && a.proposition.frame === b.proposition?.frame
  return {
    pair,
    truth: pair.relation ?? 'overlap',
    found: relation,
    sure,
    verified: result.matchBand === 'verified',
    turned: pair.polarity === null ? null : pair.polarity !== result.polarity,
    frame: framed ? (a.proposition?.frame.name ?? null) : null,
  }
}

/** Entries that also parse questions of other sets: they were not made for one family of this one. */
export function framesSeen(pairs: readonly LabelledPair[]): Set<string> {
  const seen = new Set<string>()
  for (const { a, b } of pairs) {
    for (const market of [a, b]) {
      const name = readQuestion(market).proposition?.frame.name
      if (name !== undefined) seen.add(name)
    }
  }
  return seen
}

export function evaluateRelations(
  all: readonly LabelledPair[],
  otherEntries: ReadonlySet<string> = new Set(),
  asOf: number = Date.now(),
): RelationEvaluation {
  const pairs = all.filter((pair) => pair.family !== null && pair.relation !== null)
  const evaluated = pairs.map((pair) => evaluatePair(pair, new Set(), asOf))
  const families = grouped(evaluated, ({ pair }) => pair.family as string)
  const frames = grouped(
    evaluated.filter(({ frame }) => frame !== null),
    ({ frame }) => frame as string,
  )
  const familiesOf = new Map([...frames].map(([name, rows]) => [name, new Set(rows.map(({ pair }) => pair.family))]))
  const left = [...families].flatMap(([, rows]) => {
    const own = new Set(
      [...familiesOf]
        .filter(([name, seen]) => !otherEntries.has(name) && seen.size === 1 && seen.has(rows[0]!.pair.family))
        .map(([name]) => name),
    )
    return own.size === 0 ? rows : rows.map(({ pair }) => evaluatePair(pair, own, asOf))
  })
  const implications = evaluated.filter(({ truth }) => implies(truth))
  const right = implications.filter(({ truth, found }) => truth === found)
  return {
    pairs: pairs.length,
    equal: evaluated.filter(({ truth }) => equals(truth)).length,
    families: families.size,
    ...recalls(evaluated),
    leaveOneFamilyOut: recalls(left),
    falseVerified: evaluated.filter(({ verified, truth }) => verified && !equals(truth)).map(describe),
    polarity: {
      checked: evaluated.filter(({ verified, turned }) => verified && turned !== null).length,
      turned: evaluated.filter(({ verified, turned }) => verified && turned === true).map(describe),
    },
    implications: {
      labelled: implications.length,
      right: right.length,
      share: round(right.length / Math.max(1, implications.length)),
      sureAndWrong: evaluated
        .filter(({ found, truth, sure }) => sure && implies(found) && found !== truth)
        .map(describe),
    },
    confusion: confusionOf(evaluated),
    perFamily: Object.fromEntries(
      [...families].map(([family, rows]) => {
        const equal = rows.filter(({ truth }) => equals(truth))
        return [family, { equal: equal.length, verified: equal.filter(({ verified }) => verified).length }]
      }),
    ),
    perFrame: Object.fromEntries(
      [...frames].map(([name, rows]) => {
        const equal = rows.filter(({ truth }) => equals(truth))
        return [
          name,
          {
            pairs: rows.length,
            equal: equal.length,
            verified: equal.filter(({ verified }) => verified).length,
            families: familiesOf.get(name)?.size ?? 0,
          },
        ]
      }),
    ),
  }
}

function recalls(evaluated: readonly Evaluated[]): { micro: Share; familyMean: Share } {
  const equal = evaluated.filter(({ truth }) => equals(truth))
  const hits = equal.map(({ verified }) => (verified ? 1 : 0))
  const means = [...grouped(equal, ({ pair }) => pair.family as string).values()].map((rows) =>
    mean(rows.map(({ verified }) => (verified ? 1 : 0))),
  )
  return { micro: bootstrapMean(hits), familyMean: bootstrapMean(means) }
}

function confusionOf(evaluated: readonly Evaluated[]): RelationEvaluation['confusion'] {
  const table = Object.fromEntries(
    matchRelations.map((truth) => [truth, Object.fromEntries(matchRelations.map((found) => [found, 0]))]),
  ) as RelationEvaluation['confusion']
  for (const { truth, found } of evaluated) table[truth][found]++
  return table
}

function grouped<T>(rows: readonly T[], by: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) groups.set(by(row), [...(groups.get(by(row)) ?? []), row])
  return groups
}

const describe = ({ pair, truth, found }: Evaluated): string =>
  `${truth} found ${found}: ${pair.a.title} | ${pair.a.subtitle ?? ''} || ${pair.b.title}`
