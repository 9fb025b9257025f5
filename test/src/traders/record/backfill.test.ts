// Which wallets are backfilled, how much is requested for them, and how the reported trades are converted.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { TraderTrade } from '#schemas/traders'
import type { InsertTarget } from '#storage/clickhouse/deduplication'
import { sampleMarket, sampleOutcome } from '#test/src/marketData/catalog/samples'
import type { TraderVenue } from '#traders/index'
import { Backfill, type FillInsOptions, retryMs, waitingMax, walletsPerHour } from '#traders/record/backfill'
import { newWalletMs, venueReportOf } from '#traders/record/venueReported'
import { marketsQueried, pagesMax } from '#traders/record/walletReader'
import type { TradersPage, VenueTraders } from '#venues/traderData'

const wallet = `0x${'a'.repeat(40)}`
const readAt = 1_800_000_000_000
const row = (ts: number, more: Partial<TraderTrade> = {}): TraderTrade => ({
  ...{ venue: 'polymarket', marketId: 'm1', outcomeId: 'm1-yes', tradeId: `t${ts}`, ts, wallet },
  ...{ side: 'buy', price: 0.5, amount: 10, usdSize: 5 },
  ...more,
})

describe('a venue report', () => {
  const reading = (rows: TraderTrade[], isWhole = true) => ({ venue: 'polymarket', wallet, rows, isWhole, readAt })
  const nowhere = () => null

  it('covers the time from the oldest trade to the newest', () => {
    const report = venueReportOf(reading([row(5_000), row(3_000), row(1_000)]), nowhere)
    expect(report).toMatchObject({ venue: 'polymarket', wallet, since: 999, until: 5_000 })
    expect(report!.rows.map(({ ts }) => ts)).toEqual([5_000, 3_000, 1_000])
  })

  it('starts after its oldest time when it was truncated, because the page may have cut that time, too', () => {
    const report = venueReportOf(reading([row(5_000), row(1_000), row(1_000, { tradeId: 'other' })], false), nowhere)
    expect(report).toMatchObject({ since: 1_000, until: 5_000, rows: [{ ts: 5_000 }] })
    expect(venueReportOf(reading([row(1_000)], false), nowhere)).toBeNull()
  })

  it('excludes the last minute, and is null without trades', () => {
    const edge = readAt - newWalletMs
    expect(venueReportOf(reading([row(readAt), row(edge + 1), row(edge)]), nowhere)).toMatchObject({ until: edge })
    expect(venueReportOf(reading([row(edge + 1)]), nowhere)).toBeNull()
    expect(venueReportOf(reading([]), nowhere)).toBeNull()
  })

  it('counts a trade once when pages overlap, and keeps several fills of one transaction', () => {
    const rows = [row(2_000), row(2_000), row(2_000, { amount: 3 }), row(2_000, { price: 0.6 })]
    expect(venueReportOf(reading(rows), nowhere)!.rows).toHaveLength(3)
  })

  it('uses the catalog’s ids where it has them', () => {
    const place = { marketId: 'ours', outcomeId: 'ours-yes', closesAt: null }
    const placeOf = (outcomeId: string) => (outcomeId === 'm1-yes' ? place : null)
    const { rows } = venueReportOf(
      reading([row(1_000), row(2_000, { outcomeId: 'x', marketId: 'condition' })]),
      placeOf,
    )!
    expect(rows).toMatchObject([
      { marketId: 'ours', outcomeId: 'ours-yes', priceMicros: 500_000, size: 10, usd: 5, side: 'buy' },
      { marketId: 'condition', outcomeId: 'x' },
    ])
  })

  it('turns an incomplete or invalid row into a trade without a price in an outcome that never settles', () => {
    const nothing = { outcomeId: 'm1?', marketId: 'm1', priceMicros: null, size: 0, usd: null }
    for (const unknown of ['side', 'outcomeId', 'amount'] as const)
      expect(venueReportOf(reading([row(1_000, { [unknown]: null })]), nowhere)!.rows).toMatchObject([nothing])
    for (const wrong of [{ amount: -1 }, { amount: Number.NaN }, { amount: 1e18 }, { price: 1.5 }, { price: -0.1 }])
      expect(venueReportOf(reading([row(1_000, wrong)]), nowhere)!.rows).toMatchObject([nothing])
    // Without a price it is still a trade in its outcome.
    expect(venueReportOf(reading([row(1_000, { price: null, usdSize: null })]), nowhere)!.rows).toMatchObject([
      { outcomeId: 'm1-yes', priceMicros: null, size: 10, usd: null },
    ])
    expect(venueReportOf(reading([row(-1), row(1.5), row(Number.NaN)]), nowhere)).toBeNull()
  })
})

