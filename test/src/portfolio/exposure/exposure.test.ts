// Worked examples: what positions over several markets pay together.
import { describe, expect, it } from 'vitest'
import { exclusive, facts, groupsIn, onlyGroup, pair, position, settled } from './parts.ts'

const paying = (row: Awaited<ReturnType<typeof onlyGroup>>) =>
  row.outcomes.map(({ payoff, pays }) => [payoff, pays.map(({ outcomeId }) => outcomeId)])

describe('one question at two venues', () => {
  const held = [position('kalshi:A/yes', '10', '4.2'), position('polymarket:B/no', '10', '5.1')]
  const same = pair('same', 'kalshi:A', 'polymarket:B')

  it('locks the payout of one side less the cost of both', async () => {
    const row = await onlyGroup({ positions: held, relations: [same] })
    expect(row).toMatchObject({
      groupId: 'kalshi:A',
      currency: 'USD',
      venues: ['kalshi', 'polymarket'],
      worstCase: '10',
      bestCase: '10',
      isExact: true,
      bounds: [],
      capitalUsed: '9.3',
      lockedProfit: '0.7',
      bestProfit: '0.7',
      share: 1,
      settlesAt: '2026-12-10T00:00:00.000Z',
      daysToSettlement: 10,
      hasAllOutcomes: true,
      relations: [{ id: same.id, kind: 'same', band: 'verified', reason: null }],
      minorRelations: null,
    })
    expect(paying(row)).toEqual([
      ['10', ['A/yes']],
      ['10', ['B/no']],
    ])
    expect(row.outcomes.map(({ profit }) => profit)).toEqual(['0.7', '0.7'])
  })

  it('counts YES of both as one bet', async () => {
    const row = await onlyGroup({
      positions: [position('kalshi:A/yes', '10', '4'), position('polymarket:B/yes', '5', '2')],
      relations: [same],
    })
    expect([row.worstCase, row.bestCase, row.lockedProfit, row.bestProfit]).toEqual(['0', '15', '-6', '9'])
  })

  it('treats a complement as the opposite answer', async () => {
    const row = await onlyGroup({
      positions: [position('kalshi:A/yes', '3', '1'), position('polymarket:B/yes', '4', '2')],
      relations: [pair('inverse', 'kalshi:A', 'polymarket:B')],
    })
    expect([row.worstCase, row.bestCase]).toEqual(['3', '4'])
    expect(row.positions.map(({ inWorstCase, inBestCase }) => [inWorstCase, inBestCase])).toEqual([
      ['3', '0'],
      ['0', '4'],
    ])
  })

  it('connects them through a market that is not held', async () => {
    const row = await onlyGroup({
      positions: held,
      relations: [pair('same', 'kalshi:A', 'limitless:C'), pair('same', 'limitless:C', 'polymarket:B')],
    })
    expect(row).toMatchObject({ worstCase: '10', lockedProfit: '0.7', relationCount: 2 })
  })

  it('returns no locked profit if a cost is unknown', async () => {
    const row = await onlyGroup({
      positions: [held[0]!, position('polymarket:B/no', '10', null)],
      relations: [same],
    })
    expect(row).toMatchObject({
      worstCase: '10',
      isExact: true,
      capitalUsed: null,
      unknownCosts: 1,
      lockedProfit: null,
      bestProfit: null,
    })
    expect(row.outcomes[0]).toMatchObject({ payoff: '10', profit: null })
  })

  it('counts a short with its sign', async () => {
    const row = await onlyGroup({
      positions: [position('kalshi:A/yes', '10', '4'), position('polymarket:B/yes', '-10', '-4.5')],
      relations: [same],
    })
    expect([row.worstCase, row.bestCase, row.capitalUsed, row.lockedProfit]).toEqual(['0', '0', '-0.5', '0.5'])
  })
})

