// What holds for every history of books, trades and orders.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  OutcomeMatcher,
  type PaperBook,
  type PaperEvent,
  type PaperOrderRequest,
  type PaperTrade,
} from '#paper/model/index'
import { pairingMs } from '#paper/model/queuePosition'
import { casesOf } from '#test/support/shortRuns'
import { bookAt, instant, orderOf, tradeAt } from './book.ts'

type Step =
  | { kind: 'book'; book: PaperBook }
  | { kind: 'trade'; trade: PaperTrade }
  | { kind: 'submit' | 'restore'; order: PaperOrderRequest; at: number }
  | { kind: 'cancel'; id: string; at: number }
  | { kind: 'advance'; at: number }

type Fill = Extract<PaperEvent, { kind: 'fill' }>

const settings = { latencyMedianMs: 20, latencySigma: 0.8, cancelShareAhead: 0.4, seed: 'properties' }

const side = fc.constantFrom('buy' as const, 'sell' as const)
/** Narrow ranges, so that orders meet books and each other. */
const price = fc.integer({ min: 45, max: 55 })
const size = fc.integer({ min: 1, max: 30 })
const levels = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 5 }), size), {
  selector: ([away]) => away,
  maxLength: 4,
})

const draft = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('book' as const), middle: price, bids: levels, asks: levels }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('gap' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('trade' as const),
      price,
      size,
      taker: fc.constantFrom('buy' as const, 'sell' as const, null),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('submit' as const, 'submit' as const, 'submit' as const, 'restore' as const),
      side,
      price,
      size,
      timeInForce: fc.constantFrom(...(['GTC', 'GTC', 'GTD', 'FOK', 'IOC'] as const)),
      expiresIn: fc.option(fc.integer({ min: 0, max: 300 })),
      postOnly: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), order: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('advance' as const) }) },
)

type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never

function stepsOf(drafts: readonly [wait: number, draft: Draft][]): Step[] {
  let at = 1_000
  let orders = 0
  return drafts.map(([wait, row], n): Step => {
    at += wait
    if (row.kind === 'advance') return { kind: 'advance', at }
    if (row.kind === 'cancel') return { kind: 'cancel', id: `o${row.order}`, at }
    if (row.kind === 'gap') return { kind: 'book', book: bookAt(at, [[50, 9]], [[50, 9]], { seq: n, isLive: false }) }
    if (row.kind === 'trade') return { kind: 'trade', trade: tradeAt(at, row.price, row.size, row.taker, `t${n}`) }
    if (row.kind === 'book') {
      const { middle } = row
      const place = (away: readonly [number, number][], sign: number) =>
        [...away].sort(([a], [b]) => a - b).map(([far, each]) => [middle + sign * (far + 1), each] as const)
      return { kind: 'book', book: bookAt(at, place(row.bids, -1), place(row.asks, 1), { seq: n }) }
    }
    const { kind, side, price, size, timeInForce, expiresIn, postOnly } = row
    const expiresAt = expiresIn === null ? null : at + expiresIn
    return { kind, order: orderOf(`o${orders++}`, side, price, size, { timeInForce, postOnly, expiresAt }), at }
  })
}

const history = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), draft), { minLength: 5, maxLength: 60 }).map(stepsOf)

function apply(matcher: OutcomeMatcher, step: Step): void {
  if (step.kind === 'book') matcher.onBook(step.book)
  else if (step.kind === 'trade') matcher.onTrade(step.trade)
  else if (step.kind === 'submit') matcher.submit(step.order, step.at)
  else if (step.kind === 'restore') matcher.restore({ ...step.order, filled: 0 }, step.at)
  else if (step.kind === 'cancel') matcher.cancel(step.id, step.at)
  else matcher.advance(step.at)
}

/** The events of each step, and of the end. */
function play(steps: readonly Step[], isDrainedEachStep = true): (readonly PaperEvent[])[] {
  const matcher = new OutcomeMatcher(settings)
  const events = steps.map((step) => {
    apply(matcher, step)
    return isDrainedEachStep ? matcher.drain() : []
  })
  matcher.advance(1_000_000)
  return [...events, matcher.drain()]
}