describe('a requested wallet', () => {
  let clock: ManualClock
  let written: [InsertTarget, Buffer][]
  let requests: [wallet: string, page: TradersPage][]
  let answer: NonNullable<VenueTraders['fetchWalletTrades']>
  let fills: Backfill

  const traders = (more: Partial<VenueTraders> = {}): VenueTraders => ({
    walletOf: (text) => text,
    notes: [],
    fetchTrades: async () => ({ rows: [], next: null }),
    fetchWalletTrades: (context, of, page) => {
      requests.push([of, page])
      return answer(context, of, page)
    },
    ...more,
  })
  const venue = (slug: string, of: VenueTraders | undefined): [string, TraderVenue] => [
    slug,
    {
      slug,
      traders: of,
      fetchMarket: async () => null,
      context: { venue: slug, clock, log: silentLog, urls: {}, signal: new AbortController().signal } as never,
    },
  ]
  const open = (more: Partial<FillInsOptions> = {}): Backfill =>
    new Backfill({
      venues: new Map([
        venue('polymarket', traders()),
        venue('limitless', { ...traders(), fetchWalletTrades: undefined } as never),
        venue('opinion', { ...traders(), fetchTrades: undefined } as never),
        venue('predictfun', traders({ missing: () => 'no key' })),
        venue('kalshi', undefined),
      ]),
      store: { insert: async (target, rows) => void written.push([target, rows]) },
      catalog: { findPlace: async () => null },
      clock,
      log: silentLog,
      ...more,
    })
  const settled = (): Promise<void> => vi.waitFor(() => expect(fills.busy).toBe(0), { interval: 1 })

  beforeEach(() => {
    clock = new ManualClock(readAt)
    written = []
    requests = []
    answer = async () => ({ rows: [row(1_000)], next: null })
    fills = open()
  })

  it('is read once for all concurrent requests and written in one insert', async () => {
    expect([fills.take('polymarket', wallet), fills.take('polymarket', wallet)]).toEqual([true, true])
    await settled()
    expect(requests).toEqual([[wallet, { limit: 100, after: null }]])
    expect(written.map(([{ table }]) => table)).toEqual(['trader_told'])
  })

  it('is not read again for a minute, whatever the result', async () => {
    for (const outcome of [answer, async () => ({ rows: [], next: null }), () => Promise.reject(new Error('away'))]) {
      answer = outcome
      expect(fills.take('polymarket', wallet)).toBe(true)
      await settled()
      expect(fills.take('polymarket', wallet)).toBe(false)
      clock.advance(retryMs - 1)
      expect(fills.take('polymarket', wallet)).toBe(false)
      clock.advance(1)
    }
    expect(requests).toHaveLength(3)
    expect(written).toHaveLength(1)
  })

  it('is read page by page up to the limit', async () => {
    answer = async (_, __, { after }) => ({
      rows: [row(readAt / 2 - Number(after ?? 0))],
      next: Number(after ?? 0) + 1,
    })
    fills.take('polymarket', wallet)
    await settled()
    expect(requests.map(([, { after }]) => after)).toEqual([
      null,
      ...Array.from({ length: pagesMax - 1 }, (_, n) => n + 1),
    ])
    expect(written).toHaveLength(1)
  })

  it('is not written when a page cannot be read', async () => {
    answer = async (_, __, { after }) => {
      if (after !== null) throw new Error('away')
      return { rows: [row(1_000)], next: 1 }
    }
    fills.take('polymarket', wallet)
    await settled()
    expect(written).toEqual([])
  })

  it('has markets missing in the catalog settled from the venue’s market data', async () => {
    const over = (marketId: string) =>
      sampleMarket(`our ${marketId}`, {
        status: 'resolved',
        outcomes: [1, 0].map((price, n) =>
          sampleOutcome(marketId, n === 0 ? 'Yes' : 'No', {
            outcomeId: `${marketId}-${n === 0 ? 'yes' : 'no'}`,
            price,
          }),
        ),
      })
    answer = async () => ({
      rows: Array.from({ length: 40 }, (_, n) => row(2_000 - n, { marketId: `m${n}`, outcomeId: `m${n}-yes` })),
      next: null,
    })
    const markets: string[] = []
    const [slug, known] = venue('polymarket', traders())
    const withMarkets = (fetchMarket: TraderVenue['fetchMarket']) => {
      fills = open({
        venues: new Map([[slug, { ...known, fetchMarket }]]),
        catalog: {
          findPlace: async (_, outcomeId) =>
            outcomeId === 'm3-yes' ? { marketId: 'listed', outcomeId, closesAt: null } : null,
        },
      })
    }
    withMarkets(async (_, marketId) => {
      markets.push(marketId)
      return marketId === 'm1' ? null : { market: over(marketId), event: null }
    })
    fills.take('polymarket', wallet)
    await settled()
    expect(markets).toEqual(Array.from({ length: marketsQueried + 1 }, (_, n) => `m${n}`).filter((id) => id !== 'm3'))
    expect(written.map(([{ table }]) => table)).toEqual(['trader_told', 'trader_settlements'])
    expect(written[0]![1].includes('our m2')).toBe(true)
    expect(written[1]![1].includes('m2-no')).toBe(true)
    expect(written[1]![1].includes('m1-yes')).toBe(false)

    // One unreadable market does not lose the rest.
    written.length = 0
    withMarkets(async (_, marketId) => {
      if (marketId === 'm2') throw new Error('away')
      return { market: over(marketId), event: null }
    })
    fills.take('polymarket', wallet)
    await settled()
    expect(written.map(([{ table }]) => table)).toEqual(['trader_told', 'trader_settlements'])
    expect(written[1]![1].includes('m1-yes')).toBe(true)
  })

  it('counts toward an hourly limit', async () => {
    for (let n = 0; n < walletsPerHour; n++) {
      expect(fills.take('polymarket', `w${n}`)).toBe(true)
      await settled()
    }
    expect(fills.take('polymarket', wallet)).toBe(false)
    clock.advance(3_600_000)
    expect(fills.take('polymarket', wallet)).toBe(true)
    await settled()
    expect(requests).toHaveLength(walletsPerHour + 1)
  })

  it('is not written when the venue returns more rows than requested', async () => {
    answer = async () => ({ rows: Array.from({ length: 101 }, (_, n) => row(1_000 + n)), next: null })
    fills.take('polymarket', wallet)
    await settled()
    expect(written).toEqual([])
  })

  it('is rejected when its venue reports no wallet trades or the record does not read that venue', () => {
    for (const slug of ['limitless', 'opinion', 'predictfun', 'kalshi', 'nowhere'])
      expect([slug, fills.take(slug, wallet)]).toEqual([slug, false])
  })

  it('waits while two are read, and is rejected when too many wait', async () => {
    const hung: (() => void)[] = []
    answer = () => new Promise((resolve) => hung.push(() => resolve({ rows: [], next: null })))
    for (let n = 0; n < waitingMax; n++) expect(fills.take('polymarket', `w${n}`)).toBe(true)
    expect(fills.take('polymarket', 'one too many')).toBe(false)
    await vi.waitFor(() => expect(requests).toHaveLength(2))
    while (fills.busy > 0) {
      expect(hung.length).toBeLessThanOrEqual(2)
      for (const end of hung.splice(0)) end()
      await new Promise(setImmediate)
    }
    expect(requests).toHaveLength(waitingMax)
  })

  it('is aborted when its venue is too slow, and when the program stops', async () => {
    let given: AbortSignal | undefined
    answer = ({ signal }) => {
      given = signal
      return new Promise(() => undefined)
    }
    fills.take('polymarket', wallet)
    await vi.waitFor(() => expect(given).toBeDefined())
    clock.advance(120_000)
    await settled()
    expect(given!.aborted).toBe(true)

    answer = ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    fills.take('polymarket', 'another')
    fills.take('polymarket', 'a third')
    await vi.waitFor(() => expect(requests).toHaveLength(3))
    await fills.stop()
    expect(fills.take('polymarket', 'a fourth')).toBe(false)
    expect(written).toEqual([])
  })
})
