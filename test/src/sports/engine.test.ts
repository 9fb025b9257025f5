import { describe, expect, it } from 'vitest'
import { statusOf } from '#sports/fixtureIndex'
import { type FixtureHead, type FixtureRecord, inputOf, SportsEngine, type SportsInput } from '#sports/index'
import { market, tigersAtRoyals } from './markets.ts'

const today = Math.floor(Date.parse('2026-05-10T00:00:00Z') / 86_400_000)
const at = (time: string) => ({ gameStartTime: `2026-05-${time}:00.000Z` })

function built(...inputs: SportsInput[]): { records: FixtureRecord[]; engine: SportsEngine; unplaced: object } {
  const engine = new SportsEngine()
  engine.upsert(inputs)
  const { changed, totals } = engine.run(today)
  return { records: changed, engine, unplaced: totals.unplaced }
}

const game = (venue: string, id: string, title: string, over: Partial<SportsInput> = {}): SportsInput =>
  market(venue, id, { category: 'Sports', tags: ['Soccer'], eventTitle: title, title, ...over })

describe('one game', () => {
  const { records, unplaced } = built(...tigersAtRoyals)
  const [{ head, entries }] = records as [FixtureRecord]

  it('of five venues is one fixture, with the markets of each', () => {
    expect(records).toHaveLength(1)
    expect(head).toMatchObject({
      sport: 'baseball',
      competitionId: 'mlb',
      teams: [
        { id: 'mlb:det', name: 'Detroit Tigers' },
        { id: 'mlb:kc', name: 'Kansas City Royals' },
      ],
      home: 1,
      kickoffAt: Date.parse('2026-05-10T23:20:00Z'),
      eventDate: '2026-05-10',
      said: null,
      open: true,
      venues: ['kalshi', 'novig', 'polymarket', 'polymarket_us', 'sxbet'],
      unplaced: { market_type: 1 },
    })
    expect(unplaced).toEqual({ market_type: 1 })
  })

  it('has its markets by type, part and slot; a line means the same team on all venues', () => {
    expect(head.markets).toEqual([
      {
        marketType: 'moneyline',
        period: 'game',
        slot: 'game',
        lines: [],
        venues: ['kalshi', 'polymarket', 'polymarket_us', 'sxbet'],
      },
      {
        marketType: 'spread',
        period: 'game',
        slot: 'game',
        lines: [-2.5, 1.5],
        venues: ['kalshi', 'polymarket', 'polymarket_us', 'sxbet'],
      },
      { marketType: 'team_total', period: 'game', slot: 'mlb:det', lines: [3.5], venues: ['novig'] },
      { marketType: 'total', period: 'game', slot: 'game', lines: [8.5], venues: ['kalshi', 'novig', 'polymarket'] },
    ])
    const winner = entries.filter(({ marketType }) => marketType === 'moneyline')
    expect(winner.map(({ marketId, outcomes }) => [marketId, outcomes[0]!.result, outcomes[1]!.result])).toEqual([
      ['KXMLBGAME-26MAY101920DETKC-DET', 'mlb:det', 'mlb:kc'],
      ['KXMLBGAME-26MAY101920DETKC-KC', 'mlb:kc', 'mlb:det'],
      ['900001', 'mlb:det', 'mlb:kc'],
      ['aec-mlb-det-kc-2026-05-10', 'mlb:det', 'mlb:kc'],
      ['0x01', 'mlb:kc', 'mlb:det'],
    ])
  })

  it('is the same fixture whatever the order of its markets, one by one or all at once', () => {
    const backwards = built(...tigersAtRoyals.toReversed()).records
    const engine = new SportsEngine()
    const last = new Map<string, FixtureRecord>()
    for (const input of tigersAtRoyals) {
      engine.upsert([input])
      const { changed, removed } = engine.run(today)
      for (const id of removed) last.delete(id)
      for (const record of changed) last.set(record.head.fixtureId, record)
    }
    expect(last.size).toBe(1)
    const bare = ({ head: { fixtureId: _, ...rest }, entries: all }: FixtureRecord) => ({ rest, all })
    expect(bare(backwards[0]!)).toEqual(bare(records[0]!))
    expect(bare([...last.values()][0]!)).toEqual(bare(records[0]!))
  })
})

