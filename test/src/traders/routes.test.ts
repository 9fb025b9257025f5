// What the routes return from the record and from venues: filters, pages, notes and names.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import type { TraderTrade } from '#schemas/traders'
import { createWorld, type World } from '#test/src/server/http/world'
import { type TradersPorts, type TraderVenue, traderRoutes } from '#traders/index'
import type { VenueTraders } from '#venues/traderData'
import { MemoryRecord, scoreOf, smartTrade, walletA, walletB } from './memoryRecord.ts'

const clock = new ManualClock()
let record: MemoryRecord
let polymarket: Partial<VenueTraders>
let anonymous: Pick<VenueTraders, 'hasAnonymousTrades' | 'missing'> = {}
const fetchedWallets: string[] = []

const trade = (n: number): TraderTrade => ({
  ...{ venue: 'polymarket', marketId: 'condition', outcomeId: `o${n}`, tradeId: `t${n}`, ts: clock.now() - n },
  wallet: walletA,
  ...{ side: 'sell', price: 0.5, amount: 1, usdSize: 0.5 },
})

const venue = (slug: string, traders: Partial<VenueTraders> | undefined): TraderVenue => ({
  slug,
  traders: traders && {
    walletOf: (text) => (text.startsWith('0x') ? text.toLowerCase() : null),
    notes: [slug],
    ...traders,
  },
  fetchMarket: async () => null,
  context: {
    venue: slug as never,
    http: { request: () => Promise.reject(new Error('no network in this test')) },
    clock,
    log: silentLog,
    urls: {},
    credentials: null,
    signal: new AbortController().signal,
  },
})

const open = (ports: Partial<TradersPorts> = {}): World =>
  createWorld({
    routes: traderRoutes,
    families: { traders: true },
    traders: {
      venues: new Map([
        ['polymarket', venue('polymarket', polymarket)],
        ['myriad', venue('myriad', { fetchTrades: async () => ({ rows: [], next: null }), ...anonymous })],
        ['opinion', venue('opinion', {})],
        ['kalshi', venue('kalshi', undefined)],
      ]),
      catalog: {
        findMarket: async () => null,
        findOutcomes: async (_, id) => (id === 'o1' ? [{ market: { marketId: 'ours' } } as never] : []),
      },
      record,
      clock,
      ...ports,
    },
  })
const get = (path: string, world = open()) => world.get(`/v1/traders/${path}`)

beforeEach(() => {
  record = new MemoryRecord()
  fetchedWallets.length = 0
  anonymous = {}
  polymarket = {
    marketByOutcome: true,
    fetchTrades: async () => ({ rows: [], next: null }),
    fetchWallet: async (_, wallet) => {
      fetchedWallets.push(wallet)
      const stats = { ...scoreOf('', '', null).stats, totalVolumeUsd: 5 }
      return wallet === walletB ? null : { displayName: 'Ada', stats }
    },
    fetchWalletTrades: async (_, wallet) => ({ rows: wallet === walletA ? [trade(1), trade(2)] : [], next: null }),
  }
})

