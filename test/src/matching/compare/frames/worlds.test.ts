// Checks every frame by brute force: its relation between two questions is the one found by enumerating the possible
// worlds. The whole matcher, which uses frames among other things, reports nothing that a world contradicts.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareQuestions } from '#matching/compare/compare'
import { compareFrames } from '#matching/compare/frames/compare'
import { relate, relationOf } from '#matching/compare/relation'
import { frames } from '#matching/read/frames/entries/index'
import { readQuestion } from '#matching/read/parsedMarket'
import type { Question } from '#matching/read/question'
import type { MatchRelation } from '#schemas/matches'
import { type Maker, type Meaning, type World, makers as worded } from './makers.ts'
import { measured } from './measured.ts'

const makers = [...worded, ...measured]

/** Number of questions per frame: 561 pairs each, 100,128 in the long form. */
const size = process.env.CROSSBOOK_TEST_LONG === '1' ? 447 : 33

/** Two people never share a rank, and ranks start at 1. */
function ranked(a: Meaning, b: Meaning, one: number, two: number): ReadonlyMap<string, number>[] {
  if (a.who === b.who) return [new Map([[a.who, one]])]
  const places = (x: number, y: number): ReadonlyMap<string, number> =>
    new Map([
      [a.who, x],
      [b.who, y],
    ])
  if (one < 1 || two < 1) return [places(1_000, 1_001)]
  return one === two ? [places(one, two + 1_000)] : [places(one, two), places(two, one)]
}

/** Values on both sides of every bound that either question names, combined with all days and people. */
function* worlds(a: Meaning, b: Meaning): Iterable<World> {
  const ends = [a.low, a.high, b.low, b.high].filter((end): end is number => end !== null)
  const values = [...new Set(ends.flatMap((end) => [end - 1, end, end + 1]))]
  const limits = [a.until, b.until].filter((day): day is number => day !== null)
  const last = Math.max(0, ...limits)
  const days = [null, ...new Set([...limits, last + 1])]
  const names = [...new Set([a.who, b.who]), null]
  const occasions = [...new Set([a.occasion, b.occasion])]
  for (const value of values.length === 0 ? [0] : values) {
    for (const later of values.length === 0 ? [0] : values) {
      if (later < value) continue
      const earliestLimit = Math.min(...limits)
      for (const day of days) {
        for (const one of names) {
          for (const two of names) {
            for (const ranks of ranked(a, b, value, later))
              yield {
                first: new Map([
                  [occasions[0] as number, one],
                  [occasions.at(-1) as number, occasions.length > 1 ? two : one],
                ]),
                some: new Set([one, two].filter((name): name is string => name !== null)),
                value,
                day,
                ranks,
                highest: (until) => (until !== null && until <= earliestLimit ? value : later),
              }
          }
        }
      }
    }
  }
}

function counted(maker: Maker, a: Meaning, b: Meaning): MatchRelation {
  const seen = new Set<string>()
  for (const world of worlds(a, b)) {
    seen.add(`${maker.yes(a, world) ? 1 : 0}${maker.yes(b, world) ? 1 : 0}`)
    // No further world changes the relation.
    if (seen.size === 4) return 'overlap'
  }
  const [both, neither, onlyA, onlyB] = ['11', '00', '10', '01'].map((each) => seen.has(each)) as [
    boolean,
    boolean,
    boolean,
    boolean,
  ]
  if (!onlyA && !onlyB) return 'identity'
  if (!both && !neither) return 'complement'
  if (!both) return 'disjoint'
  if (!onlyA) return 'subset'
  return onlyB ? 'overlap' : 'superset'
}

interface Drawn {
  meaning: Meaning
  question: Question
}

const drawnOf = (maker: Maker): Drawn[] => {
  const drawn = fc.sample(fc.tuple(maker.draw, fc.nat(maker.manners.length - 1)), { numRuns: size, seed: 51 })
  return drawn.map(([meaning, manner], at) => ({
    meaning,
    question: readQuestion({ venue: 'north', marketId: `m${at}`, ...maker.manners[manner]!(meaning) }),
  }))
}

/** All relations the matcher reports for two questions, verified or not, from the band and from the relation. */
function reportedRelations(a: Question, b: Question): Set<MatchRelation> {
  const result = compareQuestions(a, b)
  const reported = new Set([relate(a, b, result).relation, relationOf(a, b, result).relation])
  if (result.matchBand === 'verified') reported.add(result.polarity === 'inverse' ? 'complement' : 'identity')
  return reported
}

/** Weaker relations that are also true: identical questions imply each other, too. */
const also: Readonly<Partial<Record<MatchRelation, readonly MatchRelation[]>>> = {
  identity: ['subset', 'superset'],
  complement: ['disjoint'],
}
const holds = (reported: MatchRelation, right: MatchRelation): boolean =>
  reported === 'overlap' || reported === right || also[right]?.includes(reported) === true

describe('a frame reports the relation found by enumerating the worlds', () => {
  test.each(makers.map((maker): [string, Maker] => [maker.frame, maker]))('%s', (name, maker) => {
    const drawn = drawnOf(maker)
    for (const { question } of drawn) expect(question.proposition?.frame.name, question.text).toBe(name)
    const wrong: string[] = []
    const contradicted: string[] = []
    const relationsSeen = new Set<MatchRelation | undefined>()
    for (const [at, a] of drawn.entries()) {
      for (const b of drawn.slice(at)) {
        const there = compareFrames(a.question, b.question)?.relation
        const back = compareFrames(b.question, a.question)?.relation
        const right = counted(maker, a.meaning, b.meaning)
        relationsSeen.add(there)
        if (there !== right || back !== mirrored(right))
          wrong.push(`${a.question.text} | ${b.question.text}: ${there}, not ${right}`)
        for (const reported of reportedRelations(a.question, b.question))
          if (!holds(reported, right))
            contradicted.push(`${a.question.text} | ${b.question.text}: ${reported}, but ${right}`)
      }
    }
    expect(wrong.slice(0, 5)).toEqual([])
    expect(contradicted.slice(0, 5)).toEqual([])
    expect(relationsSeen.size).toBeGreaterThan(1)
  })

  test('every frame has makers', () => {
    expect(makers.map(({ frame }) => frame).sort()).toEqual(frames.map(({ name }) => name).sort())
  })
})

const mirrored = (relation: MatchRelation): MatchRelation =>
  relation === 'subset' ? 'superset' : relation === 'superset' ? 'subset' : relation
