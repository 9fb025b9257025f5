// Converts recorded and documented market rows to our schema.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Event, Market } from '#schemas/market'
import { sharedFixture } from '#test/support/fixtures'
import { normalizeEvent, normalizeMarket, proseOf } from '#venues/limitless/data/normalize'
import { spotOf } from '#venues/limitless/data/prices'
import { feeModel } from '#venues/limitless/fees'
import { bookRef, idsOf, marketBook, nameOf } from '#venues/limitless/ids'
import { LimitlessMarket } from '#venues/limitless/wire'
import { fixture } from './support.ts'

type Row = Record<string, unknown>
const clob = fixture('market') as Row
const pool = fixture('pool') as Row

const marketOf = (row: Row, more: Row = {}): Market =>
  Market.parse(normalizeMarket(LimitlessMarket.parse({ ...row, ...more }), 'event'))

test('decodes HTML entities in titles, once', () => {
  const title = 'Will S&amp;P be &gt;= 7,000 &#8211; &quot;yes&quot;? &amp;lt; &bogus; &#0;'
  expect(marketOf(clob, { title }).title).toBe('Will S&P be >= 7,000 – "yes"? &lt; &bogus; &#0;')
})

test('an unreadable flag that could end trading makes the status unknown', () => {
  expect(marketOf(clob, { status: 'FUNDED', expired: 'no' }).status).toBe('unknown')
})

describe('a market with a book', () => {
  test('becomes YES and NO over one book, quoted at the prices of an immediate order', () => {
    const market = marketOf(clob)
    const slug = 'usa-and-australia-both-to-score-1779980360817'
    expect(market).toMatchObject({
      marketId: slug,
      title: 'USA and Australia both to score?',
      status: 'active',
      resolutionDate: '2026-06-20T19:00:00.000Z',
      volume: 0,
      volume24h: null,
      liquidity: null,
      openInterest: null,
      tickSize: 0.001,
      category: 'Props',
      tags: ['Football', 'Lumy'],
      sourceMetadata: {
        executionModel: 'clob',
        collateral: 'USDC',
        collateralDecimals: 6,
        negRisk: false,
        feesEnabled: true,
      },
    })
    expect(market.sourceMetadata).not.toHaveProperty('synthetic')
    expect(market.outcomes).toMatchObject([
      {
        outcomeId: `${slug}:yes`,
        price: 0.476,
        bestBid: 0.466,
        bestAsk: 0.486,
        metadata: { tokenId: expect.stringMatching(/^8675/) },
      },
      {
        outcomeId: `${slug}:no`,
        price: 0.524,
        bestBid: 0.514,
        bestAsk: 0.534,
        metadata: { tokenId: expect.stringMatching(/^8623/) },
      },
    ])
  })

  test('without quotes shows the ends of the price scale, which become no quotes, and has no mid price', () => {
    const ends = { buy: { market: [0.999, 0.999] }, sell: { market: [0.001, 0.001] } }
    const pricesOf = (more: Row) =>
      marketOf(clob, more).outcomes.map(({ price, bestBid, bestAsk }) => [price, bestBid, bestAsk])
    expect(pricesOf({ tradePrices: ends, prices: [0.5, 0.5] })).toEqual([
      [null, null, null],
      [null, null, null],
    ])
    expect(pricesOf({ tradePrices: ends, prices: [0.31, 0.69] })[0]).toEqual([0.31, null, null])
  })

  test.each([
    ['FUNDED', false, 'active'],
    ['FUNDED', true, 'closed'],
    ['LOCKED', false, 'closed'],
    ['RESOLVED', true, 'resolved'],
    ['DRAFT', false, 'inactive'],
    ['CREATED', false, 'inactive'],
    ['FUNDED_FLAGGED', false, 'unknown'],
    ['FROZEN', false, 'unknown'],
  ])('status %s with expired %s is %s', (status, expired, ours) => {
    const market = marketOf(clob, { status, expired })
    expect(market.status).toBe(ours)
    if (ours === 'closed' || ours === 'resolved') expect(market.outcomes[0]!.bestBid).toBeNull()
  })

  test('is priced 1 for its winner, or with both shares when the payout is split', () => {
    const paid = (more: Row) => marketOf(clob, { status: 'RESOLVED', ...more }).outcomes.map(({ price }) => price)
    expect(paid({ winningOutcomeIndex: 0 })).toEqual([1, 0])
    expect(paid({ winningOutcomeIndex: '1' })).toEqual([0, 1])
    expect(paid({ winningOutcomeIndex: null, payoutNumerators: ['1', '3'] })).toEqual([0.25, 0.75])
    expect(paid({ winningOutcomeIndex: null })).toEqual([null, null])
  })

  test('in another collateral token has no dollar figures', () => {
    const weth = { address: null, decimals: 18, symbol: 'WETH' }
    expect(marketOf(clob, { volume: '2500000' }).volume).toBe(2.5)
    expect(marketOf(clob, { volume: '2500000', collateralToken: weth }).volume).toBeNull()
  })

  test('with an invalid slug is left out', () => {
    for (const slug of ['', 'a b', 'a:yes', '../x']) {
      expect(normalizeMarket(LimitlessMarket.parse({ ...clob, slug }), null)).toBeNull()
    }
  })
})

