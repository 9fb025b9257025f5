// Reads of the public catalog. Rows follow the venue’s OpenAPI (API v3) and responses recorded by a third party on 2026-09-25: one game,
// its money line, and its book of that minute (DAL bid 0.38, BAL bid 0.615).
import { describe, expect, test } from 'vitest'
import { Fault } from '#core/fault'
import type { HttpResponse } from '#net/http'
import { Event } from '#schemas/market'
import { novig } from '#venues/novig/index'
import { type CatalogAnswer, event, idOf, market, outcome, venueThat } from './rows.ts'

const eventId = '01a0aa74-36dd-7251-b18e-486f25a0821b'
const moneyId = '01a0aa74-36db-7163-8ff2-1027a5c4f54f'
const dal = '01a0aa74-36db-7163-8ff2-103e7c9a7496'
const bal = '01a0aa74-36db-7163-8ff2-104c4ec8c5ed'

const game = {
  eventId,
  description: 'Baltimore Ravens @ Dallas Cowboys',
  sport: 'FOOTBALL',
  league: 'NFL',
  status: 'OPEN_PREGAME',
  startsTs: 1_790_540_700_000,
}
const fee = { coefficient: '0.03', makerCredit: '0.5', charged: 'WHEN_LIVE' }
const money = {
  marketId: moneyId,
  eventId,
  marketType: 'MONEY',
  status: 'OPEN',
  voids: 'FMV',
  description: 'DAL',
  startsTs: 1_790_540_700_000,
  fee,
  outcomes: [
    { outcomeId: bal, name: 'BAL', status: 'TBD' },
    { outcomeId: dal, name: 'DAL', status: 'TBD' },
  ],
}
const total = {
  ...money,
  marketId: idOf(5, '2'),
  marketType: 'TOTAL',
  strike: '47.5',
  description: 'BAL @ DAL t47.5',
  outcomes: [
    { outcomeId: idOf(1, '3'), name: 'Under 47.5', status: 'TBD' },
    { outcomeId: idOf(2, '3'), name: 'Over 47.5', status: 'TBD' },
  ],
}
const book = {
  marketId: moneyId,
  seq: 2_020,
  orders: {
    [dal]: [
      { orderId: 'a', price: '0.38', qty: 516_409 },
      { orderId: 'b', price: '0.375', qty: 200_000 },
      { orderId: 'c', price: '0.375', qty: 150_000 },
    ],
    [bal]: [{ orderId: 'd', price: '0.615', qty: 48_541 }],
  },
}

const ok = (body: unknown): HttpResponse => ({ status: 200, headers: {}, body })
const notFound: HttpResponse = {
  status: 404,
  headers: {},
  body: { code: 'MARKET_NOT_FOUND', message: 'market not found' },
}
const nothing = () => ({ data: { event: [], market: [] } })
const graphqlFails = () => {
  throw new Fault('NETWORK_ERROR', 'no', { exchange: 'novig' })
}
const unavailable = { code: 'NETWORK_ERROR', exchange: 'novig' }

/** Serves one game with its markets. */
const venue =
  (markets: unknown[] = [money], more: Record<string, HttpResponse> = {}): CatalogAnswer =>
  (path) =>
    more[path] ??
    ({ '/events': ok({ items: [game] }), '/markets': ok({ items: markets }) } as Record<string, HttpResponse>)[path] ??
    (path === `/events/${eventId}` ? ok(game) : path === `/markets/${moneyId}` ? ok(money) : undefined) ??
    (path === `/markets/${moneyId}/book` ? ok(book) : notFound)

async function walk(context: ReturnType<typeof venueThat>['context']): Promise<Event[]> {
  const events: Event[] = []
  for await (const page of novig.data.walkCatalog(context, { updatedSinceMs: null })) events.push(...page.events)
  return events.map((each) => Event.parse(each))
}