describe('smart money', () => {
  const rows = Array.from({ length: 7 }, (_, n) => smartTrade(1_000 - Math.floor(n / 2), `t${n}`))

  it('pages by (ts, tradeId) from the newest, also through trades with the same time', async () => {
    record.trades = [...rows, smartTrade(1_000, 't0', { venue: 'myriad' })]
    const whole = (await get('smart-money?limit=100')).json
    expect(whole.data).toHaveLength(8)
    expect(whole.nextCursor).toBeUndefined()
    const seen: unknown[] = []
    let cursor = ''
    do {
      const { json } = await get(`smart-money?limit=3${cursor}`)
      seen.push(...json.data)
      cursor = json.nextCursor === undefined ? '' : `&cursor=${json.nextCursor}`
    } while (cursor !== '')
    expect(seen).toEqual(whole.data)
  })

  it('passes every filter on, and a window as its start time', async () => {
    await get(
      `smart-money?venue=Polymarket&minScore=62.5&market=m1&wallet=0x${'A'.repeat(40)}&category=whale&window=week&limit=9`,
    )
    expect(record.queries.at(-1)).toEqual({
      venues: ['polymarket'],
      minScore: 62.5,
      market: 'm1',
      wallet: walletA,
      category: 'whale',
      sinceMs: clock.now() - 7 * 86_400_000,
      after: null,
      limit: 10,
    })
    await get('smart-money?wallet=So11111111111111111111111111111111111111112')
    expect(record.queries.at(-1)).toMatchObject({
      venues: ['polymarket', 'myriad'],
      wallet: 'So11111111111111111111111111111111111111112',
      ...{ minScore: null, market: null, category: null, sinceMs: null },
    })
    for (const [window, days] of [
      ['day', 1],
      ['month', 30],
    ] as const) {
      await get(`smart-money?window=${window}`)
      expect(record.queries.at(-1)!.sinceMs).toBe(clock.now() - days * 86_400_000)
    }
  })

  it.each([
    ['minScore=-1'],
    ['minScore=101'],
    ['minScore=high'],
    ['category=lucky'],
    ['window=year'],
    ['market='],
    ['wallet='],
    [`wallet=0X${'1'.repeat(40)}`],
    ['minScore='],
    ['limit=0x10'],
    ['venue=polymarket&venue=myriad'],
    ['limit=1&limit=2'],
  ])('rejects ?%s', async (query) => {
    expect(await get(`smart-money?${query}`)).toMatchObject({
      status: 400,
      json: { error: { code: 'VALIDATION_ERROR' } },
    })
  })

  it('rejects an unknown parameter and suggests the right name', async () => {
    const { status, json } = await get('smart-money?minscore=5')
    expect([status, json.error.code, json.error.message]).toEqual([
      400,
      'VALIDATION_ERROR',
      expect.stringContaining('minScore'),
    ])
  })

  it('accepts the limits of each range, and rejects a cursor of another query', async () => {
    record.trades = rows
    for (const query of ['minScore=0', 'minScore=100', 'limit=1', 'limit=100']) {
      expect((await get(`smart-money?${query}`)).status).toBe(200)
    }
    const { nextCursor } = (await get('smart-money?limit=2&minScore=10')).json
    expect((await get(`smart-money?limit=5&minScore=10&cursor=${nextCursor}`)).json.data).toHaveLength(5)
    for (const query of [
      'minScore=11',
      'minScore=10&window=day',
      `minScore=10&wallet=${walletA}`,
      'minScore=10&venue=polymarket',
    ]) {
      expect((await get(`smart-money?${query}&cursor=${nextCursor}`)).json.error.code).toBe('VALIDATION_ERROR')
    }
    const older = createCursorCodec(Buffer.alloc(32, 11))
    const { cursorBinding: bindOf } = await import('#core/cursor')
    const bind = bindOf({ minScore: null, market: null, wallet: null, category: null, window: 'all' })
    const strange = older.encode('smartMoney', bind, { at: 1 })
    expect((await get(`smart-money?cursor=${strange}`)).json.error.message).toMatch(/another version/)
  })

  const freshOf = (lookedUntil: Record<string, number>, takenUp: Record<string, number> = {}, isBehind = false) => ({
    takenUp: new Map(Object.entries(takenUp)),
    lookedUntil: new Map(Object.entries(lookedUntil)),
    isBehind,
  })

  it('has the oldest read time of its venues as asOf, whenever they last traded, and reports when the roll-up is behind', async () => {
    const [older, newer] = [clock.now() - 80_000, clock.now() - 2_000]
    // The quiet venue was read last: its last trade is an hour old, but the feed is current.
    const takenUp = { polymarket: older - 5_000, myriad: clock.now() - 3_600_000 }
    record.fresh = freshOf({ polymarket: older, myriad: newer }, takenUp, true)
    const both = (await get('smart-money')).json
    expect(both.asOf).toBe(new Date(older).toISOString())
    expect(both.notes.join(' ')).toMatch(
      /Read until: polymarket .*, myriad .* recorded: polymarket .*, myriad .* roll-up is behind/,
    )
    expect((await get('smart-money?venue=myriad')).json.asOf).toBe(new Date(newer).toISOString())
  })

  it('has no asOf while the read time of one of its venues is unknown, however recently it traded', async () => {
    const now = clock.now()
    record.fresh = freshOf({ polymarket: now }, { polymarket: now, myriad: now })
    const { asOf, notes } = (await get('smart-money')).json
    expect(asOf).toBeNull()
    expect(notes.join(' ')).toMatch(/It is not known until when myriad was read/)
    expect((await get('smart-money?venue=polymarket')).json.asOf).toBe(new Date(now).toISOString())
    record.fresh = freshOf({ polymarket: now, myriad: now }, { polymarket: now })
    expect((await get('smart-money')).json.notes.join(' ')).toMatch(/No trade of myriad was recorded recently/)
  })

  it('ignores a venue that is not read here in the asOf of the others', async () => {
    anonymous = { missing: () => 'no node is configured' }
    record.fresh = freshOf({ polymarket: clock.now() })
    const { asOf, notes } = (await get('smart-money')).json
    expect(asOf).toBe(new Date(clock.now()).toISOString())
    expect(notes).toContain('Nothing of myriad is read here: no node is configured.')
    expect((await get('smart-money?venue=myriad')).json).toMatchObject({ data: [], asOf: null })
  })

  it('says that a venue without wallets has no trades here, rather than none recently', async () => {
    record.fresh = freshOf({ polymarket: clock.now() }, { polymarket: clock.now() })
    anonymous = { hasAnonymousTrades: true }
    const { asOf, notes } = (await get('smart-money')).json
    expect(asOf).toBe(new Date(clock.now()).toISOString())
    expect(notes.join(' ')).toMatch(/myriad identifies no wallets in its trades/)
    expect(notes.join(' ')).not.toMatch(/was recorded recently|is not known/)
  })

  it('has no asOf for a venue without wallets, before the first read, and without a record', async () => {
    anonymous = { hasAnonymousTrades: true }
    record.fresh = freshOf({ polymarket: clock.now() })
    const { status, json } = await get('smart-money?venue=myriad')
    expect([status, json.data, json.asOf]).toEqual([200, [], null])
    record.fresh = freshOf({})
    expect((await get('smart-money?venue=polymarket')).json).toMatchObject({ data: [], asOf: null })
    expect((await get('smart-money', open({ record: null }))).json).toMatchObject({ data: [], asOf: null })
  })

  it('gives the start of the record, rejects a venue outside the feed, and says when there is no record', async () => {
    expect((await get('smart-money')).json.notes.join(' ')).toMatch(/nothing earlier is filled in.*not advice/s)
    for (const slug of ['opinion', 'kalshi']) {
      expect((await get(`smart-money?venue=${slug}`)).json.error.code).toBe('TRADERS_UNSUPPORTED')
    }
    const { status, json } = await get('smart-money', open({ record: null }))
    expect([status, json.data, json.provenance]).toEqual([200, [], { source: 'archive' }])
    expect(json.notes[0]).toMatch(/no record/)
  })
})