const always = (check: (steps: Step[]) => void) => fc.assert(fc.property(history, check), { numRuns: casesOf(3_000) })

const fillsOf = (events: readonly PaperEvent[]): Fill[] => events.filter((event) => event.kind === 'fill')
const totalOf = (fills: readonly Fill[]): number => fills.reduce((sum, { size }) => sum + size, 0)
const sumOf = (side: PaperBook['bids']): number => side.reduce((sum, [, size]) => sum + size, 0)

describe('every history', () => {
  it('fills orders within their limit and size, and reports nothing after their end', () => {
    let filled = 0
    always((steps) => {
      const events = play(steps).flat()
      for (const step of steps) {
        if (step.kind !== 'submit' && step.kind !== 'restore') continue
        const { order } = step
        const own = events.filter(({ orderId }) => orderId === order.id)
        const fills = fillsOf(own)
        const total = totalOf(fills)
        filled += fills.length
        for (const { price, size, liquidity } of fills) {
          expect(size).toBeGreaterThan(0)
          expect(Number.isSafeInteger(size)).toBe(true)
          if (liquidity === 'maker') expect(price).toBe(order.price)
          else expect(order.side === 'buy' ? price <= order.price : price >= order.price).toBe(true)
        }
        expect(total).toBeLessThanOrEqual(order.size)
        const kinds = own.map(({ kind }) => kind)
        const end = own.findIndex(({ kind }) => kind === 'closed' || kind === 'rejected')
        if (end >= 0) expect(end).toBe(own.length - 1)
        expect(own.some((event) => event.kind === 'closed' && event.reason === 'filled')).toBe(total === order.size)
        if (step.kind === 'submit' && fills.length > 0) expect(kinds[0]).toBe('accepted')
        if (order.timeInForce === 'FOK' && step.kind === 'submit') expect([0, order.size]).toContain(total)
        if (order.postOnly) expect(fills.every(({ liquidity }) => liquidity === 'maker')).toBe(true)
      }
    })
    expect(filled).toBeGreaterThan(500)
  })

  it('fills only on live books, and keeps the book and the trades as evidence', () => {
    always((steps) => {
      const books = new Map(
        steps.flatMap((step) => (step.kind === 'book' ? [[step.book.seq, step.book] as const] : [])),
      )
      let current: PaperBook | null = null
      play(steps).forEach((events, n) => {
        const step = steps[n]
        const before = current
        if (step?.kind === 'book') current = step.book
        for (const { evidence } of fillsOf(events)) {
          expect(books.get(evidence.bookSeq)?.isLive).toBe(true)
          expect([before?.seq, current?.seq]).toContain(evidence.bookSeq)
          expect(evidence.tradeIds).toEqual(
            evidence.tradeIds.length === 0 ? [] : [step?.kind === 'trade' ? step.trade.id : 'none'],
          )
        }
      })
    })
  })

  it('gives all paper orders together no more than trades and books offered', () => {
    always((steps) => {
      const events = play(steps)
      const fills = fillsOf(events.flat())
      const sideOf = new Map(
        steps.flatMap((step) => ('order' in step ? [[step.order.id, step.order.side] as const] : [])),
      )
      for (const step of steps) {
        if (step.kind === 'trade')
          expect(
            totalOf(fills.filter(({ evidence }) => evidence.tradeIds.includes(step.trade.id))),
          ).toBeLessThanOrEqual(step.trade.size)
        if (step.kind !== 'book') continue
        const ofBook = fills.filter(
          ({ evidence }) => evidence.bookSeq === step.book.seq && evidence.tradeIds.length === 0,
        )
        for (const [side, levels] of [
          ['buy', step.book.asks],
          ['sell', step.book.bids],
        ] as const) {
          const own = ofBook.filter(({ orderId }) => sideOf.get(orderId) === side)
          expect(totalOf(own)).toBeLessThanOrEqual(sumOf(levels))
          for (const [price, size] of levels)
            expect(
              totalOf(own.filter((fill) => fill.liquidity === 'taker' && fill.price === price)),
            ).toBeLessThanOrEqual(size)
        }
      }
    })
  })

  it('gives the same events again, however often they are drained and time is advanced', () => {
    always((steps) => {
      const events = play(steps)
      expect(play(steps)).toEqual(events)
      expect(play(steps, false).flat()).toEqual(events.flat())
      const advanced = steps.flatMap((step): Step[] => {
        const at = step.kind === 'book' ? step.book.at : step.kind === 'trade' ? step.trade.at : step.at
        return [{ kind: 'advance', at: at - 1 }, step]
      })
      expect(play(advanced).flat()).toEqual(events.flat())
    })
  })

  it('has events in the order of time, and counts the orders that have not ended', () => {
    always((steps) => {
      const matcher = new OutcomeMatcher(settings)
      const open = new Set<string>()
      let last = 0
      for (const step of steps) {
        apply(matcher, step)
        if ('order' in step) open.add(step.order.id)
        for (const event of matcher.drain()) {
          expect(event.at).toBeGreaterThanOrEqual(last)
          last = event.at
          if (event.kind === 'closed' || event.kind === 'rejected') open.delete(event.orderId)
        }
        expect(matcher.workingCount).toBe(open.size)
      }
    })
  })
})

