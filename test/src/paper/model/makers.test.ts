import { expect, it } from 'vitest'
import { OutcomeMatcher } from '#paper/model/index'
import { tradeAgeMaxMs } from '#paper/model/outcomeMatcher'
import { pairingMs } from '#paper/model/queuePosition'
import { bookAt, instant, orderOf, shown, tradeAt } from './book.ts'

const asks = [[60, 50]] as const

/** Order `a` of 10 contracts at 40 rests behind 100 since 1,000. */
function resting(cancelShareAhead = 0.5) {
  const matcher = new OutcomeMatcher({ ...instant, cancelShareAhead })
  const book = (at: number, size: number) => matcher.onBook(bookAt(at, size === 0 ? [] : [[40, size]], asks))
  book(1_000, 100)
  matcher.submit(orderOf('a', 'buy', 40, 10), 1_000)
  matcher.advance(1_000)
  expect(shown(matcher.drain())).toEqual(['accepted a behind 100'])
  return { matcher, book }
}

it('fills with the part of trades that reaches it', () => {
  const { matcher, book } = resting()
  matcher.onTrade(tradeAt(1_010, 40, 70, 'sell'))
  book(1_010, 30)
  expect(matcher.drain()).toEqual([])
  matcher.onTrade(tradeAt(1_020, 40, 34, 'sell'))
  matcher.onTrade(tradeAt(1_030, 40, 50, 'sell'))
  expect(
    matcher.drain().map((event) => (event.kind === 'fill' ? [event.size / 1e6, event.evidence] : event.kind)),
  ).toEqual([[4, { bookSeq: 1_010, tradeIds: ['t1020'] }], [6, { bookSeq: 1_010, tradeIds: ['t1030'] }], 'closed'])
})

it.each(['trade first', 'book first'])('counts a trade once: %s', (order) => {
  const { matcher, book } = resting()
  for (let n = 0; n < 9; n++) {
    const at = 1_010 + n * 10
    const trade = () => matcher.onTrade(tradeAt(at, 40, 11, 'sell'))
    if (order === 'trade first') trade()
    book(at, 100 - (n + 1) * 11)
    if (order === 'book first') trade()
  }
  book(10_000, 1)
  expect(matcher.drain()).toEqual([])
  matcher.onTrade(tradeAt(10_001, 40, 2, 'sell'))
  expect(shown(matcher.drain())).toEqual(['fill a maker 1 at 40'])
})

it.each([
  [0, 100],
  [0.25, 90],
  [0.5, 80],
  [1, 60],
])('takes the share %f of cancels from ahead when as much is ahead as behind', (share, ahead) => {
  const { matcher, book } = resting(share)
  book(1_010, 200)
  book(1_020, 160)
  const at = 1_020 + pairingMs + 1
  matcher.onTrade(tradeAt(at, 40, ahead, 'sell'))
  expect(matcher.drain()).toEqual([])
  matcher.onTrade(tradeAt(at, 40, 3, 'sell', 'next'))
  expect(shown(matcher.drain())).toEqual(['fill a maker 3 at 40'])
})

it('takes more of a cancel from ahead the more of the level is ahead', () => {
  for (const [level, ahead] of [
    [100, 60],
    [400, 90],
  ] as const) {
    const { matcher, book } = resting(0.5)
    book(1_010, level)
    book(1_020, level - 40)
    matcher.onTrade(tradeAt(2_000, 40, ahead + 1, 'sell'))
    expect(shown(matcher.drain())).toEqual(['fill a maker 1 at 40'])
  }
})

it('never has more ahead than the level holds', () => {
  const { matcher, book } = resting(0)
  book(1_010, 25)
  book(1_020, 200)
  const at = 1_020 + pairingMs + 1
  matcher.onTrade(tradeAt(at, 40, 27, 'sell'))
  expect(shown(matcher.drain())).toEqual(['fill a maker 2 at 40'])
})

