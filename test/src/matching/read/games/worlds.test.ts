// Checks every frame of bets on games by brute force: the relation of two bets is the one found by enumerating the scores.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareFrames } from '#matching/compare/frames/compare'
import { games as entries } from '#matching/read/frames/entries/games'
import { gameClaimOf } from '#matching/read/games/gameClaim'
import { readQuestion } from '#matching/read/parsedMarket'
import type { Question } from '#matching/read/question'
import type { MatchRelation } from '#schemas/matches'
import { baseball, football, type Game, type Maker, type Meaning, makers, type World } from './makers.ts'

/**
 * Number of bets per frame, each compared with the bets of every frame, for two sports: 2,662 pairs per frame, 101,728
 * in the long form.
 */
const size = process.env.CROSSBOOK_TEST_LONG === '1' ? 68 : 11

const most = 7
/** Varies only what the two bets depend on. */
function* worlds({ maker: x, meaning: a }: Drawn, { maker: y, meaning: b }: Drawn, { tieless }: Game): Iterable<World> {
  const frameNames = [x.entry, y.entry]
  const named = frameNames.includes('player line')
  const goals = frameNames.some((entry) => entry !== 'player line' && entry !== 'advances') ? most : 0
  const halves = a.part !== b.part ? [0, 1, 3] : [null]
  for (let one = 0; one <= goals; one++)
    for (let two = 0; two <= goals; two++)
      for (const half of halves)
        for (const advances of frameNames.includes('advances') ? ([0, 1] as const) : ([0] as const))
          for (const count of named ? [0, 1, 2, 3, 4, 5, 6] : [0])
            for (const other of named ? [0, 1, 2, 3, 4, 5, 6] : [0]) {
              if (tieless && goals > 0 && one === two && (a.part === 'full' || b.part === 'full')) continue
              const early: readonly [number, number] =
                half === null ? [one, two] : [Math.min(half, one), Math.min(1, two)]
              yield {
                half: early,
                full: [one, two],
                advances,
                players: { 'Jalen Harlow': count, 'Mats Berglund': other },
              }
            }
}

interface Drawn {
  maker: Maker
  meaning: Meaning
  question: Question
}

function counted(a: Drawn, b: Drawn, game: Game): MatchRelation {
  const seen = { both: false, neither: false, a: false, b: false }
  for (const world of worlds(a, b, game)) {
    const [x, y] = [a.maker.yes(a.meaning, world), b.maker.yes(b.meaning, world)]
    seen[x ? (y ? 'both' : 'a') : y ? 'b' : 'neither'] = true
    // No further world changes the relation.
    if (seen.both && seen.neither && seen.a && seen.b) return 'overlap'
  }
  if (!seen.a && !seen.b) return 'identity'
  if (!seen.both) return seen.neither ? 'disjoint' : 'complement'
  if (!seen.a) return 'subset'
  return seen.b ? 'overlap' : 'superset'
}

const drawnOf = (maker: Maker, game: Game): Drawn[] =>
  fc
    .sample(fc.tuple(maker.draw, fc.nat(maker.manners.length - 1)), { numRuns: size, seed: 65 })
    .map(([meaning, manner], at) => {
      const words = maker.manners[manner]!(meaning, game)
      return { maker, meaning, question: readQuestion({ venue: 'north', marketId: `${maker.entry}${at}`, ...words }) }
    })

const turned = (relation: MatchRelation): MatchRelation =>
  relation === 'subset' ? 'superset' : relation === 'superset' ? 'subset' : relation

describe.each([
  ['football', football],
  ['baseball', baseball],
] as const)('%s', (_, game) => {
  const all = makers.map((maker) => drawnOf(maker, game))

  test.each(makers.map(({ entry }, at): [string, number] => [entry, at]))('%s', (entry, at) => {
    const own = all[at]!
    for (const { question } of own) expect(gameClaimOf(question)?.frame.name, question.text).toBe(entry)
    const wrong: string[] = []
    const relationsSeen = new Set<MatchRelation>()
    for (const a of own) {
      for (const b of all.flat()) {
        const there = compareFrames(a.question, b.question)
        const back = compareFrames(b.question, a.question)?.relation
        // Parts of a game are kept apart: no relation between them is reported.
        const apart =
          gameClaimOf(a.question)!.scope !== gameClaimOf(b.question)!.scope ||
          (a.maker.entry === 'player line') !== (b.maker.entry === 'player line')
        const right = apart ? 'overlap' : counted(a, b, game)
        relationsSeen.add(right)
        const sure = right === 'overlap' || there?.sure === true
        if (there?.relation !== right || !sure || back !== turned(right))
          wrong.push(`${a.question.text} | ${b.question.text}: ${there?.relation}, not ${right}`)
      }
    }
    expect(wrong.slice(0, 5)).toEqual([])
    expect(relationsSeen.size).toBeGreaterThan(1)
  })
})

test('every frame has makers', () => {
  expect(makers.map(({ entry }) => entry).sort()).toEqual(entries.map(({ name }) => name).sort())
})