describe('two games', () => {
  const teams = 'Boston Red Sox vs. New York Yankees'
  const red = (venue: string, id: string, over: Partial<SportsInput>) =>
    game(venue, id, teams, {
      tags: ['MLB'],
      outcomes: teams.split(' vs. ').map((label, n) => ({ outcomeId: `${id}#${n}`, label })),
      ...over,
    })

  it('of the same teams on two days are two fixtures', () => {
    const { records } = built(
      red('polymarket', '1', { metadata: at('09T23:05') }),
      red('sxbet', '2', { metadata: at('09T23:05') }),
      red('polymarket', '3', { metadata: at('10T23:05') }),
      red('sxbet', '4', { metadata: at('10T23:05') }),
    )
    expect(records.map(({ entries }) => entries.map(({ marketId }) => marketId).sort()).sort()).toEqual([
      ['1', '2'],
      ['3', '4'],
    ])
  })

  it('of the same teams on one day are two, each with the nearest listing; a listing without a time belongs to neither', () => {
    const { records, unplaced } = built(
      red('polymarket', '1', { metadata: at('10T17:05') }),
      red('polymarket', '2', { metadata: at('10T23:05') }),
      red('sxbet', '3', { metadata: at('10T17:10') }),
      red('sxbet', '4', { metadata: at('10T23:10') }),
      red('polymarket_us', 'aec-mlb-bos-nyy-2026-05-10', {}),
    )
    expect(records.map(({ entries }) => entries.map(({ marketId }) => marketId).sort()).sort()).toEqual([
      ['1', '3'],
      ['2', '4'],
    ])
    expect(unplaced).toEqual({ ambiguous_fixture: 1 })
  })

  it('are separated by sport, by division and by half a name', () => {
    const pairs: [SportsInput, SportsInput][] = [
      [
        game('a', '1', 'Arsenal vs Chelsea', { metadata: at('10T15:00') }),
        game('b', '2', 'Arsenal vs Chelsea', { tags: ['Basketball'], metadata: at('10T15:00') }),
      ],
      [
        game('a', '1', 'Arsenal vs Chelsea', { metadata: at('10T15:00') }),
        game('b', '2', 'Arsenal vs Chelsea', { tags: ['Soccer', 'Women’s'], metadata: at('10T15:00') }),
      ],
      [
        game('a', '1', 'Iona Gaels vs. Fairfield Stags', { tags: ['Basketball'], metadata: at('10T15:00') }),
        game('b', '2', 'Iona Gaels vs. Fairfield Stags (W)', { tags: ['Basketball'], metadata: at('10T15:00') }),
      ],
      [
        game('a', '1', 'Arsenal FC vs Chelsea FC', { metadata: at('10T15:00') }),
        game('b', '2', 'Arsenal WFC vs Chelsea WFC', { metadata: at('10T15:00') }),
      ],
      [
        game('a', '1', 'Manchester United vs Leeds', { metadata: at('10T15:00') }),
        game('b', '2', 'Manchester City vs Leeds', { metadata: at('10T15:00') }),
      ],
    ]
    for (const [one, two] of pairs) expect(built(one, two).records).toHaveLength(2)
  })
})

