// The route with everything real: positions, catalog and relations from PostgreSQL.
import { beforeAll, describe, expect, it } from 'vitest'
import { type EventRelationRow, type MatchPairRow, type MatchPiece, writeRun } from '#storage/postgres/matching/index'
import { findRelationsAround } from '#storage/postgres/portfolio/relations'
import { insertRun } from '#storage/postgres/runLog'
import { type PortfolioWorld, portfolioSuite } from '#test/support/portfolio/world'

const { pg, worldOf } = portfolioSuite()

/** Outcome ids of YES and NO. */
const outcomesOf = (venue: string, marketId: string): [string, string] =>
  venue === 'kalshi' ? [marketId, `${marketId}-NO`] : [`${marketId}1`, `${marketId}2`]

const listed: readonly (readonly [venue: string, marketId: string])[] = [
  ...['KXA', 'KXB', 'KXC', 'KXD', 'KXE', 'KXG', 'KXH'].map((id) => ['kalshi', id] as const),
  ...['0xa', '0xb', '0xc', '0xd', '0xe', '0xh', '0xi'].map((id) => ['polymarket', id] as const),
]

async function list(world: PortfolioWorld): Promise<void> {
  for (const [venue, marketId] of listed)
    await world.list(venue, marketId, outcomesOf(venue, marketId), {
      resolutionDate: '2026-12-10T12:00:00.000Z',
      sourceMetadata: { collateral: venue === 'kalshi' ? 'USD' : 'USDC', marketType: 'binary' },
    })
}

async function hold(world: PortfolioWorld, market: string, side: 'yes' | 'no', size: string, cost: string | null) {
  const [venue = '', marketId = ''] = market.split(':')
  const [yes, no] = outcomesOf(venue, marketId)
  const body = { kind: 'position', venue, marketId, outcomeId: side === 'yes' ? yes : no, size, cost }
  const ref = `${market} ${side}`
  const reply = await world.post('imports', { ...body, ref, at: '2026-11-02T10:00:00Z' }, ref)
  expect(reply.status, reply.text).toBe(200)
}

const pair = (a: string, b: string, more: Partial<MatchPairRow> = {}): MatchPairRow => ({
  a_venue: 'kalshi',
  a_market_id: a,
  b_venue: 'polymarket',
  b_market_id: b,
  cluster_id: null,
  score: 97,
  band: 'verified',
  polarity: 'same',
  relation: 'identity',
  relation_band: 'verified',
  differences: [],
  resolution: { compatible: true, reason: 'nothing contradicts', auditReasons: [] },
  resolution_equivalence: 'verified',
  override: null,
  ...more,
})

const exclusive = (venue: string, eventId: string, markets: readonly string[]): EventRelationRow => {
  const id = `event:${venue}:${eventId}`
  const members = markets.map((market) => ({ market: `${venue}:${market}`, side: 'yes' as const }))
  return {
    id,
    venue,
    event_id: eventId,
    relation: { id, band: 'verified', kind: 'outcomes', members, complete: false },
  }
}

async function* pieces(): AsyncIterable<MatchPiece> {
  yield {
    kind: 'pairs',
    rows: [
      pair('KXA', '0xa'),
      pair('KXB', '0xb', { score: 80, band: 'minor', relation: 'overlap', relation_band: 'minor' }),
      pair('KXC', '0xc', { override: 'forbidden' }),
      pair('KXD', '0xd'),
      pair('KXE', '0xe'),
      pair('KXH', '0xh'),
    ],
  }
  const implied = { id: 'ladder', band: 'verified' as const, kind: 'a_implies_b' as const }
  yield {
    kind: 'relations',
    rows: [
      exclusive('kalshi', 'event-KXD', ['KXD', 'KXE', 'KXF']),
      exclusive('kalshi', 'event-KXG', ['KXG', 'KXH']),
      {
        id: 'ladder',
        venue: 'polymarket',
        event_id: 'event-0xi',
        relation: { ...implied, a: 'polymarket:0xi', b: 'polymarket:0xh' },
      },
    ],
  }
}

const rowsOf = async (world: PortfolioWorld, query = '') => (await world.get(`exposure${query}`)).json

describe('before the first run of the matcher', () => {
  it('each market is a group, and the answer names what is missing', async () => {
    const world = await worldOf()
    await list(world)
    await hold(world, 'kalshi:KXA', 'yes', '10', '4.2')
    await hold(world, 'polymarket:0xa', 'no', '10', '5.1')
    const { data, unavailable, meta } = await rowsOf(world)
    expect(unavailable).toEqual(['matches'])
    expect(data.map(({ groupId, worstCase }: Record<string, string>) => [groupId, worstCase])).toEqual([
      ['polymarket:0xa', '0'],
      ['kalshi:KXA', '0'],
    ])
    expect(meta).toMatchObject({ positions: 2, groups: 2 })
  })
})