describe('a wallet', () => {
  it('merges the record’s score with the venue’s own figures', async () => {
    polymarket.walletFields = ['marketsTraded', 'totalVolumeUsd']
    const before = (await get(`polymarket/wallets/${walletA}`)).json.data
    for (const row of [scoreOf('polymarket', walletA, 71.5), scoreOf('polymarket', walletA, null)]) {
      record.scores = [{ ...row, stats: { ...row.stats, totalVolumeUsd: 0.25, marketsTraded: 1, winRate: 0.5 } }]
      const { json } = await get(`polymarket/wallets/${walletA}`)
      const { totalVolumeUsd, marketsTraded } = before.stats
      expect(json).toMatchObject({ asOf: row.asOf, provenance: { source: 'archive' } })
      expect(json.data).toEqual({
        ...row,
        displayName: 'Ada',
        stats: { ...row.stats, totalVolumeUsd, marketsTraded, winRate: 0.5 },
      })
      expect(json.notes).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^marketsTraded, totalVolumeUsd: the venue’s own, read at /),
          expect.stringMatching(
            /^category, walletAgeDays, winRate, realizedPnlUsd, firstSeen, lastSeen: counted from .* since 2026-09-01T00:00:00\.000Z/,
          ),
        ]),
      )
    }
  })

  it('is never older than its lastSeen, since later figures come from the venue', async () => {
    const [counted, seen] = [clock.now() - 600_000, clock.now() - 1_000].map((at) => new Date(at).toISOString())
    polymarket.walletFields = ['lastSeen']
    const stats = { ...scoreOf('', '', null).stats, lastSeen: seen! }
    polymarket.fetchWallet = async () => ({ displayName: null, stats })
    record.scores = [{ ...scoreOf('polymarket', walletA, 71.5), asOf: counted!, refreshedAt: counted! }]
    const { json } = await get(`polymarket/wallets/${walletA}`)
    expect(json.data).toMatchObject({ asOf: seen, refreshedAt: counted, stats: { lastSeen: seen } })
    expect(json.asOf).toBe(seen)
    expect(json.notes.join(' ')).toContain(`as of ${counted}`)
  })

  it('has null for the venue’s figures while the venue is unavailable or does not know the wallet', async () => {
    polymarket.walletFields = ['totalVolumeUsd', 'firstSeen']
    record.scores = [scoreOf('polymarket', walletA, 71.5), scoreOf('polymarket', walletB, 60)]
    const own = { totalVolumeUsd: null, firstSeen: null, walletAgeDays: null }
    const unknown = (await get(`polymarket/wallets/${walletB}`)).json
    expect(unknown.data).toMatchObject({ score: 60, stats: { ...own, marketsTraded: 3 } })
    expect(unknown.notes[0]).toMatch(/does not know this wallet/)
    polymarket.fetchWallet = async () => {
      throw new Fault('NETWORK_ERROR', 'away', { exchange: 'polymarket' })
    }
    const away = (await get(`polymarket/wallets/${walletA}`)).json
    expect(away.data).toMatchObject({ score: 71.5, stats: { ...own, marketsTraded: 3 } })
    expect(away.notes[0]).toMatch(
      /^totalVolumeUsd, firstSeen, walletAgeDays: null, because .* could not be read just now/,
    )
  })

  it('without a record has the venue’s figures, no score and a note, and is backfilled', async () => {
    const { json } = await get(`polymarket/wallets/${walletA}`)
    expect(json.data).toMatchObject({
      ...{ score: null, scoreVersion: null, factors: null, category: null, refreshedAt: null, refreshState: 'live' },
      ...{ displayName: 'Ada', provenance: { source: 'venue-rest' }, note: expect.stringContaining('no score') },
      stats: { totalVolumeUsd: 5 },
    })
    expect(record.filledIn).toEqual([`polymarket ${walletA}`])
    expect((await get(`polymarket/wallets/${walletB}`)).json.error.code).toBe('TRADER_NOT_FOUND')
    expect(record.filledIn).toHaveLength(1)
    expect(json.data.note).toMatch(/being read into the record/)
    record.hasCapacity = false
    expect((await get(`polymarket/wallets/${walletA}`)).json.data.note).toMatch(/No record of this wallet is kept yet/)
    const without = await get(`polymarket/wallets/${walletA}`, open({ record: null }))
    expect(without.json.data.note).toMatch(/no record/)
  })

  it('from a cached read says so and gives its time', async () => {
    const keptSince = clock.now() - 50_000
    const asOf = new Date(keptSince).toISOString()
    for (const path of [`polymarket/wallets/${walletA}`, `polymarket/wallets/${walletA}/trades`])
      expect((await get(path)).json).toMatchObject({ cached: false, asOf: new Date(clock.now()).toISOString() })
    const { fetchWallet, fetchWalletTrades } = polymarket
    polymarket.fetchWallet = async (...all) => ({ ...(await fetchWallet!(...all))!, keptSince })
    polymarket.fetchWalletTrades = async (...all) => ({ ...(await fetchWalletTrades!(...all)), keptSince })
    const { json } = await get(`polymarket/wallets/${walletA}`)
    expect([json.asOf, json.data.asOf, json.cached, 'keptSince' in json.data]).toEqual([asOf, asOf, true, false])
    expect((await get(`polymarket/wallets/${walletA}/trades`)).json).toMatchObject({ asOf, cached: true })
  })

  it('lists trades with the catalog’s market ids where it has them', async () => {
    const { json } = await get(`polymarket/wallets/${walletA}/trades`)
    expect(json.data.map(({ marketId }: TraderTrade) => marketId)).toEqual(['ours', 'condition'])
  })

  it('without trades is unknown unless the record has seen it', async () => {
    expect((await get(`polymarket/wallets/${walletB}/trades`)).json.error.code).toBe('TRADER_NOT_FOUND')
    record.scores = [scoreOf('polymarket', walletB, null)]
    expect((await get(`polymarket/wallets/${walletB}/trades`)).json.data).toEqual([])
  })
})