describe('one game under several names', () => {
  it.each([
    ['dress', 'Arsenal FC vs. Chelsea FC', 'Arsenal vs Chelsea'],
    ['reversed sides', 'Arsenal vs Chelsea', 'Chelsea vs Arsenal'],
    ['initials', 'Paris Saint-Germain vs Arsenal', 'PSG vs Arsenal'],
    ['accents', 'Atlético Madrid vs Málaga', 'Atletico Madrid vs Malaga'],
    ['a shorter name', 'Brighton & Hove Albion vs Everton', 'Brighton vs Everton'],
  ])('is matched: %s', (_, one, two) => {
    expect(
      built(game('a', '1', one, { metadata: at('10T15:00') }), game('b', '2', two, { metadata: at('10T15:00') }))
        .records,
    ).toHaveLength(1)
  })

  it('joins a venue with a date and a venue with a time, also for a date in the eastern US', () => {
    const { records } = built(
      game('kalshi', 'KXMLBGAME-26MAY10LADSEA-LAD', 'Los Angeles D vs Seattle', { tags: [] }),
      game('polymarket', '1', 'Los Angeles Dodgers vs. Seattle Mariners', { tags: ['MLB'], metadata: at('11T02:10') }),
    )
    expect(records).toHaveLength(1)
    expect(records[0]!.head).toMatchObject({ eventDate: '2026-05-10', kickoffAt: Date.parse('2026-05-11T02:10:00Z') })
  })

  it('a nickname is a team of its own sport only', () => {
    const [record] = built(game('a', '1', 'Aston Villa vs Spurs', { metadata: at('10T15:00') })).records
    expect(record!.head.teams.map(({ id }) => id)).toEqual(['soccer:aston-villa', 'soccer:tottenham-hotspur'])
  })

  it('takes teams from outcomes when nothing else names them and the venue calls it a game', () => {
    const two = (marketFields: Readonly<Record<string, unknown>>) =>
      market('a', '1', {
        category: 'Sports',
        title: 'Who wins?',
        slug: 'x-2026-05-10',
        labels: ['Acend', 'Bebop'],
        metadata: marketFields,
      })
    expect(built(two({ sportsMarketType: 'moneyline' })).records).toHaveLength(1)
    expect(built(two({})).unplaced).toEqual({ no_teams: 1 })
    expect(built({ ...two({ sportsMarketType: 'moneyline' }), outcomes: [] }).unplaced).toEqual({ no_teams: 1 })
  })

  it('a date without a time stays a date', () => {
    const [record] = built(
      game('kalshi', 'KXEPLGAME-26MAY24WHULEE-WHU', 'West Ham vs Leeds United', { subtitle: 'West Ham' }),
    ).records
    expect(record!.head).toMatchObject({ kickoffAt: null, eventDate: '2026-05-24', home: null })
  })
})

it('teams that share a word with hundreds of others are still matched', () => {
  const name = (n: number): string =>
    `${'bcdfghjklm'[n % 10]}o${'bcdfghjklm'[Math.floor(n / 10) % 10]}u${'rst'[Math.floor(n / 100)]}a`
  const games = Array.from({ length: 120 }, (_, n) => `${name(n)} City vs ${name(119 - n)} United`)
  const listed = ['a', 'b'].flatMap((venue) =>
    games.map((title, n) => game(venue, `${n}`, title, { metadata: at('10T15:00') })),
  )
  const { records } = built(...listed)
  expect(records.length).toBe(games.length)
  expect(records.every(({ head }) => head.venues.length === 2)).toBe(true)
})

