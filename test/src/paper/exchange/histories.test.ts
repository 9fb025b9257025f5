// Random histories of paper accounts: the real exchange and fill model on random books and trades, what is stored in memory, and a process that
// dies at any step, before or after what happened is stored. However they end, cash and shares are conserved.
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromUnits } from '#core/decimal'
import type { PaperFeeModel } from '#paper/accounts/fees'
import { PaperExchange } from '#paper/exchange/index'
import type { BookUpdate, TradeUpdate } from '#schemas/topics'
import { MemoryLedger } from '#test/support/paper/memoryLedger'
import { isLong } from '#test/support/shortRuns'
import '#test/support/seed'

const yes = 'KX-1'
const no = 'KX-1-NO'
const startCash = '50'
/** Each takes some milliseconds. The same in a real database: test/src/storage/postgres/paper/histories.test.ts. */
const cases = isLong ? 100_000 : 300
/** The test runner expects an answer at least once a minute. */
const atOnce = 100
const values = new Map([
  [yes, '1'],
  [no, '0'],
])

const models: PaperFeeModel[] = [
  { taker: { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' }, makerRate: 0.0175 },
  { taker: { kind: 'polymarket_curve', rate: 0.25, exponent: 2 }, makerRate: null },
  { taker: { kind: 'none' }, makerRate: null },
]

/** Of the process: at which of its steps it dies. */
const crash = fc.constantFrom(...(['never', 'never', 'never', 'before', 'after'] as const))
const price = fc.integer({ min: 1, max: 99 })
const size = fc.integer({ min: 1, max: 40 })
const order = fc.nat(5)
const kind = <K extends string>(name: K) => fc.constant(name)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ kind: kind('place'), crash, isBuy: fc.boolean(), isYes: fc.boolean(), price, size },
      timeInForce: fc.constantFrom(...(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const)),
      postOnly: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ kind: kind('book'), crash, bid: fc.integer({ min: 0, max: 98 }), spread: fc.integer({ min: 1, max: 6 }) },
      ...{ bidSize: size, askSize: size, isLive: fc.constantFrom(true, true, true, true, false) },
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ kind: kind('trade'), crash, price, millionths: fc.integer({ min: 1, max: 40_000_000 }) },
      ...{ isBuy: fc.boolean(), ageMs: fc.constantFrom(0, 0, 50, 5_000) },
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('cancel'), crash, order }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('modify'), crash, order, price, size }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('deposit'), crash, amount: size }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('settle'), crash }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('reset'), crash }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

class History {
  readonly ledger: MemoryLedger
  private exchange: PaperExchange
  private held: BookUpdate | undefined
  private now = 1_000_000
  private seq = 0
  private isResolved = false

  constructor(model: PaperFeeModel) {
    this.ledger = new MemoryLedger(model, startCash)
    this.exchange = this.started()
  }

  play(step: Step): void {
    this.now += 100
    this.perform(step)
    this.store(step.crash)
    // What a crash left is done by the process that follows.
    this.store('never')
  }

  check(): void {
    for (const [what, [held, expected]] of Object.entries(this.ledger.pairs())) expect(held, what).toBe(expected)
  }

  private started(): PaperExchange {
    return new PaperExchange({
      settings: { latencyMedianMs: 20, latencySigma: 0.5, cancelShareAhead: 0.5, seed: 't' },
      bookAt: () => this.held,
      isComplement: (_venue, outcomeId) => outcomeId === no,
      watch: () => undefined,
    })
  }

  /** What has happened is stored, and the orders are read as they are stored. */
  private store(crash: Step['crash']): void {
    this.exchange.advance(this.now)
    const events = this.exchange.drain()
    if (crash !== 'before') this.ledger.apply(events)
    if (crash !== 'never') {
      this.exchange = this.started()
      this.check()
    }
    this.exchange.follow(
      this.ledger.working().map((row) => ({ ...row })),
      this.now,
    )
    if (!this.isResolved) return
    this.exchange.closeMarket({ venue: 'kalshi', marketId: yes }, this.now)
    this.ledger.apply(this.exchange.drain())
    this.ledger.settle(values)
  }

  private perform(step: Step): void {
    const { ledger, now } = this
    const at = new Date(now)
    const working = ledger.working()
    const chosen = 'order' in step && working.length > 0 ? working[step.order % working.length]! : null
    switch (step.kind) {
      case 'place': {
        if (this.isResolved) return
        const { isBuy, isYes, timeInForce, postOnly } = step
        const side = { outcomeId: isYes ? yes : no, bookId: yes, complement: !isYes }
        ledger.place({ ...side, isBuy, timeInForce, postOnly, price: textOf(step.price), size: String(step.size) }, at)
        return
      }
      case 'book':
        this.exchange.onBook(this.bookOf(step), now)
        return
      case 'trade':
        this.exchange.onTrade(this.tradeOf(step), now)
        return
      case 'cancel':
        if (chosen !== null) ledger.requestCancel(chosen, at)
        return
      case 'modify':
        if (chosen !== null) ledger.modify(chosen, textOf(step.price), String(step.size))
        return
      case 'deposit':
        ledger.deposit(String(step.amount))
        return
      case 'settle':
        this.isResolved = true
        return
      case 'reset':
        ledger.reset(at)
    }
  }

  private bookOf({ bid, spread, bidSize, askSize, isLive }: Extract<Step, { kind: 'book' }>): BookUpdate {
    const ask = bid + spread
    const bids = bid === 0 ? [] : [{ price: bid / 100, size: bidSize }]
    const asks = ask > 99 ? [] : [{ price: ask / 100, size: askSize }]
    this.held = {
      ...{ venue: 'kalshi', marketId: yes, state: isLive ? 'live' : 'stale', seq: ++this.seq, epoch: 1 },
      ...{ eventTs: null, recvTs: this.now, breaks: 0, lastTradeMicros: null },
      core: Buffer.from(JSON.stringify({ bids, asks, timestamp: 1 }).slice(0, -1)),
    }
    return this.held
  }

  private tradeOf({ price, millionths, isBuy, ageMs }: Extract<Step, { kind: 'trade' }>): TradeUpdate {
    return {
      ...{ venue: 'kalshi', marketId: yes, outcomeId: yes, recvTs: this.now },
      data: {
        ...{ id: `t-${++this.seq}`, price: price / 100, shares: millionths / 1e6, type: isBuy ? 'Buy' : 'Sell' },
        ...{ time: '', timestamp: this.now - ageMs, usd: null, outcome: null, outcomeIndex: null, maker: null },
        ...{ transactionHash: null, wallet: null, counterparty: null },
      },
    }
  }
}

const textOf = (cents: number): string => fromUnits(BigInt(cents), 2)

it(
  'conserves cash and shares over random histories with crashes',
  async () => {
    let played = 0
    let fills = 0
    const steps = fc.array(step, { minLength: 4, maxLength: 30 })
    const property = fc.asyncProperty(fc.constantFrom(...models), steps, async (model, all) => {
      const history = new History(model)
      for (const one of all) history.play(one)
      history.check()
      fills += history.ledger.fills.length
      if (++played % atOnce === 0) await setImmediate()
    })
    await fc.assert(property, { numRuns: cases })
    expect(played).toBe(cases)
    // Histories without fills would conserve anything.
    expect(fills).toBeGreaterThan(cases / 10)
  },
  isLong ? 3_600_000 : 120_000,
)