it.each([0, 1])(
  'shrinks the queue by each trade once in any order of trades and books, with %d of cancels',
  (share) => {
    /** A change of the level, and whether its trade, if any, is reported before the book. */
    const change = fc.record({
      size: fc.integer({ min: 1, max: 20 }),
      kind: fc.constantFrom('trade', 'cancel', 'addition'),
      isTradeFirst: fc.boolean(),
      delay: fc.integer({ min: 0, max: 200 }),
      wait: fc.integer({ min: 1, max: 400 }),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        // 2,000 are ahead and 2,000 join behind, so that neither end of the queue limits it.
        const matcher = new OutcomeMatcher({ ...instant, cancelShareAhead: share })
        let level = 2_000
        let at = 1_000
        const book = (time: number) => ({ at: time, size: level, isTrade: false })
        const messages = [book(at)]
        matcher.onBook(bookAt(at, [[40, level]], [[60, 1]]))
        matcher.submit(orderOf('a', 'buy', 40, 5_000), at)
        level += 2_000
        messages.push(book(at + 1))
        let traded = 0
        let canceled = 0
        for (const { size, kind, isTradeFirst, delay, wait } of changes) {
          at += wait + delay
          level += kind === 'addition' ? size : -size
          // A book that is late keeps its place among the books.
          const booked = Math.max(isTradeFirst ? at + delay : at, messages.findLast(({ isTrade }) => !isTrade)?.at ?? 0)
          messages.push(book(booked))
          if (kind === 'cancel') canceled += size
          if (kind !== 'trade') continue
          traded += size
          messages.push({ at: isTradeFirst ? at : at + delay, size, isTrade: true })
        }
        messages.sort((a, b) => a.at - b.at)
        for (const { at, size, isTrade } of messages) {
          if (isTrade) matcher.onTrade(tradeAt(at, 40, size, 'sell'))
          else matcher.onBook(bookAt(at, [[40, size]], [[60, 1]]))
        }
        expect(matcher.drain().map(({ kind }) => kind)).toEqual(['accepted'])
        const end = at + 1_000 + pairingMs
        const ahead = 2_000 - traded - canceled * share
        matcher.onTrade(tradeAt(end, 40, ahead + 7, 'sell'))
        expect(matcher.drain().map((event) => (event.kind === 'fill' ? event.size / 1_000_000 : event.kind))).toEqual([
          7,
        ])
      }),
      { numRuns: casesOf(1_500) },
    )
  },
)