describe('from run to run', () => {
  const one = game('a', '1', 'Arsenal vs Chelsea', { metadata: at('10T15:00') })
  const two = game('b', '2', 'Chelsea FC vs Arsenal FC', { metadata: at('10T15:00') })

  it('publishes only what changed, and an id stays the same across names and processes', () => {
    const { engine, records } = built(one, two)
    const { fixtureId } = records[0]!.head
    expect(engine.run(today)).toMatchObject({ changed: [], removed: [] })
    engine.upsert([one, two])
    expect(engine.run(today).changed).toEqual([])
    // Renamed, and later, at both.
    engine.upsert([
      game('a', '1', 'Arsenal London vs Chelsea London', { metadata: at('10T16:00') }),
      game('b', '2', 'Chelsea London vs Arsenal London', { metadata: at('10T16:00') }),
    ])
    const { changed, removed } = engine.run(today)
    expect([changed.map(({ head }) => head.fixtureId), removed]).toEqual([[fixtureId], []])
    const next = new SportsEngine()
    next.restorePlacements([
      { key: 'a:1', fixtureId: 'fx_before' },
      { key: 'b:2', fixtureId: 'fx_before' },
    ])
    next.upsert([one, two])
    expect(next.run(today).changed[0]!.head.fixtureId).toBe('fx_before')
  })

  it('closed markets make it final, removed ones keep it, and it ends with the last of them', () => {
    const { engine, records } = built(one, two)
    engine.upsert([
      { ...one, status: 'resolved' },
      { ...two, status: 'closed' },
    ])
    expect(engine.run(today).changed[0]!.head.open).toBe(false)
    engine.remove(['a:1'])
    expect(engine.run(today).changed[0]!.head.venues).toEqual(['b'])
    engine.remove(['b:2'])
    expect(engine.run(today)).toEqual({
      changed: [],
      removed: [records[0]!.head.fixtureId],
      totals: { fixtures: 0, blocks: 0, placed: 0, unplaced: {} },
    })
  })

  it('forgets a game of more than a month ago', () => {
    const { engine } = built(one, two)
    expect(engine.run(today + 32).totals.fixtures).toBe(1)
    expect(engine.run(today + 33)).toMatchObject({ removed: [expect.any(String)], totals: { fixtures: 0 } })
  })

  it('reports the status of the game itself', () => {
    const statusFrom = (eventFields: object, marketFields: object = {}) =>
      built(
        game('a', '1', 'Arsenal vs Chelsea', {
          metadata: { ...at('10T15:00'), ...marketFields },
          eventMetadata: { ...eventFields },
        }),
      ).records[0]!.head.said
    expect(statusFrom({ live: true })).toBe('live')
    expect(statusFrom({ live: true, ended: true })).toBeNull()
    expect(statusFrom({ gameStatus: 'Postponed' })).toBe('postponed')
    expect(statusFrom({}, { eventStatus: 'CANCELED' })).toBe('cancelled')
    expect(statusFrom({}, { eventStatus: 'OPEN_INGAME' })).toBe('live')
    expect(statusFrom({ gameStatus: 'scheduled' })).toBeNull()
    // The trading status of a market is something else.
    for (const venueStatus of ['Live', 'live', 'OPEN', 'cancelled'])
      expect(statusFrom({ venueStatus }, { venueStatus })).toBeNull()
  })

  it('a game that is called live is live around its time, and scheduled days before', () => {
    const kickoffAt = Date.parse('2026-05-10T15:00:00Z')
    const head = { said: 'live', open: true, kickoffAt } as FixtureHead
    const at = (hours: number) => statusOf(head, kickoffAt + hours * 3_600_000)
    expect([at(-72), at(-2), at(-0.5), at(1)]).toEqual(['scheduled', 'scheduled', 'live', 'live'])
    expect(statusOf({ ...head, kickoffAt: null }, kickoffAt)).toBe('live')
  })
})

describe('catalog fields', () => {
  const words = {
    ...{
      eventId: 'e',
      title: 'Arsenal vs Chelsea',
      description: null,
      category: null,
      tags: null,
      slug: null,
      status: 'active',
    },
    ...{
      outcomes: null,
      said: null,
      eventTitle: null,
      eventSlug: null,
      eventCategory: 'Sports',
      eventTags: ['Soccer'],
      seriesId: null,
      saidOfEvent: null,
    },
  }

  it('may be missing, of another type, or very long', () => {
    expect(inputOf('a', '1', words)).toMatchObject({
      title: 'Arsenal vs Chelsea',
      category: 'Sports',
      tags: ['Soccer'],
      outcomes: [],
    })
    const odd = {
      ...words,
      status: 'odd',
      said: { yesSubTitle: 7 },
      outcomes: [{ outcomeId: 'x', label: null as never }],
    }
    expect(inputOf('a', '1', odd)).toMatchObject({
      status: 'unknown',
      subtitle: null,
      outcomes: [{ outcomeId: 'x', label: '' }],
    })
    const endless = {
      ...words,
      title: 'Will '.repeat(100_000),
      eventTitle: 'a vs '.repeat(100_000),
      tags: Array.from({ length: 9_999 }, (_, n) => String(n)),
    }
    const read = inputOf('a', '1', endless)!
    expect([read.title.length, read.eventTitle!.length, read.tags.length]).toEqual([400, 400, 50])
    expect(built(read).records).toEqual([])
  })

  it('with several questions in one are not a market here', () => {
    expect(inputOf('a', '1', { ...words, said: { mveSelectedLegs: [{}] } })).toBeNull()
  })
})
