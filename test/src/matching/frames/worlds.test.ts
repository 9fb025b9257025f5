// Every entry against brute force: the relation it tells of two questions is the one that counting out the worlds gives, and the matcher as a
// whole, which asks an entry among other things, says nothing that some world contradicts.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareQuestions } from '#matching/compare'
import { compareFrames } from '#matching/frames/compare'
import { frames } from '#matching/frames/entries/index'
import { type Question, readQuestion } from '#matching/parsedMarket'
import { relate, relationOf } from '#matching/relation'
import type { MatchRelation } from '#schemas/matches'
import { type Maker, type Meaning, type World, makers as worded } from './makers.ts'
import { measured } from './measured.ts'

const makers = [...worded, ...measured]

/** Every pair of so many questions: 561 pairs of an entry, 100,128 in the long form. */
const size = process.env.CROSSBOOK_TEST_LONG === '1' ? 447 : 33

/** Two never stand at one place of a list, and none before the first. */
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

/** Values on both sides of every end that either names, and every combination of them with days and persons. */
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
      const turn = Math.min(...limits)
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
                highest: (until) => (until !== null && until <= turn ? value : later),
              }
          }
        }
      }
    }
  }
}

function counted(maker: Maker, a: Meaning, b: Meaning): MatchRelation {
  const seen = new Set<string>()
  for (const world of worlds(a, b)) seen.add(`${maker.yes(a, world) ? 1 : 0}${maker.yes(b, world) ? 1 : 0}`)
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

/** Whatever the matcher says of two questions, sure or not: by its band and its relation, as they are kept. */
function saidOf(a: Question, b: Question): Set<MatchRelation> {
  const result = compareQuestions(a, b)
  const said = new Set([relate(a, b, result).relation, relationOf(a, b, result).relation])
  if (result.matchBand === 'verified') said.add(result.polarity === 'inverse' ? 'complement' : 'identity')
  return said
}

/** What else is true where the worlds leave one relation: two that are one imply each other, too. */
const also: Readonly<Partial<Record<MatchRelation, readonly MatchRelation[]>>> = {
  identity: ['subset', 'superset'],
  complement: ['disjoint'],
}
const holds = (said: MatchRelation, right: MatchRelation): boolean =>
  said === 'overlap' || said === right || also[right]?.includes(said) === true

describe('an entry says what counting out the worlds says', () => {
  test.each(makers.map((maker): [string, Maker] => [maker.frame, maker]))('%s', (name, maker) => {
    const drawn = drawnOf(maker)
    for (const { question } of drawn) expect(question.proposition?.frame.name, question.text).toBe(name)
    const wrong: string[] = []
    const contradicted: string[] = []
    const told = new Set<MatchRelation | undefined>()
    for (const [at, a] of drawn.entries()) {
      for (const b of drawn.slice(at)) {
        const there = compareFrames(a.question, b.question)?.relation
        const back = compareFrames(b.question, a.question)?.relation
        const right = counted(maker, a.meaning, b.meaning)
        told.add(there)
        if (there !== right || back !== turn(right))
          wrong.push(`${a.question.text} | ${b.question.text}: ${there}, not ${right}`)
        for (const said of saidOf(a.question, b.question))
          if (!holds(said, right)) contradicted.push(`${a.question.text} | ${b.question.text}: ${said}, but ${right}`)
      }
    }
    expect(wrong.slice(0, 5)).toEqual([])
    expect(contradicted.slice(0, 5)).toEqual([])
    expect(told.size).toBeGreaterThan(1)
  })

  test('every entry has its makers', () => {
    expect(makers.map(({ frame }) => frame).sort()).toEqual(frames.map(({ name }) => name).sort())
  })
})

const turn = (relation: MatchRelation): MatchRelation =>
  relation === 'subset' ? 'superset' : relation === 'superset' ? 'subset' : relation