describe('the walk', () => {
  test('joins both lists of the catalog; sides have a fixed order, whatever the order of the row', async () => {
    const { context, requests } = venueThat(nothing, venue([money, total]))
    const [found] = await walk(context)
    expect(found).toMatchObject({
      id: eventId,
      title: game.description,
      sourceMetadata: { sport: 'FOOTBALL', league: 'NFL' },
    })
    expect(found!.markets).toMatchObject([
      {
        marketId: moneyId,
        title: 'Baltimore Ravens @ Dallas Cowboys: DAL',
        status: 'active',
        volume: null,
        tickSize: 0.001,
        outcomes: [
          { outcomeId: dal, label: 'DAL', bestBid: null, bestAsk: null },
          { outcomeId: bal, label: 'BAL' },
        ],
        sourceMetadata: {
          fee: { coefficient: '0.03', charged: 'WHEN_LIVE' },
          voids: 'FMV',
          gameStartTime: '2026-09-27T20:25:00.000Z',
        },
      },
      { sourceMetadata: { line: 47.5 }, outcomes: [{ label: 'Over 47.5' }, { label: 'Under 47.5' }] },
    ])
    expect(requests.map(({ variables }) => variables)).toEqual([{ ids: [eventId] }])
  })

  test('follows the cursor of each list', async () => {
    const answer: CatalogAnswer = (path, { after }) => {
      if (path === '/events') return ok({ items: [game] })
      return ok(after === 'c1' ? { items: [total] } : { items: [money], next: 'c1' })
    }
    const [found] = await walk(venueThat(nothing, answer).context)
    expect(found!.markets.map(({ marketId }) => marketId)).toEqual([moneyId, total.marketId])
  })

  test('takes volumes, quotes and last prices from the GraphQL when it answers', async () => {
    const sides = [
      { ...outcome(1, 'DAL', { available: 0.385, last: 0.38, index: 0 }), id: dal },
      { ...outcome(2, 'BAL', { available: 0.62, index: 1 }), id: bal },
    ]
    const more = { ...event(1, [{ ...market(1, sides), id: moneyId }]), id: eventId }
    const [found] = await walk(venueThat(() => ({ data: { event: [more] } }), venue()).context)
    expect(found!.markets[0]).toMatchObject({
      volume: 1_200,
      outcomes: [{ price: 0.38, bestBid: 0.38, bestAsk: 0.385 }, { bestAsk: 0.62 }],
    })
  })

  test('works without the GraphQL, which is not requested again after three failures', async () => {
    const games = Array.from({ length: 60 }, (_, n) => ({ ...game, eventId: idOf(n, '1') }))
    const { context, requests } = venueThat(graphqlFails, (path) => ok({ items: path === '/events' ? games : [] }))
    expect(await walk(context)).toHaveLength(60)
    expect(requests).toHaveLength(3)
  })

  test('skips an unreadable row', async () => {
    const { context, warnings } = venueThat(nothing, venue([money, { ...total, outcomes: [] }, null]))
    const [found] = await walk(context)
    expect(found!.markets.map(({ marketId }) => marketId)).toEqual([moneyId])
    expect(warnings).toHaveLength(2)
  })

  test('falls back to the GraphQL when the catalog does not answer, and retries the catalog after 30 seconds', async () => {
    let answers = false
    const older = { data: { event: [event(1, [market(1, [outcome(1, 'Under'), outcome(2, 'Over')])])] } }
    const all = venue()
    const { context, read } = venueThat(
      () => older,
      (path, query) => (answers ? all(path, query) : undefined),
    )
    expect((await walk(context)).map(({ id }) => id)).toEqual([idOf(1, '1')])
    answers = true
    expect((await walk(context)).map(({ id }) => id)).toEqual([idOf(1, '1')])
    expect(read).toEqual(['/events'])
    ;(context.clock as unknown as { advance(ms: number): void }).advance(30_000)
    expect((await walk(context)).map(({ id }) => id)).toEqual([eventId])
  })

  test('a rate limit is passed on and does not trigger the fallback', async () => {
    const limited = new Fault('NETWORK_ERROR', 'limited', { exchange: 'novig', retryAfterSeconds: 1 })
    const { context, requests } = venueThat(nothing, () => {
      throw limited
    })
    await expect(novig.data.fetchEvent(context, eventId)).rejects.toBe(limited)
    expect(requests).toEqual([])
  })
})

describe('one market', () => {
  test('comes with its whole event', async () => {
    const { context } = venueThat(nothing, venue([money, total]))
    const found = await novig.data.fetchMarket(context, moneyId)
    expect([found?.market.marketId, found?.event?.markets.length]).toEqual([moneyId, 2])
  })

  test('that has left the catalog is read from the GraphQL, with its payout', async () => {
    const paid = [outcome(1, 'Under', { status: 'WIN' }), outcome(2, 'Over', { status: 'LOSS' })]
    const rows = [event(1, [market(1, paid, { status: 'SETTLED' })], { status: 'FINAL' })]
    const { context } = venueThat(() => ({ data: { event: rows } }), venue())
    const found = await novig.data.fetchMarket(context, idOf(1, '2'))
    expect(found?.market).toMatchObject({ status: 'resolved', outcomes: [{ price: 1 }, { price: 0 }] })
  })

  test('that has left the catalog is a fault while the GraphQL does not answer, because it may have ended', async () => {
    const { context } = venueThat(graphqlFails, venue())
    await expect(novig.data.fetchMarket(context, idOf(1, '2'))).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    await expect(novig.data.fetchEvent(context, idOf(9, '1'))).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    // Only the GraphQL failed, so the catalog is still used.
    expect((await novig.data.fetchMarket(context, moneyId))?.market.marketId).toBe(moneyId)
  })

  test('throws the catalog’s fault when neither interface answers', async () => {
    await expect(novig.data.fetchMarket(venueThat(graphqlFails).context, moneyId)).rejects.toMatchObject(unavailable)
  })
})

