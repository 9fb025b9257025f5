// What the routes make of our own record, and of a venue's answers: filters, places, notes, and names.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#lib/clock'
import { createCursorCodec } from '#lib/cursor'
import { Fault } from '#lib/fault'
import { silentLog } from '#lib/log'
import type { TraderTrade } from '#schemas/traders'
import { createWorld, type World } from '#test/src/http/world'
import { type TradersPorts, type TraderVenue, traderRoutes } from '#traders/index'
import type { VenueTraders } from '#venues/traders'
import { MemoryRecord, scoreOf, smartTrade, walletA, walletB } from './memoryRecord.ts'

const clock = new ManualClock()
let record: MemoryRecord
let polymarket: Partial<VenueTraders>
const asked: string[] = []

const trade = (n: number): TraderTrade => ({
  ...{ venue: 'polymarket', marketId: 'condition', outcomeId: `o${n}`, tradeId: `t${n}`, ts: n, wallet: walletA },
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
        ['myriad', venue('myriad', { fetchTrades: async () => ({ rows: [], next: null }) })],
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
  asked.length = 0
  polymarket = {
    marketByOutcome: true,
    fetchTrades: async () => ({ rows: [], next: null }),
    fetchWallet: async (_, wallet) => {
      asked.push(wallet)
      const stats = { ...scoreOf('', '', null).stats, totalVolumeUsd: 5 }
      return wallet === walletB ? null : { displayName: 'Ada', stats }
    },
    fetchWalletTrades: async (_, wallet) => ({ rows: wallet === walletA ? [trade(1), trade(2)] : [], next: null }),
  }
})

describe('smart money', () => {
  const rows = Array.from({ length: 7 }, (_, n) => smartTrade(1_000 - Math.floor(n / 2), `t${n}`))

  it('goes by (ts, tradeId) from the newest, page by page, also through trades of one moment', async () => {
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

  it('passes every filter on, and a window as the moment it begins', async () => {
    await get(
      `smart-money?venue=Polymarket&minScore=62.5&market=m1&wallet=0x${'A'.repeat(40)}&category=whale&window=week&limit=9`,
    )
    expect(record.asked.at(-1)).toEqual({
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
    expect(record.asked.at(-1)).toMatchObject({
      venues: ['polymarket', 'myriad'],
      wallet: 'So11111111111111111111111111111111111111112',
      ...{ minScore: null, market: null, category: null, sinceMs: null },
    })
    for (const [window, days] of [
      ['day', 1],
      ['month', 30],
    ] as const) {
      await get(`smart-money?window=${window}`)
      expect(record.asked.at(-1)!.sinceMs).toBe(clock.now() - days * 86_400_000)
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
    ['venue=polymarket&venue=myriad'],
    ['limit=1&limit=2'],
  ])('refuses ?%s', async (query) => {
    expect(await get(`smart-money?${query}`)).toMatchObject({
      status: 400,
      json: { error: { code: 'VALIDATION_ERROR' } },
    })
  })

  it('refuses a parameter it does not know, with the name that was meant', async () => {
    const { status, json } = await get('smart-money?minscore=5')
    expect([status, json.error.code, json.error.message]).toEqual([
      400,
      'VALIDATION_ERROR',
      expect.stringContaining('minScore'),
    ])
  })

  it('takes bounds as they are, and no cursor of another question', async () => {
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
    const { bindOf } = await import('#lib/cursor')
    const bind = bindOf({ minScore: null, market: null, wallet: null, category: null, window: 'all' })
    const strange = older.encode('smartMoney', bind, { at: 1 })
    expect((await get(`smart-money?cursor=${strange}`)).json.error.message).toMatch(/another version/)
  })

  it('says since when, of a venue outside the feed that it is none, and without a record that nothing is scored', async () => {
    expect((await get('smart-money')).json.notes.join(' ')).toMatch(/nothing before that is filled in.*not advice/s)
    for (const slug of ['opinion', 'kalshi']) {
      expect((await get(`smart-money?venue=${slug}`)).json.error.code).toBe('TRADERS_UNSUPPORTED')
    }
    const { status, json } = await get('smart-money', open({ record: null }))
    expect([status, json.data, json.provenance]).toEqual([200, [], { source: 'archive' }])
    expect(json.notes[0]).toMatch(/no record/)
  })
})

describe('a wallet', () => {
  it('of the record is told as it is kept, and its venue is left alone', async () => {
    for (const row of [scoreOf('polymarket', walletA, 71.5), scoreOf('polymarket', walletA, null)]) {
      record.scores = [row]
      const { json } = await get(`polymarket/wallets/${walletA}`)
      expect(json).toMatchObject({ data: row, asOf: row.asOf, provenance: { source: 'archive' } })
    }
    expect(asked).toEqual([])
  })

  it('without a record has the venue’s figures, no score and a note, and is taken up', async () => {
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
    record.hasRoom = false
    expect((await get(`polymarket/wallets/${walletA}`)).json.data.note).toMatch(/No record of this wallet is kept yet/)
    const without = await get(`polymarket/wallets/${walletA}`, open({ record: null }))
    expect(without.json.data.note).toMatch(/no record/)
  })

  it('that was read for an earlier question says so, and of when it is', async () => {
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

  it('trades under the catalog’s names of its markets, where it has them', async () => {
    const { json } = await get(`polymarket/wallets/${walletA}/trades`)
    expect(json.data.map(({ marketId }: TraderTrade) => marketId)).toEqual(['ours', 'condition'])
  })

  it('whose venue tells no trade is unknown, unless the record has seen it', async () => {
    expect((await get(`polymarket/wallets/${walletB}/trades`)).json.error.code).toBe('TRADER_NOT_FOUND')
    record.scores = [scoreOf('polymarket', walletB, null)]
    expect((await get(`polymarket/wallets/${walletB}/trades`)).json.data).toEqual([])
  })
})

describe('scores', () => {
  it('of all venues stand side by side, the highest first', async () => {
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
    expect((await get('leaderboard?limit=1')).json.data).toHaveLength(1)
  })

  it('that cannot be read are an outage, not an empty list', async () => {
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