describe('after a run', () => {
  beforeAll(async () => {
    const run = await insertRun(pg.pool, 'matcher.run', 1_790_000_000_000)
    await writeRun(pg.pool, { run, basedOn: null, overrideId: '0' }, pieces(), () => ({
      finishedAt: 1_790_000_001_000,
      counts: {},
    }))
  })

  it('an account without positions has no rows', async () => {
    const { data, unavailable, meta, provenance } = await rowsOf(await worldOf())
    expect([data, unavailable]).toEqual([[], []])
    expect(meta).toEqual({ positions: 0, groups: 0, concentration: { venues: [], events: [], groups: [] } })
    expect(provenance).toEqual({ source: 'journal', entries: [] })
  })

  it('YES and NO of one question at two venues lock a profit', async () => {
    const world = await worldOf()
    await hold(world, 'kalshi:KXA', 'yes', '10', '4.2')
    await hold(world, 'polymarket:0xa', 'no', '10', '5.1')
    const reply = await world.get('exposure')
    expect(reply.json.unavailable).toEqual([])
    expect(reply.json.data).toMatchObject([
      {
        by: 'group',
        groupId: 'kalshi:KXA',
        currency: 'USD',
        venues: ['kalshi', 'polymarket'],
        worstCase: '10',
        bestCase: '10',
        isExact: true,
        capitalUsed: '9.3',
        lockedProfit: '0.7',
        settlesAt: '2026-12-10T12:00:00.000Z',
        daysToSettlement: 10,
        relations: [{ id: 'pair:kalshi:KXA~polymarket:0xa', kind: 'same', band: 'verified', reason: null }],
        notCovered: [{ reason: 'void_or_split', markets: ['kalshi:KXA', 'polymarket:0xa'] }],
        minorRelations: null,
        outcomes: [
          { payoff: '10', profit: '0.7', pays: [{ venue: 'kalshi', marketId: 'KXA', outcomeId: 'KXA' }] },
          { payoff: '10', profit: '0.7', pays: [{ venue: 'polymarket', marketId: '0xa', outcomeId: '0xa2' }] },
        ],
      },
    ])
  })

  it('a minor relation is reported next to the groups, a forbidden pair not at all', async () => {
    const world = await worldOf()
    await hold(world, 'kalshi:KXB', 'yes', '10', '4')
    await hold(world, 'polymarket:0xb', 'no', '10', '5')
    await hold(world, 'kalshi:KXC', 'yes', '10', '2')
    await hold(world, 'polymarket:0xc', 'no', '10', '3')
    const { data } = await rowsOf(world)
    expect(
      data.map((row: { groupId: string; minorRelations: { groups: string[]; lockedProfit: string } | null }) => [
        row.groupId,
        row.minorRelations?.groups ?? null,
        row.minorRelations?.lockedProfit ?? null,
      ]),
    ).toEqual([
      ['polymarket:0xb', ['kalshi:KXB'], '1'],
      ['kalshi:KXB', ['polymarket:0xb'], '1'],
      ['polymarket:0xc', null, null],
      ['kalshi:KXC', null, null],
    ])
  })

  it('markets that are not held connect held ones, also through a pair of which neither is held', async () => {
    const world = await worldOf()
    await hold(world, 'polymarket:0xd', 'no', '10', '4')
    await hold(world, 'polymarket:0xe', 'no', '10', '5')
    await hold(world, 'kalshi:KXG', 'no', '4', '2')
    await hold(world, 'polymarket:0xi', 'no', '4', '1')
    const { data } = await rowsOf(world)
    expect(
      data.map(({ groupId, worstCase, bestCase, lockedProfit }: Record<string, string>) => [
        groupId,
        worstCase,
        bestCase,
        lockedProfit,
      ]),
    ).toEqual([
      ['polymarket:0xd', '10', '20', '1'],
      ['kalshi:KXG', '4', '8', '1'],
    ])
  })

  describe('views', () => {
    let world: PortfolioWorld
    beforeAll(async () => {
      world = await worldOf()
      await hold(world, 'kalshi:KXA', 'yes', '10', '3')
      await hold(world, 'polymarket:0xa', 'no', '10', '5')
      await hold(world, 'polymarket:0xb', 'yes', '10', '2')
      await hold(world, 'polymarket:0xc', 'yes', '10', null)
    })

    it('by venue: the positions there, and what they can pay', async () => {
      const { data } = await rowsOf(world, '?by=venue')
      expect(data).toMatchObject([
        {
          by: 'venue',
          venue: 'polymarket',
          eventId: null,
          positions: 3,
          markets: 3,
          worstCase: '0',
          bestCase: '30',
          capitalUsed: null,
          unknownCosts: 1,
          lockedProfit: null,
          share: 0.7,
        },
        {
          by: 'venue',
          venue: 'kalshi',
          worstCase: '0',
          bestCase: '10',
          capitalUsed: '3',
          lockedProfit: '-3',
          share: 0.3,
        },
      ])
    })

    it('by event, of one venue', async () => {
      const { data } = await rowsOf(world, '?by=event&venue=polymarket')
      expect(data.map(({ eventId, share }: { eventId: string; share: number }) => [eventId, share])).toEqual([
        ['event-0xa', 0.5],
        ['event-0xb', 0.2],
        ['event-0xc', 0],
      ])
    })

    it('the groups with a position at one venue, whole', async () => {
      const { data } = await rowsOf(world, '?venue=kalshi')
      expect(data).toMatchObject([{ groupId: 'kalshi:KXA', positions: [{ venue: 'kalshi' }, { venue: 'polymarket' }] }])
    })

    it('the concentration is that of the whole account, whatever is listed', async () => {
      const { meta } = await rowsOf(world, '?venue=kalshi&limit=1')
      const { venues, events, groups } = meta.concentration
      expect(venues).toEqual([
        { venue: 'polymarket', currency: 'USD', capitalUsed: '7', unknownCosts: 1, share: 0.7 },
        { venue: 'kalshi', currency: 'USD', capitalUsed: '3', unknownCosts: 0, share: 0.3 },
      ])
      expect(events).toHaveLength(4)
      expect(groups.map(({ groupId, share }: { groupId: string; share: number }) => [groupId, share])).toEqual([
        ['kalshi:KXA', 0.8],
        ['polymarket:0xb', 0.2],
        ['polymarket:0xc', 0],
      ])
    })

    it('pages contain each row once', async () => {
      for (const by of ['group', 'venue', 'event']) {
        const all = (await rowsOf(world, `?by=${by}`)).data
        const seen: unknown[] = []
        for (let cursor = ''; ; ) {
          const page = await rowsOf(world, `?by=${by}&limit=1${cursor}`)
          seen.push(...page.data)
          if (page.nextCursor === undefined) break
          cursor = `&cursor=${page.nextCursor}`
        }
        expect(seen, by).toEqual(all)
      }
    })

    it.each(['?by=market', '?venue=nowhere', '?venue=', '?limit=0', '?limit=1.5', '?cursor=abc', '?unknown=1'])(
      'refuses %s',
      async (query) => {
        const reply = await world.get(`exposure${query}`)
        expect([reply.status, reply.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      },
    )

    it('refuses a cursor of another view or account', async () => {
      const { nextCursor } = await rowsOf(world, '?limit=1')
      const other = await world.get(`exposure?by=event&cursor=${nextCursor}`)
      expect(other.json.error.code).toBe('VALIDATION_ERROR')
      const stranger = await worldOf()
      expect((await stranger.get(`exposure?limit=1&cursor=${nextCursor}`)).json.error.code).toBe('VALIDATION_ERROR')
    })
  })

  it('reports more relations than one read returns', async () => {
    const markets = ['KXA', 'KXB', 'KXD'].map((marketId) => ({ venue: 'kalshi', marketId }))
    expect(await findRelationsAround(pg.pool, markets, 2)).toMatchObject({
      isCut: true,
      pairs: [{ a: 'kalshi:KXA' }, {}],
    })
    expect(await findRelationsAround(pg.pool, markets)).toMatchObject({ isCut: false, events: [{ kind: 'outcomes' }] })
  })
})

it('reads no books', async () => {
  const world = await worldOf()
  await world.list('kalshi', 'KX-A', outcomesOf('kalshi', 'KX-A'), {
    sourceMetadata: { collateral: 'USD', marketType: 'binary' },
  })
  await hold(world, 'kalshi:KX-A', 'yes', '10', '4')
  expect((await world.get('exposure')).status).toBe(200)
  expect(world.held).toEqual([])
  await world.get('positions')
  expect(world.held).toEqual(['kalshi:KX-A'])
})