describe('a book', () => {
  const { fetchOrderBook } = novig.data

  test('has its own bids summed by price, and the other outcome’s bids as asks, in contracts of 1 CASH', async () => {
    const { context } = venueThat(nothing, venue())
    expect(await fetchOrderBook(context, dal)).toMatchObject({
      bids: [
        [380_000, 5_164.09],
        [375_000, 3_500],
      ],
      asks: [[385_000, 485.41]],
      eventTs: null,
    })
    expect(await fetchOrderBook(context, bal)).toMatchObject({
      bids: [[615_000, 485.41]],
      asks: [
        [620_000, 5_164.09],
        [625_000, 3_500],
      ],
    })
  })

  test('reads the list of markets once to find the market of an outcome, and not again for an unknown outcome', async () => {
    const { context, read, requests } = venueThat(nothing, venue())
    await fetchOrderBook(context, dal)
    await fetchOrderBook(context, bal)
    expect(read).toEqual(['/markets', `/markets/${moneyId}/book`, `/markets/${moneyId}/book`])
    expect(await fetchOrderBook(context, idOf(9, '3'))).toBeNull()
    expect(read).toHaveLength(3)
    expect(requests).toHaveLength(1)
  })

  test('is null when the catalog no longer has the market', async () => {
    const { context } = venueThat(nothing, venue([money], { [`/markets/${moneyId}/book`]: notFound }))
    expect(await fetchOrderBook(context, dal)).toBeNull()
  })

  test('accepts a response without an outcome that has no orders', async () => {
    const { context } = venueThat(
      nothing,
      venue([money], { [`/markets/${moneyId}/book`]: ok({ ...book, orders: { [bal]: book.orders[bal] } }) }),
    )
    expect(await fetchOrderBook(context, dal)).toMatchObject({ bids: [], asks: [[385_000, 485.41]] })
  })

  test('with three outcomes has no asks, even if one is left out', async () => {
    const third = { ...money, outcomes: [...money.outcomes, { outcomeId: idOf(3, '3'), name: 'Draw', status: 'TBD' }] }
    const { context } = venueThat(nothing, venue([third]))
    expect(await fetchOrderBook(context, dal)).toMatchObject({ asks: [] })
  })

  test.each([
    ['another market', { ...book, marketId: idOf(7, '2') }],
    ['an outcome of another market', { ...book, orders: { ...book.orders, [idOf(8, '3')]: [] } }],
    ['an invalid price', { ...book, orders: { ...book.orders, [bal]: [{ orderId: 'd', price: '1.2', qty: 5 }] } }],
    ['another format', { ...book, orders: [] }],
  ])('of %s is a fault, and the catalog is still used', async (_, body) => {
    const { context, requests, read } = venueThat(nothing, venue([money], { [`/markets/${moneyId}/book`]: ok(body) }))
    await expect(fetchOrderBook(context, dal)).rejects.toMatchObject(unavailable)
    expect(await fetchOrderBook(context, bal).catch(() => 'fault')).toBe('fault')
    expect([requests.length, read.length]).toEqual([0, 3])
  })
})

describe('fees', () => {
  const feeOf = (row: unknown, eventStatus: string) =>
    novig.data.feeModel({ sourceMetadata: { fee: row, eventStatus } })

  test('a game charges takers only while it is played; settlement is free', () => {
    expect(feeOf(fee, 'OPEN_INGAME')).toEqual({
      fee: { kind: 'polymarket_curve', rate: 0.03, exponent: 1 },
      settlementFee: { kind: 'none' },
    })
    expect(feeOf(fee, 'OPEN_PREGAME').fee).toEqual({ kind: 'none' })
  })

  test('a future with ALWAYS charges before its event', () => {
    const future = { coefficient: '0.06', charged: 'ALWAYS' }
    expect(feeOf(future, 'OPEN_PREGAME').fee).toEqual({ kind: 'polymarket_curve', rate: 0.06, exponent: 1 })
  })

  test.each([
    [undefined, 'OPEN_INGAME'],
    [{ coefficient: 'x', charged: 'ALWAYS' }, 'OPEN_INGAME'],
    [{ coefficient: '0.03' }, 'OPEN_PREGAME'],
    [{ coefficient: '0.03', charged: 'SOMETIMES' }, 'OPEN_PREGAME'],
    // A delay may occur within the game.
    [fee, 'DELAYED'],
  ])('%j with event status %s is unknown', (row, status) => {
    expect(feeOf(row, status).fee.kind).toBe('unknown')
  })
})
