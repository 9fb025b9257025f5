import { describe, expect, test } from 'vitest'
import { kalshi } from '#venues/kalshi/index'
import { countingLost } from '#venues/shared/data/row'
import { ackFrame, deltaFrame, kalshiWorld, okFrame, snapshotFrame } from '../../../../support/kalshiFeed.ts'

const A = 'KXTEST-26-A'
const B = 'KXTEST-26-B'
const C = 'KXTEST-26-C'
const T = 1_790_000_000_000

const commands = (texts: readonly string[]) => texts.map((text) => JSON.parse(text))
const acks = [
  ackFrame('orderbook_delta', 1),
  ackFrame('trade', 2),
  ackFrame('ticker', 3),
  ackFrame('market_lifecycle_v2', 4),
]
const start = [snapshotFrame(1, 1, A, [['0.3000', '12.00']], [['0.6600', '7.00']])]

describe('an unreadable delta', () => {
  const started = [
    ...acks,
    snapshotFrame(1, 1, A, [['0.3000', '12.00']], [['0.6600', '7.00']]),
    snapshotFrame(1, 2, B, [['0.3000', '12.00']], [['0.6600', '7.00']]),
  ]
  const odd = (msg: object, seq: unknown = 3) => ({ type: 'orderbook_delta', sid: 1, seq, msg })

  test('breaks its own book and keeps the others of the subscription in sequence', () => {
    const { receive, events, books } = kalshiWorld([A, B], { yesPrice: true })
    receive(...started, odd({ market_ticker: A, price_dollars: 'odd', delta_fp: '1.00', side: 'yes', ts_ms: T }))
    receive(deltaFrame(1, 4, B, 'yes', '0.3100', '1.00', T + 1))
    expect(events.filter(({ kind }) => kind === 'broken')).toEqual([{ kind: 'broken', id: A, reason: 'unreadable' }])
    expect(books.get(B)?.state).toBe('live')
  })

  test('breaks every book of the subscription at the next number when its own book is unknown', () => {
    const { receive, books } = kalshiWorld([A, B], { yesPrice: true })
    receive(...started, odd({ price_dollars: 'odd' }), deltaFrame(1, 4, B, 'yes', '0.3100', '1.00', T + 1))
    expect([A, B].map((id) => books.get(id)?.state)).toEqual(['stale', 'stale'])
  })
})