describe('a pool', () => {
  test('is marked as synthetic, identified by its address, and has a price but no quotes', () => {
    const market = marketOf(pool)
    const address = '0x76d3e2098Be66Aa7E15138F467390f0Eb7349B9b'
    expect(market).toMatchObject({
      marketId: 'dollardoge-above-dollar021652-on-sep-1-1200-utc-1756724413009',
      contractAddress: address,
      volume: 164.109293,
      liquidity: 50,
      openInterest: 48.310707,
      tickSize: null,
      sourceMetadata: { executionModel: 'amm', synthetic: true },
    })
    expect(market.outcomes).toMatchObject([
      { outcomeId: `${address}:yes`, price: 0.428, bestBid: null, bestAsk: null },
      { outcomeId: `${address}:no`, price: 0.572, bestBid: null, bestAsk: null },
    ])
    expect(bookRef(`${address}:no`)).toEqual({ bookId: `${address}:yes`, complement: true })
    expect(normalizeMarket(LimitlessMarket.parse({ ...pool, address: null }), null)).toBeNull()
  })

  test('accepts prices in percent or as fractions; anything else is no price', () => {
    const spot = (prices: unknown) => spotOf(LimitlessMarket.parse({ ...pool, prices }))
    expect([spot([42.8, 57.2]), spot(['0.428', '0.572']), spot([100, 0]), spot([0, 1])]).toEqual([
      428_000, 428_000, 1_000_000, 0,
    ])
    for (const none of [[0, 0], [3, 4], [-1, 2], [0.4], null, 'x', [null, 1]]) expect(spot(none)).toBeNull()
  })
})

test('a group becomes an event with its markets, which keep their own titles and ids', () => {
  const group = LimitlessMarket.parse({
    ...clob,
    slug: 'a-group',
    title: 'Who?',
    marketType: 'group',
    tradeType: 'group',
    tokens: null,
    volume: '5000000',
  })
  const child = LimitlessMarket.parse({
    ...clob,
    title: 'She',
    description: null,
    tags: null,
    negRiskRequestId: '0x01',
    groupId: 7,
  })
  const market = normalizeMarket(child, group.slug, group)!
  const event = Event.parse(normalizeEvent(group, [market]))
  expect(event).toMatchObject({ id: 'a-group', title: 'Who?', volume: 5, volume24h: null, seriesId: null })
  expect(market).toMatchObject({
    eventId: 'a-group',
    title: 'She',
    description: event.description,
    tags: ['Football', 'Lumy'],
    url: event.url,
    sourceMetadata: { negRisk: true, yesSubTitle: 'She', groupId: 7 },
  })
})

test('fees are never guessed: only a market that explicitly charges none has none', () => {
  expect(feeModel(marketOf(clob)).fee.kind).toBe('unknown')
  expect(feeModel(marketOf(pool)).fee.kind).toBe('unknown')
  expect(feeModel(marketOf(clob, { metadata: { fee: false } })).fee.kind).toBe('none')
  expect(feeModel(marketOf(clob, { metadata: null })).fee.kind).toBe('unknown')
})

test('formats rules as text with one line per paragraph', () => {
  expect(proseOf('<p>It is <a href="x">so</a> if 1 < 2.</p><p><br></p><p>Else &quot;not&quot; &amp;amp;.</p>')).toBe(
    'It is so if 1 < 2.\nElse "not" &amp;.',
  )
  expect(proseOf(null)).toBe('')
})

test('ids survive the round trip, and sides of different markets never collide', () => {
  const slug = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,40}$/)
  const address = fc.stringMatching(/^0x[0-9a-f]{40}$/)
  fc.assert(
    fc.property(fc.oneof(slug, address), (name) => {
      const [yes, no] = idsOf(name)
      expect(bookRef(yes)).toEqual({ bookId: yes, complement: false })
      expect(bookRef(no)).toEqual({ bookId: yes, complement: true })
      expect([nameOf(yes), nameOf(no), marketBook(name)?.bookId]).toEqual([name, name, yes])
    }),
  )
  for (const none of ['', ':yes', 'a:b:yes', 'a', '516', '#5160', 'x:long', '1'.repeat(77)])
    expect(bookRef(none)).toBeNull()
})

/** Fields of a recorded row that are neither mapped nor passed on, and why. */
const ignored: Readonly<Record<string, string>> = {
  creator: 'the venue itself, or the sponsor of the market',
  expirationDate: 'the same day as `expirationTimestamp`, formatted',
  volumeFormatted: 'the same figure as `volume`, formatted',
  liquidityFormatted: 'the same figure as `liquidity`, formatted',
  openInterestFormatted: 'the same figure as `openInterest`, formatted',
  priorityIndex: 'the order on the venue’s own page',
  feedEvents: 'the newest entries of a separate list',
}

const recorded = sharedFixture('limitless/rest/limitless_markets.json')
const recordedRows = (): Row[] => (recorded === null ? [] : (JSON.parse(readFileSync(recorded, 'utf8')) as Row[]))

test('every field of a recorded row is mapped, passed on, or ignored for a reason', () => {
  const known = new Set([...Object.keys(LimitlessMarket.shape), ...Object.keys(ignored)])
  const fields = new Set([clob, pool, ...recordedRows()].flatMap((row) => Object.keys(row)))
  expect([...fields].filter((field) => !known.has(field))).toEqual([])
})

test.skipIf(recorded === null)('normalises every recorded market (needs ../shared/fixtures)', () => {
  const markets = recordedRows().map((row) => marketOf(row))
  expect(markets.map(({ outcomes: [yes], status }) => [status, yes!.price, yes!.bestBid, yes!.bestAsk])).toEqual([
    ['active', null, null, null],
    ['active', 0.755, 0.54, 0.97],
    ['active', null, null, null],
    ['active', 0.54, 0.1, 0.98],
    ['active', 0.54, 0.1, 0.98],
  ])
  expect(markets[0]!.description).toMatch(/^This market will resolve to "Up" if the Chainlink SOL\/USD price/)
})