describe('related questions', () => {
  it('NO on three exclusive winners: at most one loses', async () => {
    const markets = ['kalshi:A', 'kalshi:B', 'kalshi:C']
    const positions = markets.map((market) => position(`${market}/no`, '10', '6'))
    const row = await onlyGroup({ positions, relations: [exclusive('event', markets)] })
    expect([row.worstCase, row.bestCase, row.lockedProfit]).toEqual(['20', '30', '2'])
    expect(row.outcomes.map(({ payoff }) => payoff)).toEqual(['20', '20', '20', '30'])
    const complete = await onlyGroup({ positions, relations: [exclusive('event', markets, true)] })
    expect([complete.worstCase, complete.bestCase]).toEqual(['20', '20'])
  })

  it('YES on the wider and NO on the narrower of two: at least one pays', async () => {
    const row = await onlyGroup({
      positions: [position('kalshi:110/no', '10', '7'), position('polymarket:100/yes', '10', '2')],
      relations: [pair('a_implies_b', 'kalshi:110', 'polymarket:100')],
    })
    expect([row.worstCase, row.bestCase, row.lockedProfit]).toEqual(['10', '20', '1'])
    expect(row.outcomes).toHaveLength(3)
  })

  it('exclusion in an event of one venue reaches positions at others', async () => {
    // A1 = A2 and B1 = B2, and A1 and B1 exclude each other; only A2 and B2 are held.
    const row = await onlyGroup({
      positions: [position('polymarket:A2/no', '10', '4'), position('limitless:B2/no', '10', '5')],
      relations: [
        pair('same', 'kalshi:A1', 'polymarket:A2'),
        pair('same', 'kalshi:B1', 'limitless:B2'),
        exclusive('event', ['kalshi:A1', 'kalshi:B1', 'kalshi:C1']),
      ],
    })
    expect([row.worstCase, row.bestCase, row.lockedProfit]).toEqual(['10', '20', '1'])
  })

  it('positions in unrelated markets are groups of their own, the largest capital first', async () => {
    const rows = await groupsIn({
      positions: [position('kalshi:A/yes', '10', '1'), position('kalshi:B/yes', '10', '3')],
      relations: [pair('same', 'kalshi:A', 'polymarket:X')],
    })
    expect(rows.map(({ groupId, worstCase, bestCase, share }) => [groupId, worstCase, bestCase, share])).toEqual([
      ['kalshi:B', '0', '10', 0.75],
      ['kalshi:A', '0', '10', 0.25],
    ])
  })
})

describe('minor relations', () => {
  const positions = [position('kalshi:A/yes', '10', '4.2'), position('polymarket:B/no', '10', '5.1')]

  it('connect nothing; what they would change is reported next to it', async () => {
    const rows = await groupsIn({ positions, relations: [pair('same', 'kalshi:A', 'polymarket:B', 'minor')] })
    expect(
      rows.map(({ groupId, worstCase, lockedProfit, relations }) => [groupId, worstCase, lockedProfit, relations]),
    ).toEqual([
      ['polymarket:B', '0', '-5.1', []],
      ['kalshi:A', '0', '-4.2', []],
    ])
    expect(rows.map(({ minorRelations }) => minorRelations)).toEqual(
      ['kalshi:A', 'polymarket:B'].map((other) => ({
        relations: [{ id: 'pair:kalshi:A~polymarket:B', kind: 'same', band: 'minor', reason: null }],
        count: 1,
        groups: [other],
        worstCase: '10',
        bestCase: '10',
        isExact: true,
        bounds: [],
        lockedProfit: '0.7',
      })),
    )
  })

  it('that contradict the verified ones have no worst case', async () => {
    const row = await onlyGroup({
      positions,
      relations: [
        pair('same', 'kalshi:A', 'polymarket:B'),
        { ...pair('inverse', 'kalshi:A', 'polymarket:B', 'minor'), id: 'other' },
      ],
    })
    expect(row.worstCase).toBe('10')
    expect(row.minorRelations).toMatchObject({ worstCase: null, lockedProfit: null, bounds: ['contradiction'] })
  })

  it('of a material band are not used at all', async () => {
    const rows = await groupsIn({ positions, relations: [pair('same', 'kalshi:A', 'polymarket:B', 'material')] })
    expect(rows.map(({ minorRelations }) => minorRelations)).toEqual([null, null])
  })
})

