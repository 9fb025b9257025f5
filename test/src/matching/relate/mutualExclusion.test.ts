// Stores certain exclusions between candidates of one contest that two venues list, up to a limit per market.
import { expect, test } from 'vitest'
import { IncrementalMatcher, type MatchInput, type SessionAnswer } from '#matching/candidateIndex'
import { exclusivePairsMax } from '#matching/relate/mutualExclusion'

const runOptions = { previous: [], overrides: [], full: false, now: Date.UTC(2026, 10, 23) }
const contest = 'win the 2027 Kroll Prize'

function listed(
  venue: string,
  names: readonly string[],
  of = contest,
  eventId = `${venue}-kroll`,
  exclusive = true,
): MatchInput[] {
  return names.map((name, at) => ({
    venue,
    marketId: `${eventId}-${at}`,
    title: `Will ${name} ${of}?`,
    eventId,
    exclusive,
  }))
}

const rivals = ({ pairs }: SessionAnswer): string[] =>
  pairs
    .filter(({ relation }) => relation === 'disjoint')
    .map(({ a_market_id, b_market_id, relation_band }) => `${a_market_id} ${b_market_id} ${relation_band}`)
    .sort()

function run(...markets: MatchInput[]): SessionAnswer {
  const session = new IncrementalMatcher()
  session.put(markets)
  return session.run(runOptions)
}

test('stores rivals of a contest that a verified pair connects', () => {
  const answer = run(...listed('north', ['Ada Finch', 'Iris Boyd']), ...listed('south', ['Ada Finch', 'Jonas Lind']))
  expect(rivals(answer)).toEqual(['north-kroll-0 south-kroll-1 verified', 'north-kroll-1 south-kroll-0 verified'])
  expect(answer.counts.rivals).toBe(2)
  expect(answer.clusters).toHaveLength(1)
})

test('allows for "someone else" and unnamed candidates being a candidate of the other list', () => {
  const answer = run(
    ...listed('north', ['Ada Finch', 'someone else', 'Person A']),
    ...listed('south', ['Ada Finch', 'Jonas Lind', 'someone else', 'Person A']),
  )
  expect(rivals(answer)).toEqual(['north-kroll-0 south-kroll-1 verified'])
  expect(answer.pairs.filter(({ band }) => band === 'verified' || band === 'minor')).toHaveLength(1)
  expect(answer.clusters).toHaveLength(1)
})

test('stores nothing without a pair that connects the two events, or for different contests', () => {
  expect(rivals(run(...listed('north', ['Iris Boyd']), ...listed('south', ['Jonas Lind'])))).toEqual([])
  const other = listed('south', ['Ada Finch', 'Jonas Lind'], 'win the 2028 Kroll Prize')
  expect(rivals(run(...listed('north', ['Ada Finch', 'Iris Boyd']), ...other))).toEqual([])
})

test.each([
  // Several people can win one.
  'win a Grammy in 2027',
  // Awarded every year.
  'win the Kroll Prize before 2035',
])('does not treat a title that several can win as a contest: %s', (of) => {
  const answer = run(
    ...listed('north', ['Ada Finch', 'Iris Boyd'], of),
    ...listed('south', ['Ada Finch', 'Jonas Lind'], of),
  )
  expect(rivals(answer)).toEqual([])
})

test('stores no exclusion when both names may mean one person', () => {
  const answer = run(...listed('north', ['Ada Finch', 'Harris']), ...listed('south', ['Ada Finch', 'Calvin Harris']))
  expect(rivals(answer)).not.toContainEqual(expect.stringContaining('north-kroll-1 south-kroll-1'))
})

const letters = 'bcdfghjklmnpqrstvwz'
const candidateNames = (count: number): string[] => [
  'Ada Finch',
  ...Array.from({ length: count }, (_, n) => {
    const [x, y] = [letters[n % 19]!, letters[Math.floor(n / 19)]!]
    return `${x.toUpperCase()}o${y}a${x}i ${y.toUpperCase()}u${x}e${y}on`
  }),
]

test('keeps at most the limit of pairs per market for two lists of forty', () => {
  const answer = run(...listed('north', candidateNames(40)), ...listed('south', candidateNames(40)))
  const found = answer.pairs.filter(({ relation }) => relation === 'disjoint')
  const held = new Map<string, number>()
  for (const { a_market_id, b_market_id } of found)
    for (const id of [a_market_id, b_market_id]) held.set(id, (held.get(id) ?? 0) + 1)
  expect(Math.max(...held.values())).toBe(exclusivePairsMax)
  expect(found.length).toBeGreaterThan(300)
  expect(found.length).toBeLessThanOrEqual(41 * exclusivePairsMax)
})