describe('commands', () => {
  test('the first subscribe requests books, trades and tickers at once with an explicit price scale, and lifecycles once', () => {
    const { session } = kalshiWorld([A, B], { yesPrice: true, subscribe: false })
    expect(commands(session.subscribe([A, B]))).toEqual([
      {
        id: 1,
        cmd: 'subscribe',
        params: { channels: ['orderbook_delta', 'trade', 'ticker'], market_tickers: [A, B], use_yes_price: true },
      },
      { id: 2, cmd: 'subscribe', params: { channels: ['market_lifecycle_v2'] } },
    ])
    expect(session.subscribe([A])).toEqual([])
  })

  test('subscribes markets before the acknowledgement, and adds later ones to every channel by sid', () => {
    const { session, receive } = kalshiWorld([A, B, C], { yesPrice: true, subscribe: false })
    session.subscribe([A])
    expect(commands(session.subscribe([B]))).toMatchObject([{ cmd: 'subscribe', params: { market_tickers: [B] } }])
    receive(...acks)
    expect(commands(session.subscribe([C]))).toEqual(
      [1, 2, 3].map((sid) => ({
        id: expect.any(Number),
        cmd: 'update_subscription',
        params: { sids: [sid], action: 'add_markets', market_tickers: [C] },
      })),
    )
    expect(commands(session.unsubscribe([A, B])).map(({ params }) => params)).toEqual(
      [1, 2, 3].map((sid) => ({ sids: [sid], action: 'delete_markets', market_tickers: [A, B] })),
    )
    expect(session.unsubscribe([A])).toEqual([])
  })

  test('after a lost acknowledgement learns the sid from the first delta and requests a snapshot on it', () => {
    const { session, receive, view } = kalshiWorld([A, B], { yesPrice: true, subscribe: false })
    session.subscribe([A, B])
    receive({ id: 3, type: 'ok', sid: 8, seq: 1, msg: {} })
    receive(deltaFrame(7, 5, A, 'yes', '0.5000', '10.00', T))
    expect(commands(session.resync(A) ?? [])).toMatchObject([
      { cmd: 'update_subscription', params: { sids: [7], action: 'get_snapshot', market_tickers: [A, B] } },
    ])
    receive(snapshotFrame(7, 6, A, [['0.3000', '12.00']], []))
    expect(view(A)).toMatch(/^live /)
  })

  test('command ids never repeat', () => {
    const { session, receive } = kalshiWorld([A, B], { yesPrice: true, subscribe: false })
    const texts = [...session.subscribe([A])]
    receive(...acks)
    texts.push(...session.subscribe([B]), ...(session.resync(A) ?? []), ...session.unsubscribe([B]))
    const ids = commands(texts).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('books', () => {
  test('the published vector: NO bids become YES asks of the same size', () => {
    const { receive, view } = kalshiWorld([A])
    receive(
      snapshotFrame(
        1,
        1,
        A,
        [
          ['0.3000', '12.00'],
          ['0.3100', '5.50'],
        ],
        [
          ['0.6600', '7.00'],
          ['0.6700', '4.00'],
        ],
      ),
    )
    expect(view(A)).toMatch(
      /^live \{"bids":\[\{"price":0\.31,"size":5\.5\},\{"price":0\.3,"size":12\}\],"asks":\[\{"price":0\.33,"size":4\},\{"price":0\.34,"size":7\}\]/,
    )
  })

  test('both scales of the NO side give the same book', () => {
    const own = kalshiWorld([A], { yesPrice: false })
    const yes = kalshiWorld([A], { yesPrice: true })
    own.receive(...start, deltaFrame(1, 2, A, 'no', '0.6500', '3.00', T))
    yes.receive(
      snapshotFrame(1, 1, A, [['0.3000', '12.00']], [['0.3400', '7.00']]),
      deltaFrame(1, 2, A, 'no', '0.3500', '3.00', T),
    )
    expect(yes.view(A)).toBe(own.view(A))
  })

  test('the first two-sided snapshot reveals that the venue ignores the scale flag', () => {
    const wrong = kalshiWorld([A, B], { yesPrice: true })
    const configured = kalshiWorld([A, B], { yesPrice: false })
    const wide = snapshotFrame(
      1,
      1,
      A,
      [
        ['0.0100', '5.00'],
        ['0.3000', '12.00'],
      ],
      [
        ['0.0200', '9.00'],
        ['0.6600', '7.00'],
      ],
    )
    const after = [deltaFrame(1, 2, A, 'no', '0.6500', '3.00', T), snapshotFrame(1, 3, B, [], [['0.9000', '1.00']])]
    wrong.receive(wide, ...after)
    configured.receive(wide, ...after)
    expect(wrong.view(A)).toBe(configured.view(A))
    expect(wrong.view(B)).toBe(configured.view(B))
  })

  test('removes a level whose size reaches 0; sizes may be fractions', () => {
    const { receive, view } = kalshiWorld([A])
    receive(
      ...start,
      deltaFrame(1, 2, A, 'yes', '0.2900', '0.32', T),
      deltaFrame(1, 3, A, 'yes', '0.3000', '-12.00', T + 1),
    )
    expect(view(A)).toContain('"bids":[{"price":0.29,"size":0.32}]')
  })

  test('a snapshot without sides gives a live empty book', () => {
    const { receive, view } = kalshiWorld([A])
    receive(...start, snapshotFrame(1, 2, A, [], []))
    expect(view(A)).toMatch(/^live \{"bids":\[\],"asks":\[\]/)
  })

  test('one sid per market and one sid for many markets work alike', () => {
    const one = kalshiWorld([A, B])
    one.receive(
      snapshotFrame(1, 1, A, [['0.3000', '1.00']], []),
      okFrame(1, 2),
      snapshotFrame(1, 3, B, [['0.4000', '1.00']], []),
      deltaFrame(1, 4, A, 'yes', '0.3000', '1.00', T),
      deltaFrame(1, 5, B, 'yes', '0.4000', '1.00', T),
    )
    const two = kalshiWorld([A, B])
    two.receive(
      snapshotFrame(7, 1, A, [['0.3000', '1.00']], []),
      snapshotFrame(8, 1, B, [['0.4000', '1.00']], []),
      deltaFrame(7, 2, A, 'yes', '0.3000', '1.00', T),
      deltaFrame(8, 2, B, 'yes', '0.4000', '1.00', T),
    )
    for (const ticker of [A, B])
      expect(two.view(ticker).replace(/\d{13}/, '')).toBe(one.view(ticker).replace(/\d{13}/, ''))
    expect(one.broken).toEqual({})
    expect(two.broken).toEqual({})
  })

  test('frames of unsubscribed markets only advance the sequence', () => {
    const { receive, broken, books } = kalshiWorld([A])
    receive(...start, deltaFrame(1, 2, B, 'yes', '0.1000', '1.00', T), deltaFrame(1, 3, A, 'yes', '0.3000', '1.00', T))
    expect(broken).toEqual({})
    expect(books.get(A)?.commits).toBe(2)
  })
})

describe('matches split into several deltas', () => {
  test('publishes the end of a match, but not its crossed intermediate state', () => {
    const { receive, view, books, broken } = kalshiWorld([A])
    receive(...start)
    const commits = books.get(A)?.commits
    // A buyer of 10 at 0.35 takes the 7 at 0.34 and rests with 3.
    receive(deltaFrame(1, 2, A, 'yes', '0.3500', '10.00', T))
    expect(books.get(A)?.commits).toBe(commits)
    receive(deltaFrame(1, 3, A, 'yes', '0.3500', '-7.00', T), deltaFrame(1, 4, A, 'no', '0.6600', '-7.00', T))
    expect(view(A)).toMatch(/^live \{"bids":\[\{"price":0\.35,"size":3\},\{"price":0\.3,"size":12\}\],"asks":\[\]/)
    expect(broken).toEqual({})
  })

  test('a book that is still crossed at a later timestamp is broken before anything else is published', () => {
    const { receive, events, books } = kalshiWorld([A])
    receive(...start, deltaFrame(1, 2, A, 'yes', '0.3500', '10.00', T))
    const commits = books.get(A)?.commits
    receive(deltaFrame(1, 3, A, 'yes', '0.2900', '1.00', T + 1))
    expect(events).toContainEqual({ kind: 'broken', id: A, reason: 'crossed' })
    expect(books.get(A)?.commits).toBe(commits)
  })

  test('a crossed snapshot is not published', () => {
    const { receive, broken, books } = kalshiWorld([A])
    receive(
      snapshotFrame(1, 1, A, [['0.3000', '1.00']], []),
      snapshotFrame(1, 2, A, [['0.5000', '1.00']], [['0.5000', '1.00']]),
    )
    expect(broken).toEqual({ crossed: 1 })
    expect(books.get(A)?.commits).toBe(1)
  })
})

describe('sequence', () => {
  test('a gap breaks every book of its sid and no other, and nothing is applied until each has its snapshot', () => {
    const { receive, events, books, session, view } = kalshiWorld([A, B, C])
    receive(
      ackFrame('orderbook_delta', 1),
      snapshotFrame(1, 1, A, [['0.3000', '1.00']], []),
      snapshotFrame(1, 2, B, [['0.4000', '1.00']], []),
      snapshotFrame(5, 1, C, [['0.5000', '1.00']], []),
      deltaFrame(1, 4, A, 'yes', '0.3000', '1.00', T),
    )
    expect(events.filter(({ kind }) => kind === 'broken')).toEqual([
      { kind: 'broken', id: A, reason: 'gap' },
      { kind: 'broken', id: B, reason: 'gap' },
    ])
    expect(commands(session.resync(A) ?? [])).toEqual([
      {
        id: expect.any(Number),
        cmd: 'update_subscription',
        params: { sids: [1], action: 'get_snapshot', market_tickers: [A, B] },
      },
    ])
    // The same request covers the sibling; a second call sends a new request.
    expect(session.resync(B)).toEqual([])
    expect(commands(session.resync(B) ?? [])).toHaveLength(1)
    receive(deltaFrame(1, 5, A, 'yes', '0.3000', '1.00', T), deltaFrame(1, 6, B, 'yes', '0.4000', '1.00', T))
    receive(snapshotFrame(1, 7, A, [['0.3100', '1.00']], []), deltaFrame(1, 8, B, 'yes', '0.4000', '1.00', T))
    expect(view(A)).toContain('live {"bids":[{"price":0.31,')
    expect(view(B)).toMatch(/^stale/)
    receive(snapshotFrame(1, 9, B, [['0.4100', '1.00']], []), deltaFrame(1, 10, B, 'yes', '0.4100', '1.00', T))
    expect(view(B)).toContain('live {"bids":[{"price":0.41,"size":2}')
    expect(books.get(C)?.state).toBe('live')
  })

  test('a snapshot after a gap restores its own book and breaks the others', () => {
    const { receive, view } = kalshiWorld([A, B])
    receive(
      snapshotFrame(1, 1, A, [['0.3000', '1.00']], []),
      snapshotFrame(1, 2, B, [['0.4000', '1.00']], []),
      snapshotFrame(1, 5, A, [['0.3200', '1.00']], []),
      deltaFrame(1, 6, A, 'yes', '0.3200', '1.00', T),
    )
    expect(view(A)).toContain('live {"bids":[{"price":0.32,"size":2}')
    expect(view(B)).toMatch(/^stale/)
  })

  test('a snapshot older than the last frame is ignored, even while waiting for one', () => {
    const { receive, view, session } = kalshiWorld([A])
    receive(...start, deltaFrame(1, 2, A, 'yes', '0.3000', '1.00', T), deltaFrame(1, 5, A, 'yes', '0.3000', '1.00', T))
    receive(snapshotFrame(1, 3, A, [['0.1000', '1.00']], []))
    expect(view(A)).toMatch(/^stale/)
    expect(session.counts.duplicates).toBe(1)
  })

  test('accepts a get_snapshot answer that repeats the current sequence number', () => {
    const { receive, view } = kalshiWorld([A])
    receive(...start, deltaFrame(1, 2, A, 'yes', '0.3000', '-50.00', T))
    expect(view(A)).toMatch(/^stale/)
    receive(snapshotFrame(1, 2, A, [['0.3100', '1.00']], []), deltaFrame(1, 3, A, 'yes', '0.3100', '1.00', T))
    expect(view(A)).toContain('live {"bids":[{"price":0.31,"size":2}')
  })

  test('confirms healthy books with one request, and accepts its answers even if they repeat a sequence number', () => {
    const { session, receive, books } = kalshiWorld([A, B, C])
    receive(
      ackFrame('orderbook_delta', 1),
      snapshotFrame(1, 1, A, [['0.3000', '1.00']], []),
      snapshotFrame(1, 2, B, [['0.4000', '1.00']], []),
    )
    expect([A, B, C].map((ticker) => session.feeds(ticker))).toEqual([true, true, false])
    // A book that still waits for its first snapshot is not confirmed.
    expect(commands(session.confirm([A, B, C]))).toEqual([
      {
        id: expect.any(Number),
        cmd: 'update_subscription',
        params: { sids: [1], action: 'get_snapshot', market_tickers: [A, B] },
      },
    ])
    const before = [A, B].map((ticker) => books.get(ticker)!.commits)
    receive(snapshotFrame(1, 2, A, [['0.3000', '1.00']], []), snapshotFrame(1, 3, B, [['0.4000', '1.00']], []))
    expect([A, B].map((ticker) => books.get(ticker)!.commits)).toEqual(before.map((commits) => commits + 1))
    // Without a request, a repeated number is a duplicate.
    receive(snapshotFrame(1, 3, A, [['0.9000', '1.00']], []))
    expect(books.get(A)!.commits).toBe(before[0]! + 1)
  })

  test('a level below zero breaks its book', () => {
    const { receive, events } = kalshiWorld([A])
    receive(...start, deltaFrame(1, 2, A, 'yes', '0.3000', '-12.01', T))
    expect(events).toContainEqual({ kind: 'broken', id: A, reason: 'negative' })
  })

  test('a book marked stale from outside takes no delta before its snapshot; a resync of a healthy book loses none', () => {
    const { receive, view, session, books } = kalshiWorld([A])
    receive(ackFrame('orderbook_delta', 1), ...start)
    session.resync(A)
    receive(deltaFrame(1, 2, A, 'yes', '0.3000', '1.00', T))
    expect(view(A)).toContain('"size":13')
    books.get(A)?.markStale('silence')
    receive(deltaFrame(1, 3, A, 'yes', '0.3000', '1.00', T))
    session.resync(A)
    receive(snapshotFrame(1, 4, A, [['0.3000', '20.00']], []), deltaFrame(1, 5, A, 'yes', '0.3000', '1.00', T))
    expect(view(A)).toContain('live {"bids":[{"price":0.3,"size":21}')
  })
})

describe('the venue’s own best prices', () => {
  const ticker = (tsMs: number, bid: string, ask: string) => ({
    type: 'ticker',
    sid: 3,
    msg: {
      market_ticker: A,
      market_id: 'x',
      price_dollars: '0.3200',
      yes_bid_dollars: bid,
      yes_ask_dollars: ask,
      ts_ms: tsMs,
    },
  })
  /** A delta, a ticker strictly later, and a delta strictly later than that. */
  const round = (seq: number, tsMs: number, bid: string, ask: string) => [
    deltaFrame(1, seq, A, 'yes', '0.2000', '1.00', tsMs),
    ticker(tsMs + 10, bid, ask),
    deltaFrame(1, seq + 1, A, 'yes', '0.2000', '1.00', tsMs + 20),
  ]

  test('two mismatches in a row break the book', () => {
    const { receive, events } = kalshiWorld([A])
    receive(...start, ...round(2, T, '0.3000', '0.3400'), ...round(4, T + 100, '0.3100', '0.3400'))
    expect(events.filter(({ kind }) => kind === 'broken')).toEqual([])
    receive(...round(6, T + 200, '0.3100', '0.3400'))
    expect(events).toContainEqual({ kind: 'broken', id: A, reason: 'best_mismatch' })
  })

  test('a ticker that may be older or newer than the book proves nothing', () => {
    const { receive, broken } = kalshiWorld([A])
    receive(...start)
    for (let i = 0; i < 4; i++) {
      const at = T + i * 100
      receive(
        deltaFrame(1, 2 + 2 * i, A, 'yes', '0.2000', '1.00', at),
        ticker(at, '0.1000', '0.9000'),
        ticker(at + 5, '0.1000', '0.9000'),
        deltaFrame(1, 3 + 2 * i, A, 'yes', '0.2000', '1.00', at + 5),
      )
    }
    expect(broken).toEqual({})
  })

  test('0 and 1 mean an empty side', () => {
    const { receive, broken } = kalshiWorld([A])
    receive(snapshotFrame(1, 1, A, [['0.3000', '12.00']], []))
    for (let i = 0; i < 3; i++) receive(...round(2 + 2 * i, T + i * 100, '0.3000', '1.0000'))
    expect(broken).toEqual({})
  })

  test('the last price of a ticker becomes the last trade', () => {
    const { receive, events } = kalshiWorld([A])
    receive(ticker(T, '0.3000', '0.3400'))
    expect(events).toContainEqual({ kind: 'lastTrade', id: A, value: 320_000 })
  })
})

describe('trades', () => {
  const trade = (msg: object) => ({
    type: 'trade',
    sid: 2,
    seq: 48,
    msg: {
      trade_id: 't-1',
      market_ticker: A,
      yes_price_dollars: '0.3800',
      no_price_dollars: '0.6200',
      count_fp: '12.61',
      ...msg,
    },
  })

  test('lose an optional field of an unexpected type, and nothing else', () => {
    const { receive, events } = kalshiWorld([A])
    const lost: string[] = []
    countingLost({ lostField: (field) => lost.push(field) }, () =>
      receive(
        trade({ taker_side: 7, taker_outcome_side: 'no', taker_book_side: ['ask'], ts: 1_790_000_000, ts_ms: '7' }),
      ),
    )
    expect(events.map(({ kind }) => kind)).toEqual(['lastTrade', 'trade'])
    expect(events[1]?.value).toMatchObject({ data: { id: 't-1', type: 'Sell', timestamp: T, shares: 12.61 } })
    expect(lost.sort()).toEqual(['taker_book_side', 'taker_side', 'ts_ms'])
  })

  test('are converted to YES: the taker of NO sells YES', () => {
    const { receive, events } = kalshiWorld([A])
    receive(
      trade({ taker_side: 'yes', taker_outcome_side: 'no', taker_book_side: 'ask', ts: 1_790_000_000, ts_ms: T + 7 }),
    )
    expect(events.map(({ kind }) => kind)).toEqual(['lastTrade', 'trade'])
    expect(events[1]?.value).toEqual({
      venue: 'kalshi',
      marketId: A,
      outcomeId: A,
      recvTs: expect.any(Number),
      data: {
        id: 't-1',
        time: '2026-09-21T14:13:20.007Z',
        timestamp: T + 7,
        type: 'Sell',
        usd: expect.closeTo(4.7918, 9),
        outcome: 'Yes',
        outcomeIndex: 0,
        shares: 12.61,
        price: 0.38,
        maker: null,
        transactionHash: null,
        wallet: null,
        counterparty: null,
      },
    })
  })

  test.each([
    [{ taker_side: 'no' }, 'Sell'],
    [{ taker_side: 'yes' }, 'Buy'],
    [{ taker_book_side: 'bid', taker_side: 'no' }, 'Buy'],
    [{ taker_side: 'maybe' }, 'Unknown'],
    [{}, 'Unknown'],
  ])('the direction of %j is %s, taken from the newest field', (fields, type) => {
    const { receive, events } = kalshiWorld([A])
    receive(trade({ ...fields, ts: 1_790_000_000 }))
    expect(events[1]?.value).toMatchObject({ data: { type, timestamp: T } })
  })

  test('gaps in their sequence numbers are ignored', () => {
    const { receive, broken } = kalshiWorld([A])
    receive(...acks, ...start, trade({ ts: 1_790_000_000, taker_side: 'yes' }), okFrame(2, 99))
    expect(broken).toEqual({})
  })
})

describe('refusals', () => {
  test('one unknown market does not affect the others of the same subscribe', () => {
    const { receive, events, session } = kalshiWorld([A, B, C], { yesPrice: true, subscribe: false })
    session.subscribe([A, B, C])
    for (let channel = 0; channel < 3; channel++)
      receive({ id: 1, type: 'error', msg: { code: 16, msg: 'Market not found', market_ticker: B } })
    expect(events).toEqual([{ kind: 'refused', id: B, reason: 'Market not found' }])
    expect(commands(session.resync(A) ?? [])).toMatchObject([{ cmd: 'subscribe', params: { market_tickers: [A, C] } }])
    expect(session.resync(C)).toEqual([])
  })

  test('a market that failed with a later one is added again instead of requesting a snapshot without updates', () => {
    const { receive, session } = kalshiWorld([A, B, C], { yesPrice: true, subscribe: false })
    session.subscribe([A])
    receive(...acks, ...start)
    const [add] = session.subscribe([B, C])
    receive({ id: JSON.parse(add as string).id, type: 'error', msg: { code: 16, market_ticker: C } })
    expect(commands(session.resync(B) ?? []).map(({ params }) => params.action)).toEqual(Array(3).fill('add_markets'))
  })

  test('when the venue does not name the unknown market, each is subscribed alone and the unknown one is found', () => {
    const { receive, events, session } = kalshiWorld([A, B], { yesPrice: true, subscribe: false })
    session.subscribe([A, B])
    receive({ id: 1, type: 'error', msg: { code: 16 } })
    const alone = [A, B].map((ticker) => commands(session.resync(ticker) ?? [])[0])
    expect(alone.map(({ params }) => params.market_tickers)).toEqual([[A], [B]])
    receive({ id: alone[1].id, type: 'error', msg: { code: 16, msg: 'no' } })
    expect(events).toContainEqual({ kind: 'refused', id: B, reason: 'no' })
    expect(events).not.toContainEqual(expect.objectContaining({ kind: 'refused', id: A }))
  })

  test('an unknown market is refused, either by an empty market_id or by error 16', () => {
    const { receive, events, session } = kalshiWorld([A, B], { yesPrice: true, subscribe: false })
    session.subscribe([A])
    session.subscribe([B])
    receive({ type: 'orderbook_snapshot', sid: 1, seq: 1, msg: { market_ticker: A, market_id: '' } })
    // The subscribe of B was command 3 and contained only B.
    receive({ id: 3, type: 'error', msg: { code: 16, msg: 'Market not found' } })
    expect(events.filter(({ kind }) => kind === 'refused').map(({ id }) => id)).toEqual([A, B])
  })

  test.each([
    [9, 'auth'],
    [25, 'overflow'],
    [17, 'error 17: x'],
  ])('error %i ends the connection', (code, reason) => {
    const { receive, events } = kalshiWorld([A])
    receive({ id: 1, type: 'error', msg: { code, msg: 'x' } })
    expect(events).toEqual([{ kind: 'failed', reason }])
  })

  test('error 6 and an error to a delete change nothing', () => {
    const { receive, events, session } = kalshiWorld([A])
    receive(...acks, { id: 1, type: 'error', msg: { code: 6, msg: 'Already subscribed' } })
    const [text] = session.unsubscribe([A])
    receive({ id: JSON.parse(text as string).id, type: 'error', msg: { code: 16, msg: 'x' } })
    receive({ id: JSON.parse(text as string).id, type: 'error', msg: { code: 7, msg: 'x' } })
    expect(events.filter(({ kind }) => kind !== 'malformed')).toEqual([])
  })
})

describe('lifecycle', () => {
  const event = (msg: object) => ({ type: 'market_lifecycle_v2', sid: 4, msg: { market_ticker: A, ...msg } })
  test.each([
    ['created', 'inactive'],
    ['activated', 'active'],
    ['deactivated', 'inactive'],
    ['determined', 'closed'],
    ['settled', 'resolved'],
  ])('%s is %s', (event_type, status) => {
    const { receive, events } = kalshiWorld([A])
    receive(event({ event_type }))
    expect(events).toEqual([{ kind: 'marketStatus', id: A, value: status }])
  })

  test('a close date in the past means closed', () => {
    const { receive, events } = kalshiWorld([A])
    receive(event({ event_type: 'close_date_updated', close_ts: 1 }))
    expect(events).toEqual([{ kind: 'marketStatus', id: A, value: 'closed' }])
  })

  test('a new price structure changes the tick size; other events and structures are ignored', () => {
    const { receive, events } = kalshiWorld([A])
    receive(
      event({ event_type: 'price_level_structure_updated', price_level_structure: 'deci_cent' }),
      event({ event_type: 'price_level_structure_updated', price_level_structure: 'unknown structure' }),
      event({ event_type: 'close_date_updated', close_ts: 9_999_999_999 }),
      event({ event_type: 'unknown event' }),
      event({ event_type: 'constructor' }),
    )
    expect(events).toEqual([{ kind: 'tickSize', id: A, value: 1_000 }])
  })
})

test('only market data counts as a sign of life', () => {
  const { session } = kalshiWorld([A])
  const receive = (frame: unknown) => session.receive(Buffer.from(JSON.stringify(frame)), T)
  for (const frame of [
    ...acks,
    okFrame(1, 1),
    { type: 'error', msg: { code: 6 } },
    { type: 'surprise' },
    'garbage',
    null,
  ])
    expect(receive(frame)).toBe(false)
  for (const frame of [snapshotFrame(9, 1, A, [], []), deltaFrame(9, 2, B, 'yes', '0.1000', '1.00', T)])
    expect(receive(frame)).toBe(true)
})

test('the stream is unavailable without a key: connect returns null', () => {
  const context = { urls: kalshi.urls, credentials: null } as unknown as Parameters<
    typeof kalshi.data.stream.connect
  >[0]
  expect(kalshi.data.stream.connect(context)).toBeNull()
})