describe('relations that contradict each other', () => {
  it('are not used: the sum of what each market pays at least is a bound', async () => {
    const row = await onlyGroup({
      positions: [position('kalshi:A/yes', '10', '4'), position('polymarket:B/no', '10', '5')],
      relations: [
        pair('same', 'kalshi:A', 'polymarket:B'),
        { ...pair('inverse', 'kalshi:A', 'polymarket:B'), id: 'other' },
      ],
    })
    expect(row).toMatchObject({
      worstCase: '0',
      bestCase: '20',
      isExact: false,
      bounds: ['contradiction'],
      outcomes: [],
      hasAllOutcomes: false,
    })
  })
})

describe('markets with several outcomes', () => {
  const market = facts('opinion:M', { labels: ['a', 'b', 'c'] })

  it('exactly one of them pays', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((label) => position(`opinion:M/${label}`, '5', '1'))
    const two = await onlyGroup({ positions: [a!, b!], markets: [market] })
    expect([two.worstCase, two.bestCase, two.outcomes.length]).toEqual(['0', '5', 3])
    const all = await onlyGroup({ positions: [a!, b!, c!], markets: [market] })
    expect([all.worstCase, all.bestCase, all.lockedProfit]).toEqual(['5', '5', '2'])
  })
})

describe('what is not covered', () => {
  const reasons = (row: Awaited<ReturnType<typeof onlyGroup>>) => row.notCovered.map(({ reason }) => reason)

  it('names void markets and settlement fees of open markets', async () => {
    const row = await onlyGroup({
      positions: [position('opinion:A/yes', '10', '4')],
      markets: [facts('opinion:A', { settlesFree: false })],
    })
    expect(row.notCovered).toEqual([
      { reason: 'void_or_split', markets: ['opinion:A'] },
      { reason: 'settlement_fee', markets: ['opinion:A'] },
    ])
    expect(row.isExact).toBe(true)
  })

  it.each([
    ['not_in_catalog', position('kalshi:A/yes', '10', '4'), []],
    ['outcome_unknown', position('kalshi:A/maybe', '10', '4'), [facts('kalshi:A')]],
    ['scalar', position('kalshi:A/yes', '10', '4'), [facts('kalshi:A', { paysWhole: false })]],
    ['payout_unknown', position('kalshi:A/yes', '10', '4', { marketStatus: 'resolved' }), [facts('kalshi:A')]],
  ] as const)('%s: any payout is possible, whatever relations state', async (reason, held, markets) => {
    const rows = await groupsIn({
      positions: [held, position('polymarket:B/no', '10', '5')],
      markets: [...markets, facts('polymarket:B')],
      relations: [pair('same', 'kalshi:A', 'polymarket:B')],
    })
    const row = rows.find(({ groupId }) => groupId === 'kalshi:A')!
    expect(reasons(row)).toContain(reason)
    expect(row).toMatchObject({ worstCase: '0', bestCase: '10', isExact: false, bounds: ['payout_unknown'] })
    expect(rows).toHaveLength(2)
  })

  it('amounts in an unknown or another currency are not added up', async () => {
    const same = pair('same', 'kalshi:A', 'polymarket:B')
    for (const currency of [null, 'PTS']) {
      const rows = await groupsIn({
        positions: [position('kalshi:A/yes', '10', '4'), position('polymarket:B/no', '10', '5', { currency })],
        relations: [same],
      })
      expect(rows.map((row) => [row.groupId, row.currency, row.share])).toEqual([
        ['polymarket:B', currency, 1],
        ['kalshi:A', 'USD', 1],
      ])
      expect(reasons(rows[0]!).includes('currency_unknown')).toBe(currency === null)
    }
  })

  it('more relations than are read make every row a bound', async () => {
    const row = await onlyGroup({ positions: [position('kalshi:A/yes', '10', '4')], isCut: true })
    expect(row).toMatchObject({ isExact: false, bounds: ['relations_limit'] })
  })
})