it('leaves additions behind it', () => {
  const { matcher, book } = resting()
  book(1_010, 500)
  matcher.onTrade(tradeAt(1_020, 40, 101, 'sell'))
  expect(shown(matcher.drain())).toEqual(['fill a maker 1 at 40'])
})

it('fills by trades through its price, up to their size', () => {
  const { matcher } = resting()
  matcher.onTrade(tradeAt(1_010, 39, 4, 'sell'))
  matcher.onTrade(tradeAt(1_011, 39, 40, null))
  expect(shown(matcher.drain())).toEqual(['fill a maker 4 at 40', 'fill a maker 6 at 40', 'closed a filled'])
})

it('ignores trades of takers on its own side, and trades above its price', () => {
  const { matcher } = resting()
  matcher.onTrade(tradeAt(1_010, 39, 500, 'buy'))
  matcher.onTrade(tradeAt(1_011, 41, 500, 'sell'))
  expect(matcher.drain()).toEqual([])
})

it('ignores trades of before it rested, which the book it joined already includes', () => {
  const { matcher } = resting()
  matcher.onTrade(tradeAt(999, 40, 500, 'sell'))
  matcher.onTrade(tradeAt(1_005, 40, 100, 'sell'))
  expect(matcher.drain()).toEqual([])
  matcher.onTrade(tradeAt(1_006, 40, 1, 'sell'))
  expect(shown(matcher.drain())).toEqual(['fill a maker 1 at 40'])
})

it('fills at its limit when the book crosses its price, with the size that is new within it', () => {
  const { matcher } = resting()
  const ask = (at: number, price: number, size: number) => matcher.onBook(bookAt(at, [[38, 5]], [[price, size]]))
  ask(1_010, 40, 3)
  ask(1_020, 40, 3)
  expect(shown(matcher.drain())).toEqual(['fill a maker 3 at 40'])
  ask(1_030, 39, 5)
  ask(1_040, 45, 5)
  expect(shown(matcher.drain())).toEqual(['fill a maker 2 at 40'])
  ask(1_050, 40, 9)
  expect(shown(matcher.drain())).toEqual(['fill a maker 5 at 40', 'closed a filled'])
})

it('shares a trade and a crossing level between paper orders: by price, then by time', () => {
  const { matcher } = resting()
  for (const [id, price] of [
    ['b', 41],
    ['c', 41],
  ] as const)
    matcher.submit(orderOf(id, 'buy', price, 10), 1_001)
  matcher.advance(1_001)
  matcher.drain()
  matcher.onTrade(tradeAt(1_010, 41, 13, 'sell'))
  expect(shown(matcher.drain())).toEqual(['fill b maker 10 at 41', 'closed b filled', 'fill c maker 3 at 41'])
  matcher.onBook(bookAt(1_020, [[30, 1]], [[40, 9]]))
  expect(shown(matcher.drain())).toEqual(['fill c maker 7 at 41', 'closed c filled', 'fill a maker 2 at 40'])
})

it('fills sell orders by buying takers', () => {
  const matcher = new OutcomeMatcher(instant)
  matcher.onBook(bookAt(1_000, [[40, 5]], [[60, 50]]))
  matcher.submit(orderOf('s', 'sell', 60, 10), 1_000)
  matcher.onTrade(tradeAt(1_010, 60, 50, 'buy'))
  matcher.onTrade(tradeAt(1_020, 61, 4, 'buy'))
  matcher.onBook(bookAt(1_030, [[60, 1]], []))
  expect(shown(matcher.drain())).toEqual(['accepted s behind 50', 'fill s maker 4 at 60', 'fill s maker 1 at 60'])
})

it('fills nothing during a gap and is at the end of its level afterwards', () => {
  const { matcher, book } = resting()
  matcher.onTrade(tradeAt(1_010, 40, 90, 'sell'))
  matcher.onBook(bookAt(1_020, [], [[40, 500]], { isLive: false }))
  matcher.onTrade(tradeAt(1_030, 40, 500, 'sell'))
  book(1_040, 70)
  matcher.onTrade(tradeAt(1_035, 40, 500, 'sell'))
  expect(matcher.drain()).toEqual([])
  matcher.onTrade(tradeAt(1_050, 40, 70, 'sell'))
  expect(matcher.drain()).toEqual([])
  matcher.onTrade(tradeAt(1_060, 40, 10, 'sell'))
  expect(shown(matcher.drain())).toEqual(['fill a maker 10 at 40', 'closed a filled'])
})