describe('invalid values', () => {
  const rows = (path: string) =>
    get(path).then(({ status, json }) => [status, json.data ?? json.error.code, json.notes?.[0]])
  const returnTrades = (...trades: TraderTrade[]) => {
    polymarket.fetchWalletTrades = async () => ({ rows: trades, next: null })
  }

  it('are null in a trade, together with its value; trades with an impossible time are left out and reported', async () => {
    const later = { ...trade(0), ts: clock.now() + 60_001 }
    const wrongUnit = { ...trade(0), ts: Math.floor(clock.now() / 1_000) }
    returnTrades(
      later,
      { ...trade(3), price: 1.5, usdSize: 15 },
      { ...trade(4), amount: 1e18 },
      { ...trade(5), amount: 0 },
      wrongUnit,
    )
    const [status, data, note] = await rows(`polymarket/wallets/${walletA}/trades`)
    expect([status, note]).toEqual([200, '2 rows of the venue’s could not be read and are left out.'])
    expect(data).toMatchObject([
      { tradeId: 't3', price: null, usdSize: null, amount: 1 },
      { tradeId: 't4', price: 0.5, usdSize: null, amount: null },
      { tradeId: 't5', price: 0.5, usdSize: null, amount: null },
    ])
    returnTrades({ ...trade(1), ts: clock.now() + 60_000 })
    expect((await rows(`polymarket/wallets/${walletA}/trades`))[1]).toHaveLength(1)
    returnTrades(later)
    expect(await rows(`polymarket/wallets/${walletA}/trades`)).toEqual([503, 'NETWORK_ERROR', undefined])
  })

  it('are null on a leaderboard and in a profile', async () => {
    const leader = { venue: 'polymarket', wallet: walletA, rank: 1, window: 'all' as const }
    const board = [
      { ...leader, profitUsd: -1e308, volumeUsd: -5 },
      { ...leader, profitUsd: -7.5, volumeUsd: 0 },
    ]
    polymarket.leaderboard = {
      windows: { profit: ['all'] },
      fetch: async (context) => {
        context.leftOut?.(1)
        return { rows: board, asOf: clock.now() }
      },
    }
    const [, data, note] = await rows('polymarket/leaderboard')
    expect(data).toMatchObject([
      { profitUsd: null, volumeUsd: null },
      { profitUsd: -7.5, volumeUsd: 0 },
    ])
    expect(note).toBe('1 row of the venue’s could not be read and is left out.')
    const firstSeen = new Date(clock.now() + 86_400_000).toISOString()
    const stats = { ...scoreOf('', '', null).stats, totalVolumeUsd: -1, realizedPnlUsd: 1e300, firstSeen }
    polymarket.fetchWallet = async () => ({ displayName: null, stats: { ...stats, walletAgeDays: -1 } })
    expect((await get(`polymarket/wallets/${walletA}`)).json.data.stats).toMatchObject({
      ...{ totalVolumeUsd: null, realizedPnlUsd: null, firstSeen: null, walletAgeDays: null },
    })
  })
})