test('finds the same rivals after changes as a new matcher does', () => {
  const [north, south] = [listed('north', candidateNames(6)), listed('south', candidateNames(8))]
  const session = new IncrementalMatcher()
  session.put([...north, ...south.slice(0, 3)])
  session.run(runOptions)
  session.put(south.slice(3))
  session.run(runOptions)
  session.drop(['north:north-kroll-2'])
  session.put([{ ...south[4]!, title: 'Will Dora Quint win the 2027 Kroll Prize?' }])
  const left = session.run(runOptions)
  const fresh = run(
    ...north.filter((_, at) => at !== 2),
    ...south.with(4, { ...south[4]!, title: 'Will Dora Quint win the 2027 Kroll Prize?' }),
  )
  expect(left.pairs).toEqual(fresh.pairs)
  expect(rivals(left).length).toBeGreaterThan(20)
  // The pair that connected the events is gone, and so are the pairs that depended on it.
  session.drop(['north:north-kroll-0', ...[1, 3, 4, 5, 6].map((at) => `north:north-kroll-${at}`)])
  expect(rivals(session.run(runOptions))).toEqual([])
})

test.each([
  ['Man City', 'Manchester City', 'Arsenal', 'win the 2026-27 English Premier League'],
  ['Wolves', 'Wolverhampton', 'Arsenal', 'win the 2026-27 English Premier League'],
  ['Inter', 'Internazionale', 'Juventus', 'win Serie A 2026-27'],
  ['Ole Miss', 'Mississippi', 'Georgia', 'win the 2027 College Football National Championship'],
  ['AfD', 'Alternative for Germany', 'SPD', 'win the most seats in the 2029 German election'],
  ['PiS', 'Law and Justice', 'Civic Platform', 'win the most seats in the 2027 Polish election'],
  ['Valerii Zaluzhnyi', 'Valeriy Zaluzhny', 'Ada Finch', 'win the 2027 Ukrainian presidential election'],
  ['Mojtaba Khamenei', 'Mojtaba Khameini', 'Ada Finch', 'be the next Supreme Leader of Iran'],
  ['Ye', 'Kanye West', 'Bad Bunny', 'win Album of the Year at the 2027 Grammys'],
  ['Mayor Pete', 'Pete Buttigieg', 'Gavin Newsom', 'win the 2028 Democratic presidential nomination'],
  ['Dune 3', 'Dune: Part Three', 'The Odyssey', 'win Best Picture at the 2027 Oscars'],
  ['Netherlands', 'Holland', 'Spain', 'win the 2027 Davis Cup'],
  ['Lula', 'Luiz Inacio da Silva', 'Ada Finch', 'win the 2030 Brazilian presidential election'],
  ['Burma', 'Myanmar', 'Japan', 'win the 2027 AFC Asian Cup'],
])('%s and %s may be one entrant: excludes only entrants that one venue lists together', (x, y, z, of) => {
  const answer = run(...listed('north', [x, z], of), ...listed('south', [y, z], of))
  expect(rivals(answer)).toEqual(['north-kroll-0 south-kroll-1 verified', 'north-kroll-1 south-kroll-0 verified'])
})

test.each([
  'win the Nobel Peace Prize in 2027',
  'win reelection in 2028',
  'win the 2027 Cy Young Award',
  'win Best Actor at the 2027 Golden Globes',
  'win the 2027 US Open',
  'win Wimbledon 2027',
  'win MVP in 2027',
  'win the 2027 national championship',
  'win the 2027 Pulitzer Prize for Fiction',
  'win the 2027 World Championship',
  'win the 2028 Senate election',
])('stores nothing when neither venue says that only one can win: %s', (of) => {
  const lists = ['north', 'south'].map((venue) =>
    listed(venue, ['Ada Finch', 'Iris Boyd'], of, `${venue}-kroll`, false),
  )
  expect(rivals(run(...lists.flat()))).toEqual([])
})

test('stores exclusions for the list of one venue if that venue says that only one can win', () => {
  const answer = run(
    ...listed('north', ['Ada Finch', 'Iris Boyd'], contest, 'north-kroll', false),
    ...listed('south', ['Ada Finch', 'Iris Boyd', 'Jonas Lind']),
  )
  expect(rivals(answer)).toEqual([
    'north-kroll-0 south-kroll-1 verified',
    'north-kroll-0 south-kroll-2 verified',
    'north-kroll-1 south-kroll-0 verified',
    'north-kroll-1 south-kroll-2 verified',
  ])
})
