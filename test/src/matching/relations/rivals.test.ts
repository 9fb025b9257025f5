// Of one contest that two venues list, what surely excludes each other across them is stored, up to a bound.
import { expect, test } from 'vitest'
import { type MatchInput, MatchSession, type SessionAnswer } from '#matching/index'
import { rivalsMax } from '#matching/relations/rivals'

const asked = { previous: [], overrides: [], full: false, now: Date.UTC(2026, 10, 23) }
const contest = 'win the 2027 Kroll Prize'

function listed(venue: string, names: readonly string[], of = contest, eventId = `${venue}-kroll`): MatchInput[] {
  return names.map((name, at) => ({
    venue,
    marketId: `${eventId}-${at}`,
    title: `Will ${name} ${of}?`,
    eventId,
    exclusive: true,
  }))
}

const rivals = ({ pairs }: SessionAnswer): string[] =>
  pairs
    .filter(({ relation }) => relation === 'disjoint')
    .map(({ a_market_id, b_market_id, relation_band }) => `${a_market_id} ${b_market_id} ${relation_band}`)
    .sort()

function run(...markets: MatchInput[]): SessionAnswer {
  const session = new MatchSession()
  session.put(markets)
  return session.run(asked)
}

test('rivals of one contest are stored where the contest is one by a verified pair', () => {
  const answer = run(...listed('north', ['Ada Finch', 'Iris Boyd']), ...listed('south', ['Ada Finch', 'Jonas Lind']))
  expect(rivals(answer)).toEqual([
    'north-kroll-0 south-kroll-1 verified',
    'north-kroll-1 south-kroll-0 verified',
    'north-kroll-1 south-kroll-1 verified',
  ])
  expect(answer.counts.rivals).toBe(3)
  expect(answer.clusters).toHaveLength(1)
})

test('"someone else" of one list may be a candidate of the other, and so may a name that is yet to be given', () => {
  const answer = run(
    ...listed('north', ['Ada Finch', 'someone else', 'Person A']),
    ...listed('south', ['Ada Finch', 'Jonas Lind', 'someone else', 'Person A']),
  )
  expect(rivals(answer)).toEqual(['north-kroll-0 south-kroll-1 verified'])
  expect(answer.pairs.filter(({ band }) => band === 'verified' || band === 'minor')).toHaveLength(1)
  expect(answer.clusters).toHaveLength(1)
})

test('without a pair that ties the two events, and of another contest, nothing is', () => {
  expect(rivals(run(...listed('north', ['Iris Boyd']), ...listed('south', ['Jonas Lind'])))).toEqual([])
  const other = listed('south', ['Ada Finch', 'Jonas Lind'], 'win the 2028 Kroll Prize')
  expect(rivals(run(...listed('north', ['Ada Finch', 'Iris Boyd']), ...other))).toEqual([])
})

test.each([
  // There are several of them.
  'win a Grammy in 2027',
  // Won every year.
  'win the Kroll Prize before 2035',
])('what several may do is no contest: %s', (of) => {
  const answer = run(
    ...listed('north', ['Ada Finch', 'Iris Boyd'], of),
    ...listed('south', ['Ada Finch', 'Jonas Lind'], of),
  )
  expect(rivals(answer)).toEqual([])
})

test('one name may be the other: nothing is said of them', () => {
  const answer = run(...listed('north', ['Ada Finch', 'Harris']), ...listed('south', ['Ada Finch', 'Calvin Harris']))
  expect(rivals(answer)).not.toContainEqual(expect.stringContaining('north-kroll-1 south-kroll-1'))
})

const letters = 'bcdfghjklmnpqrstvwz'
const crowd = (count: number): string[] => [
  'Ada Finch',
  ...Array.from({ length: count }, (_, n) => {
    const [x, y] = [letters[n % 19]!, letters[Math.floor(n / 19)]!]
    return `${x.toUpperCase()}o${y}a${x}i ${y.toUpperCase()}u${x}e${y}on`
  }),
]

test('of a contest of forty and forty no market is in more than the bound', () => {
  const answer = run(...listed('north', crowd(40)), ...listed('south', crowd(40)))
  const found = answer.pairs.filter(({ relation }) => relation === 'disjoint')
  const held = new Map<string, number>()
  for (const { a_market_id, b_market_id } of found)
    for (const id of [a_market_id, b_market_id]) held.set(id, (held.get(id) ?? 0) + 1)
  expect(Math.max(...held.values())).toBe(rivalsMax)
  expect(found.length).toBeGreaterThan(300)
  expect(found.length).toBeLessThanOrEqual(41 * rivalsMax)
})

test('runs after changes have the rivals of a session that begins anew', () => {
  const [north, south] = [listed('north', crowd(6)), listed('south', crowd(8))]
  const session = new MatchSession()
  session.put([...north, ...south.slice(0, 3)])
  session.run(asked)
  session.put(south.slice(3))
  session.run(asked)
  session.drop(['north:north-kroll-2'])
  session.put([{ ...south[4]!, title: 'Will Dora Quint win the 2027 Kroll Prize?' }])
  const left = session.run(asked)
  const anew = run(
    ...north.filter((_, at) => at !== 2),
    ...south.with(4, { ...south[4]!, title: 'Will Dora Quint win the 2027 Kroll Prize?' }),
  )
  expect(left.pairs).toEqual(anew.pairs)
  expect(rivals(left).length).toBeGreaterThan(20)
  // The pair that tied the events is gone, and with it what followed.
  session.drop(['north:north-kroll-0', ...[1, 3, 4, 5, 6].map((at) => `north:north-kroll-${at}`)])
  expect(rivals(session.run(asked))).toEqual([])
})
