// Listings that look like one game and are two, or like two and are one, and outcomes that are no result.
import { describe, expect, it } from 'vitest'
import { type FixtureRecord, SportsEngine, type SportsInput } from '#sports/index'
import { market } from './markets.ts'

const today = Math.floor(Date.parse('2026-05-10T00:00:00Z') / 86_400_000)
const at = (time: string) => ({ gameStartTime: `2026-05-${time}:00.000Z` })

function built(...inputs: SportsInput[]): { records: FixtureRecord[]; fixtures: string[][]; unplaced: object } {
  const engine = new SportsEngine()
  engine.upsert(inputs)
  const { changed, totals } = engine.run(today)
  const fixtures = changed.map(({ entries }) => entries.map(({ marketId }) => marketId).sort()).sort()
  return { records: changed, fixtures, unplaced: totals.unplaced }
}

const two = (venue: string, id: string, title: string, tags: string[], time: string): SportsInput =>
  market(venue, id, {
    ...{ category: 'Sports', tags, title, eventTitle: title },
    metadata: at(time),
    labels: title.replaceAll(' (W)', '').split(/ vs\.? /),
  })

describe('two games', () => {
  it.each<[string, first: string, second: string, tag: string]>([
    ['women of one competition', 'Iona Gaels vs. Fairfield Stags', 'Iona Gaels vs. Fairfield Stags (W)', 'NCAAB'],
    ['women by a letter', 'Arsenal vs Chelsea', 'Arsenal W vs Chelsea W', 'Soccer'],
    ['second teams', 'Ajax vs PSV', 'Jong Ajax vs Jong PSV', 'Soccer'],
    ['second teams by their names', 'Real Madrid vs Barcelona', 'Real Madrid Castilla vs Barcelona Atlètic', 'Soccer'],
    ['a second team by its letter', 'Real Madrid vs Barcelona', 'Real Madrid B vs Barcelona B', 'Soccer'],
    ['colleges', 'Texas vs Florida State', 'Texas A&M vs Florida State', 'NCAAF'],
    ['both colleges', 'Texas vs Florida', 'Texas Tech vs Florida State', 'NCAAF'],
    ['a direction', 'Michigan vs Ohio State', 'Western Michigan vs Ohio State', 'NCAAF'],
    ['former players', 'Arsenal vs Chelsea', 'Arsenal Legends vs Chelsea Legends', 'Soccer'],
    ['a club and its namesake', 'Inter vs Juventus', 'Inter Miami vs Juventus', 'Soccer'],
    ['a club and its youth', 'Man City vs Arsenal', 'Manchester City U21 vs Arsenal U21', 'Soccer'],
    ['a club and its youth, in words', 'Man City vs Arsenal', 'Manchester City Under-21 vs Arsenal Under 21', 'Soccer'],
    ['a state in parentheses', 'Miami vs Florida', 'Miami (OH) vs Florida', 'NCAAF'],
  ])('are separate: %s', (_, first, second, tag) => {
    const found = built(two('a', '1', first, [tag], '10T20:00'), two('b', '2', second, [tag], '10T20:00'))
    expect(found.fixtures).toEqual([['1'], ['2']])
  })

  it('are separate if their sports differ, however a label is hyphenated', () => {
    const of = (first: string, second: string) =>
      built(two('a', '1', 'G2 vs Fnatic', [first], '10T20:00'), two('b', '2', 'G2 vs Fnatic', [second], '10T20:00'))
        .fixtures.length
    expect(of('Counter-Strike', 'League of Legends')).toBe(2)
    expect(of('Counter-Strike', 'CS2')).toBe(1)
  })

  it('are separate when one team plays twice on a tournament day, whatever short names the others have', () => {
    const of = (time: string, tag = 'Counter-Strike') =>
      built(two('a', '1', 'Vitality vs Spirit', [tag], '10T15:00'), two('b', '2', 'Vitality vs TS', [tag], time))
        .fixtures.length
    expect([of('10T18:00'), of('10T15:30')]).toEqual([2, 1])
  })

  it('on one day each get the nearest listing; one between them gets neither', () => {
    const teams = 'Yankees vs Red Sox'
    const found = built(
      two('a', '1', teams, ['MLB'], '10T17:05'),
      two('a', '2', teams, ['MLB'], '10T21:05'),
      two('b', '3', teams, ['MLB'], '10T19:05'),
      two('c', '4', teams, ['MLB'], '10T17:10'),
    )
    expect([found.fixtures, found.unplaced]).toEqual([[['1', '4'], ['2']], { ambiguous_fixture: 1 }])
  })

  const ticker = (id: string) =>
    market('kalshi', `KXMLBGAME-26MAY10NYYBOS${id}`, {
      ...{ category: 'Sports', title: 'New York Y vs Boston Winner?', eventTitle: 'New York Y vs Boston' },
      subtitle: id.endsWith('NYY') ? 'New York Y' : 'Boston',
    })

  it('with numbers match the two times of a venue in order, and other listings at those times', () => {
    const teams = 'Yankees vs Red Sox'
    const [g1, g2] = ['G1-NYY', 'G2-NYY'].map(ticker) as [SportsInput, SportsInput]
    const timed = (venue: string, id: string, time: string) => two(venue, id, teams, ['MLB'], time)
    const both = [timed('a', '1', '10T17:05'), timed('a', '2', '10T21:05')]
    const of = (...inputs: SportsInput[]) => {
      const { fixtures, unplaced } = built(...inputs)
      return [fixtures, unplaced]
    }
    expect(of(g1, g2, ...both)).toEqual([
      [
        ['1', g1.marketId],
        ['2', g2.marketId],
      ],
      {},
    ])
    expect(of(g2, g1, ...both.toReversed(), timed('b', '3', '10T21:35'))).toEqual([
      [
        ['1', g1.marketId],
        ['2', '3', g2.marketId],
      ],
      {},
    ])
    // One time alone could be the first or the second.
    expect(of(g1, g2, both[0]!)).toEqual([[[g1.marketId], [g2.marketId]], { ambiguous_fixture: 1 }])
    // The number alone matches both times.
    expect(of(g2, ...both)).toEqual([[['1'], ['2', g2.marketId]], {}])
    // Three times are not two games.
    expect(of(g1, g2, ...both, timed('a', '4', '10T23:59'))[1]).not.toEqual({})
  })

  it('are separated by the number at the end of their ids', () => {
    const found = built(...['G1-NYY', 'G1-BOS', 'G2-NYY', 'G2-BOS'].map(ticker))
    expect(found.fixtures.map((ids) => ids.length)).toEqual([2, 2])
  })
})

