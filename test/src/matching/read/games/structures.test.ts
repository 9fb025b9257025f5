// From the texts of two venues to legs that can be bought: bets on one game relate markets within an event and across venues.
import { describe, expect, test } from 'vitest'
import { compileStructures, findStructures, type Offers, type Relation } from '#arbitrage/structures/index'
import { IncrementalMatcher } from '#matching/incrementalMatcher'
import type { MatchInput } from '#matching/read/input'
import { pairRelation } from '#matching/relate/pairRelation'
import { book, booksOf, market } from '#test/src/arbitrage/structures/parts'

const spread = (margin: number): MatchInput => ({
  venue: 'kalshi',
  marketId: `KXMLBSPREAD-26AUG091620HOUSD-HOU${margin + 1}`,
  eventId: 'KXMLBSPREAD-26AUG091620HOUSD',
  title: `Houston wins by over ${margin}.5 runs?`,
  eventTitle: 'Houston vs San Diego: Spread',
  subtitle: `Houston wins by over ${margin}.5 runs`,
  strikeType: 'greater',
  floorStrike: margin + 0.5,
})
const polymarket = (marketId: string, title: string, outcomes: string[]): MatchInput => ({
  venue: 'polymarket',
  marketId,
  eventId: 'mlb-hou-sd-2026-08-09',
  title,
  eventTitle: 'Houston Astros vs. San Diego Padres',
  outcomes,
  gameStart: '2026-08-09T20:20:00Z',
})
const listed: MatchInput[] = [
  spread(1),
  spread(2),
  spread(3),
  polymarket('1', 'Houston Astros vs. San Diego Padres', ['Houston Astros', 'San Diego Padres']),
  polymarket('2', 'Spread: Houston Astros (-2.5)', ['Houston Astros', 'San Diego Padres']),
  polymarket('3', 'Spread: San Diego Padres (-1.5)', ['San Diego Padres', 'Houston Astros']),
  polymarket('4', 'Houston Astros vs. San Diego Padres: O/U 8.5', ['Over', 'Under']),
]

function relationsOf(markets: readonly MatchInput[]): Relation[] {
  const session = new IncrementalMatcher()
  session.put(markets)
  const { pairs, relations } = session.run({ previous: [], overrides: [], full: true, now: 1_700_000_000_000 })
  const pairRelations = pairs.flatMap((row) => {
    const [a, b] = [`${row.a_venue}:${row.a_market_id}`, `${row.b_venue}:${row.b_market_id}`]
    return pairRelation({ ...row, a, b }) ?? []
  })
  return [...pairRelations, ...relations.map(({ relation }) => relation as Relation)]
}

const ids = (relations: readonly Relation[]): string[] =>
  relations.map((each) =>
    each.kind === 'outcomes'
      ? `${each.complete ? 'all' : 'one'} of ${each.members.map(({ market: key, side }) => `${key} ${side}`).join(', ')}`
      : `${each.a} ${each.kind} ${each.b} ${each.band}`,
  )

describe('bets on one game at two venues', () => {
  const relations = relationsOf(listed)
  const compiled = compileStructures(
    listed.map(({ venue, marketId }) => market(`${venue}:${marketId}`)),
    relations,
  )
  const bought = (books: Record<string, Offers>) =>
    findStructures(compiled, booksOf(books), { leastEdge: 1, unitsMax: 100, rowsMax: 4 }).structures

  test('finds an executable ladder of spreads over two venues that pays a dollar in every world', () => {
    expect(ids(relations)).toContain(
      'kalshi:KXMLBSPREAD-26AUG091620HOUSD-HOU4 a_implies_b kalshi:KXMLBSPREAD-26AUG091620HOUSD-HOU3 verified',
    )
    const [row] = bought({
      'kalshi:KXMLBSPREAD-26AUG091620HOUSD-HOU4 no': book([[0.5, 10]]),
      'polymarket:1 yes': book([[0.4, 10]]),
    })
    expect(row).toMatchObject({ kind: 'implication', worstPayout: 1, executable: true })
  })

  test('finds that a spread and a win of the other side exclude each other', () => {
    const [row] = bought({
      'polymarket:3 no': book([[0.5, 10]]),
      'kalshi:KXMLBSPREAD-26AUG091620HOUSD-HOU2 no': book([[0.4, 10]]),
    })
    expect(row).toMatchObject({ worstPayout: 1, executable: true })
  })

  test('finds no relation between a total and a margin unless it follows by addition', () => {
    const books = { 'polymarket:4 yes': book([[0.2, 10]]), 'polymarket:1 yes': book([[0.2, 10]]) }
    expect(bought(books)).toEqual([])
  })
})

describe('a football match', () => {
  const title = 'Getafe CF vs. RCD Mallorca'
  const three = (rules: string): MatchInput[] =>
    [
      {
        ...polymarket('h', 'Will Getafe CF win on 2026-05-13?', ['Yes', 'No']),
        eventTitle: title,
        category: 'LaLiga',
        rules,
      },
      {
        ...polymarket('d', `Will ${title} end in a draw?`, ['Yes', 'No']),
        eventTitle: title,
        category: 'LaLiga',
        rules,
      },
      {
        ...polymarket('a', 'Will RCD Mallorca win on 2026-05-13?', ['Yes', 'No']),
        eventTitle: title,
        category: 'LaLiga',
        rules,
      },
    ].map((each) => ({ ...each, gameStart: '2026-05-13T19:00:00Z' }))
  const cheap = booksOf(Object.fromEntries(['h', 'd', 'a'].map((id) => [`polymarket:${id} yes`, book([[0.3, 10]])])))
  const found = (markets: MatchInput[]) =>
    findStructures(
      compileStructures(
        markets.map(({ venue, marketId }) => market(`${venue}:${marketId}`)),
        relationsOf(markets),
      ),
      cheap,
      { leastEdge: 1, unitsMax: 100, rowsMax: 4 },
    ).structures

  test('treats home, draw and away as a partition, but not two of them', () => {
    expect(found(three(''))).toMatchObject([{ kind: 'partition', worstPayout: 1, executable: true }])
    expect(found(three('').slice(0, 2))).toEqual([])
  })

  test('makes the three unsafe where a cancelled match resolves all of them No', () => {
    const rules = 'If the game is canceled with no make-up game, this market will resolve to "No".'
    for (const row of found(three(rules))) expect(row.executable).toBe(false)
  })
})