describe('resolved markets', () => {
  const same = pair('same', 'kalshi:A', 'polymarket:B')

  it('pay what is known, and settle equal questions', async () => {
    const row = await onlyGroup({
      positions: [settled('polymarket:B/yes', '10', '0', '0'), position('kalshi:A/no', '10', '4')],
      relations: [same],
    })
    expect([row.worstCase, row.bestCase, row.capitalUsed]).toEqual(['10', '10', '4'])
    expect(row.positions.map(({ payout }) => payout)).toEqual(['0', null])
    expect(reasons(row)).toEqual([['void_or_split', ['kalshi:A']]])
  })

  it('that paid a half say nothing about other markets', async () => {
    const rows = await groupsIn({
      positions: [settled('polymarket:B/yes', '10', '0.5', '5'), position('kalshi:A/no', '10', '4')],
      relations: [same],
    })
    expect(rows.map(({ groupId, worstCase, bestCase }) => [groupId, worstCase, bestCase])).toEqual([
      ['polymarket:B', '5', '5'],
      ['kalshi:A', '0', '10'],
    ])
    expect(rows[0]).toMatchObject({ isExact: true, notCovered: [], settlesAt: null, lockedProfit: '0' })
  })

  it('a result that contradicts a relation is reported', async () => {
    const row = await onlyGroup({
      positions: [settled('polymarket:B/yes', '10', '1', '10'), settled('kalshi:A/yes', '10', '0', '0')],
      relations: [same],
    })
    expect(row).toMatchObject({ worstCase: '10', bestCase: '10', isExact: false, bounds: ['contradiction'] })
  })

  const reasons = (row: Awaited<ReturnType<typeof onlyGroup>>) =>
    row.notCovered.map(({ reason, markets }) => [reason, markets])
})

describe('when the sources do not answer', () => {
  const positions = [position('kalshi:A/yes', '10', '4'), position('polymarket:B/no', '10', '5')]
  const relations = [pair('same', 'kalshi:A', 'polymarket:B')]

  it('each market is a group without the matcher', async () => {
    const rows = await groupsIn({ positions, relations, without: ['MATCHES_UNAVAILABLE'] })
    expect(rows.map(({ groupId, isExact }) => [groupId, isExact])).toEqual([
      ['polymarket:B', true],
      ['kalshi:A', true],
    ])
  })

  it('no payout is known without the catalog', async () => {
    const rows = await groupsIn({ positions, relations, without: ['CATALOG_UNAVAILABLE'] })
    expect(rows.map(({ worstCase, bestCase, bounds }) => [worstCase, bestCase, bounds])).toEqual([
      ['0', '10', ['payout_unknown']],
      ['0', '10', ['payout_unknown']],
    ])
  })
})

describe('days to settlement', () => {
  it('is that of the latest market, unknown if one is unknown, and not below zero', async () => {
    const at = async (...dates: (string | null)[]) => {
      const row = await onlyGroup({
        positions: dates.map((resolutionDate, i) => position(`kalshi:${i}/yes`, '1', '1', { resolutionDate })),
        relations: [
          exclusive(
            'event',
            dates.map((_, i) => `kalshi:${i}`),
          ),
        ],
      })
      return [row.settlesAt, row.daysToSettlement]
    }
    expect(await at('2026-12-01T12:00:00Z', '2026-12-05T00:00:00Z')).toEqual(['2026-12-05T00:00:00.000Z', 5])
    expect(await at('2026-12-01T12:00:00Z')).toEqual(['2026-12-01T12:00:00.000Z', 1.5])
    expect(await at('2026-12-01T12:00:00Z', null)).toEqual([null, null])
    expect(await at('2026-11-01T00:00:00Z')).toEqual(['2026-11-01T00:00:00.000Z', 0])
  })
})