describe('one game', () => {
  it('is identified by its minute and names when one venue does not name the sport', () => {
    const found = built(
      two('kalshi', '1', 'Philadelphia vs Minnesota', ['NBA'], '10T23:05'),
      two('novig', '2', 'Philadelphia vs Minnesota', ['Sports'], '10T23:05'),
    )
    expect(found.fixtures).toEqual([['1', '2']])
    const later = built(
      two('kalshi', '1', 'Philadelphia vs Minnesota', ['NBA'], '10T23:05'),
      two('pred', '3', 'Minnesota vs Philadelphia', ['Sports'], '10T22:05'),
    )
    expect(later.fixtures).toEqual([['1'], ['3']])
  })

  it.each([
    ['Man Utd vs Spurs', 'Manchester United vs Tottenham Hotspur'],
    ['Man City vs Wolves', 'Manchester City vs Wolverhampton Wanderers'],
    ["Nott'm Forest vs Leeds", 'Leeds United vs Nottingham Forest'],
    ['Inter vs Juventus', 'Internazionale Milano vs Juventus'],
    ["Borussia M'gladbach vs Bayern", 'Borussia Mönchengladbach vs Bayern Munich'],
    ['Man City U21 vs Wolves U21', 'Manchester City U21 vs Wolverhampton Wanderers U21'],
    ['QPR vs West Brom', 'Queens Park Rangers vs West Bromwich Albion'],
  ])('is identified by short names: %s', (short, long) => {
    const found = built(two('a', '1', short, ['Soccer'], '10T20:00'), two('b', '2', long, ['Soccer'], '10T20:00'))
    expect(found.fixtures).toEqual([['1', '2']])
    for (const { outcomes } of found.records[0]!.entries)
      expect(outcomes.map(({ result }) => result).sort()).toEqual(
        found.records[0]!.head.teams.map(({ id }) => id).sort(),
      )
  })

  it('of women is one, however its names express that', () => {
    const names = [
      'Arsenal W vs Chelsea W',
      'Arsenal (W) vs Chelsea (W)',
      'Arsenal WFC vs Chelsea WFC',
      'Arsenal Women vs Chelsea Women',
    ]
    const [record, ...more] = built(
      ...names.map((title, n) => two(`v${n}`, `${n}`, title, ['Soccer'], '10T20:00')),
    ).records
    expect(more).toEqual([])
    expect(record!.entries.map(({ outcomes }) => outcomes.map(({ result }) => result))).toEqual(
      names.map(() => ['soccer:arsenal-women', 'soccer:chelsea-women']),
    )
  })

  it('that could be of two sports at that minute belongs to neither', () => {
    const found = built(
      two('kalshi', '1', 'Philadelphia vs Minnesota', ['NBA'], '10T23:05'),
      two('kalshi', '2', 'Philadelphia vs Minnesota', ['NHL'], '10T23:05'),
      two('novig', '3', 'Philadelphia vs Minnesota', ['Sports'], '10T23:05'),
    )
    expect([found.fixtures, found.unplaced]).toEqual([[['1'], ['2']], { ambiguous_fixture: 1 }])
  })

  it.each([
    ['Miami (OH) vs Florida', 'NCAAF', ['Miami OH', 'Florida']],
    ['Mantova 1911 vs. SSC Bari', 'Soccer', ['Mantova 1911', 'SSC Bari']],
    ['North Carolina A&T Aggies vs. Iona Gaels', 'NCAAB', ['North Carolina A&T Aggies', 'Iona Gaels']],
    ['Nottingham Forest vs Notts County', 'Soccer', ['Nottingham Forest', 'Notts County']],
    ['Team Liquid vs G2', 'Dota 2', ['Team Liquid', 'G2']],
    ['Arsenal (W) vs Chelsea (W)', 'Soccer', ['Arsenal', 'Chelsea']],
  ])('keeps its names: %s', (title, tag, names) => {
    const [record] = built(two('a', '1', title, [tag], '10T20:00')).records
    expect(record!.head.teams.map(({ name }) => name)).toEqual(names)
    expect(record!.entries[0]!.outcomes.map(({ result }) => result)).toEqual(record!.head.teams.map(({ id }) => id))
  })
})