it('restores a working order at the end of its level, with or without a book', () => {
  for (const isEarly of [true, false]) {
    const matcher = new OutcomeMatcher(instant)
    if (!isEarly) matcher.onBook(bookAt(1_000, [[40, 20]], asks))
    matcher.restore({ ...orderOf('r', 'buy', 40, 10), filled: 8_000_000 }, 1_000)
    if (isEarly) matcher.onBook(bookAt(1_000, [[40, 20]], asks))
    matcher.onTrade(tradeAt(1_010, 40, 20, 'sell'))
    expect(matcher.drain()).toEqual([])
    matcher.onTrade(tradeAt(1_020, 40, 9, 'sell'))
    expect(shown(matcher.drain())).toEqual(['fill r maker 2 at 40', 'closed r filled'])
  }
})

it.each([
  ['is restored', 1_000],
  ['sees its first book', 900],
])('does not fill a restored order against what the book shows when it %s', (_when, bookFirstAt) => {
  const matcher = new OutcomeMatcher(instant)
  const ask = (at: number, size: number) => matcher.onBook(bookAt(at, [], [[40, size]]))
  if (bookFirstAt < 1_000) matcher.restore({ ...orderOf('r', 'buy', 40, 10), filled: 3_000_000 }, 800)
  ask(bookFirstAt, 3)
  if (bookFirstAt === 1_000) matcher.restore({ ...orderOf('r', 'buy', 40, 10), filled: 3_000_000 }, 1_000)
  ask(1_010, 3)
  expect(matcher.drain()).toEqual([])
  ask(1_020, 5)
  expect(shown(matcher.drain())).toEqual(['fill r maker 2 at 40'])
  ask(1_030, 0)
  ask(1_040, 1)
  expect(shown(matcher.drain())).toEqual(['fill r maker 1 at 40'])
})

it('fills by the time at which a trade happened, not at which it became known', () => {
  const { matcher } = resting()
  const late = (at: number, receivedAt: number, size: number) =>
    matcher.onTrade({ ...tradeAt(at, 39, size, 'sell'), receivedAt })
  late(999, 1_500, 500)
  expect(matcher.drain()).toEqual([])
  late(1_400, 1_500, 2)
  expect(matcher.drain()).toMatchObject([{ kind: 'fill', size: 2_000_000, at: 1_500 }])
})

it('does not fill an order that arrived between a trade and its report', () => {
  const { matcher } = resting()
  matcher.submit(orderOf('b', 'buy', 41, 5), 1_200)
  matcher.onTrade({ ...tradeAt(1_100, 39, 500, 'sell'), receivedAt: 1_500 })
  expect(shown(matcher.drain())).toEqual(['accepted b behind 0', 'fill a maker 10 at 40', 'closed a filled'])
})

it('does not count a trade that became known too late', () => {
  const { matcher } = resting()
  const trade = (at: number, receivedAt: number) =>
    matcher.onTrade({ ...tradeAt(at, 39, 3, 'sell', `t${receivedAt}`), receivedAt })
  trade(1_000, 1_001 + tradeAgeMaxMs)
  expect(matcher.drain()).toEqual([])
  trade(1_001, 1_001 + tradeAgeMaxMs)
  expect(shown(matcher.drain())).toEqual(['fill a maker 3 at 40'])
})

it('takes a trade of a clock that is ahead as of now', () => {
  const { matcher } = resting()
  matcher.onTrade({ ...tradeAt(9_000, 39, 3, 'sell'), receivedAt: 1_100 })
  expect(matcher.drain()).toMatchObject([{ kind: 'fill', at: 1_100 }])
})