describe('a market with a venue prefix', () => {
  it('is looked up by the venue’s own id', async () => {
    const seen: string[] = []
    const catalog = {
      findOutcomes: async () => [],
      findMarket: async (_: string, id: string) => {
        seen.push(id)
        return { marketId: id, outcomes: [] } as never
      },
    }
    for (const id of ['polymarket:500', 'Polymarket:500', '500', 'other:500', '500:'])
      await get(`polymarket/markets/${encodeURIComponent(id)}/trades`, open({ catalog }))
    expect(seen).toEqual(['500', '500', '500', 'other:500', '500:'])
    for (const market of ['myriad:1:amm:7', '1:amm:7', 'opinion:9']) await get(`smart-money?market=${market}`)
    expect(record.queries.map(({ venues, market }) => [venues, market])).toEqual([
      [['myriad'], '1:amm:7'],
      [['polymarket', 'myriad'], '1:amm:7'],
      [['polymarket', 'myriad'], 'opinion:9'],
    ])
  })
})

describe('scores', () => {
  it('of all venues are listed together, the highest first', async () => {
    record.scores = [
      scoreOf('myriad', walletA, 40),
      scoreOf('polymarket', walletA, 90),
      scoreOf('polymarket', walletB, null),
    ]
    const { json } = await get('leaderboard?limit=5')
    expect(json.data.map(({ venue, score }: { venue: string; score: number }) => [venue, score])).toEqual([
      ['polymarket', 90],
      ['myriad', 40],
    ])
    expect(json.asOf).toBe('2026-09-20T12:00:00.000Z')
    expect(json.notes.join(' ')).toMatch(/Figures in stats: counted from this deployment’s own record/)
    expect((await get('leaderboard?limit=1')).json.data).toHaveLength(1)
  })

  it('that cannot be read cause an error, not an empty list', async () => {
    record.failure = new Fault('HISTORY_UNAVAILABLE', 'the record cannot be read right now', { detail: 'SECRET' })
    for (const path of ['leaderboard', 'smart-money', `polymarket/wallets/${walletA}`]) {
      const reply = await get(path)
      expect([reply.status, reply.json.error.code, reply.json.error.retryable]).toEqual([
        503,
        'HISTORY_UNAVAILABLE',
        true,
      ])
      expect(reply.text).not.toContain('SECRET')
    }
  })
})