describe('the No outcome of a side', () => {
  const eventTitle = 'Alphaville vs Bretagne'
  const sideMarket = (series: string, id: string, subtitle: string, tags: string[] = []) =>
    market('kalshi', `${series}-26MAY10AAABBB-${id}`, {
      ...{ category: 'Sports', tags, title: `${eventTitle} Winner?`, eventTitle, subtitle },
    })
  const results = (...inputs: SportsInput[]) =>
    built(...inputs).records.flatMap(({ entries }) =>
      entries.map(({ outcomes, marketType }) => [
        marketType,
        ...outcomes.map(({ result }) => result.split(':').at(-1)),
      ]),
    )

  it('is no result if the same bet has a draw, and two sides alone are another bet', () => {
    const found = results(
      sideMarket('KXWGAME', 'AAA', 'Alphaville', ['Basketball']),
      sideMarket('KXWGAME', 'TIE', 'Tie', ['Basketball']),
      two('sxbet', '2', eventTitle, ['Basketball'], '10T20:00'),
    )
    expect(found).toEqual([
      ['moneyline', 'alphaville'],
      ['moneyline', 'draw'],
      ['draw_no_bet', 'alphaville', 'bretagne'],
    ])
  })

  it('is no result if the sport is unknown, and the other side if no draw is possible', () => {
    expect(results(sideMarket('KXUSLGAME', 'AAA', 'Alphaville'))).toEqual([['moneyline', 'alphaville']])
    expect(results(sideMarket('KXWGAME', 'AAA', 'Alphaville', ['Basketball']))).toEqual([
      ['moneyline', 'alphaville', 'bretagne'],
    ])
  })

  it.each(['Will Dallas win the 1st half?', 'Dallas: Q3 winner', 'Will Dallas win the first quarter?'])(
    'is no result for a part that may end level: %s',
    (title) => {
      const partMarket = market('polymarket', '1', {
        tags: ['NBA'],
        title,
        eventTitle: 'Dallas vs Cleveland',
        metadata: at('10T20:00'),
      })
      expect(results(partMarket)).toEqual([['moneyline', 'dal']])
    },
  )

  it('is no result in a league that is known from the slug', () => {
    const [record] = built(
      market('polymarket', '1', {
        ...{ tags: ['Sports'], title: 'Will Newcastle United FC win?', slug: 'epl-tot-new-2026-05-10-new' },
        ...{ eventTitle: 'Tottenham Hotspur FC vs. Newcastle United FC', subtitle: 'Newcastle United FC' },
      }),
    ).records
    expect([record!.head.competitionId, record!.entries[0]!.outcomes.length]).toEqual(['epl', 1])
  })
})
