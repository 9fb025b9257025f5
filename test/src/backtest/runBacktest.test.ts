import { describe, expect, it } from 'vitest'
import { StrategyFailure } from '#backtest/strategy/host'
import marketMaker from '#sdk/typescript/examples/market-maker'
import type { BookEvent, BookGapEvent, CommonEvent, Strategy } from '#sdk/typescript/src/index'
import {
  backtest,
  book,
  gap,
  marketId,
  noId,
  placeOrder,
  startMs,
  trade,
  wanderingTape,
} from '#test/support/backtest/world'

const quiet = [book(0, 0.4, 0.5), book(1_000, 0.4, 0.5)]

/** The code of the refusal; null: it was not refused. */
const codeOf = async (work: Promise<unknown>): Promise<string | null> => {
  try {
    await work
    return null
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('time', () => {
  it('moves only while the strategy waits, and with the tape', async () => {
    const seen: number[] = []
    const report = await backtest({ tape: [book(0, 0.4, 0.5), book(7_000, 0.41, 0.5)] }, async ({ client, clock }) => {
      seen.push(clock.now() - startMs)
      for (let i = 0; i < 50; i++) await client.api.listPositions()
      seen.push(clock.now() - startMs)
      const books = client.stream().subscribeBook({ venue: 'kalshi', marketId })
      for await (const event of books) if (event.type === 'book') seen.push(clock.now() - startMs)
    })
    expect(seen).toEqual([0, 0, 0, 7_000])
    expect(report).toMatchObject({ tapeEvents: 2, summary: { ended: 'returned' } })
  })

  it('of a sleep is that of the tape, and a sleep ends early when the run does', async () => {
    const seen: number[] = []
    await backtest({ tape: quiet, lastMs: 10_000 }, async ({ clock, signal }) => {
      await clock.sleep(2_500)
      seen.push(clock.now() - startMs)
      await clock.sleep(60_000)
      seen.push(clock.now() - startMs)
      expect(signal.aborted).toBe(true)
    })
    expect(seen).toEqual([2_500, 10_000])
  })

  it('shows the newest book to a strategy that reads it now and then', async () => {
    const seen: (number | undefined)[] = []
    await backtest({ tape: [book(0, 0.4, 0.5), book(100, 0.41, 0.5), book(3_000, 0.42, 0.5)] }, async (context) => {
      const books = context.client.stream().subscribeBook({ venue: 'kalshi', marketId })
      while (!context.signal.aborted) {
        await context.clock.sleep(1_000)
        seen.push(books.book?.bids[0]?.price)
      }
    })
    expect(seen.slice(0, 4)).toEqual([0.41, 0.41, 0.42, 0.42])
  })
})

describe('orders', () => {
  it('fill at the book after their latency, with the fee of the venue', async () => {
    const report = await backtest({ tape: [...quiet, book(5_000, 0.4, 0.5)] }, async (context) => {
      const orders = context.client.stream().subscribeOrders()
      await context.clock.sleep(1_500)
      const id = await placeOrder(context, { isBuy: true, price: '0.5', size: 10 })
      for await (const event of orders) {
        if (event.type !== 'execution' || event.execution.executionId !== id) continue
        context.log(event.execution.status)
        if (event.execution.status === 'filled') break
      }
      const { data: positions } = await context.client.api.listPositions()
      expect(positions).toMatchObject([{ outcomeId: marketId, quantity: '10', costBasis: '5.18' }])
    })
    expect(report.log.map(({ message }) => message)).toEqual(['acked', 'filled'])
    expect(report.fills).toMatchObject([
      { at: '2026-11-01T00:00:01.510Z', side: 'buy', price: '0.5', size: '10', fee: '0.18', liquidity: 'taker' },
    ])
    expect(report.summary).toMatchObject({ fills: 1, orders: 1, fees: '0.18', turnover: '5' })
  })

  it('rest, fill when a trade reaches them, and name it', async () => {
    const tape = [book(0, 0.4, 0.5), trade(3_000, 0.39, 500, 'Sell'), book(3_001, 0.38, 0.5)]
    const report = await backtest({ tape }, async (context) => {
      await context.clock.sleep(1_000)
      await placeOrder(context, { isBuy: true, price: '0.41', size: 10 })
    })
    expect(report.fills).toMatchObject([{ liquidity: 'maker', price: '0.41', size: '10', tradeIds: ['t3000'] }])
  })

  it('on the second outcome are matched against the mirrored book', async () => {
    const report = await backtest({ tape: quiet }, async (context) => {
      await context.clock.sleep(1_500)
      const books = context.client.stream().subscribeBook({ venue: 'kalshi', marketId: noId })
      for await (const event of books) {
        if (event.type !== 'book') continue
        expect(event.book).toMatchObject({ bids: [{ price: 0.5 }], asks: [{ price: 0.6 }] })
        break
      }
      await placeOrder(context, { outcome: noId, isBuy: true, price: '0.6', size: 2 })
      await context.clock.sleep(1_000)
    })
    expect(report.fills).toMatchObject([{ outcomeId: noId, side: 'buy', price: '0.6', size: '2' }])
    expect(report.positions).toMatchObject([{ outcomeId: noId, quantity: '2' }])
  })

  it('are cancelled after a latency, and changed at the cost of their place', async () => {
    await backtest({ tape: quiet }, async (context) => {
      const { client, clock } = context
      await clock.sleep(1_500)
      const id = await placeOrder(context, { isBuy: true, price: '0.3', size: 10 })
      await clock.sleep(100)
      const path = { venue: 'kalshi', executionId: id }
      const { data: change } = await client.api.modifyExecution({ path, body: { price: '0.32' } as never })
      const changed = { venue: 'kalshi', executionId: change.executionId }
      await client.api.submitExecution({ path: changed, body: {} as never })
      await clock.sleep(100)
      const { data: open } = await client.api.listOrders({ query: { open: 'true' } })
      expect(open).toMatchObject([{ executionId: change.executionId, price: '0.32', targetExecutionId: id }])
      const { data: cancel } = await client.api.cancelExecution({ path: changed, body: {} as never })
      await client.api.submitExecution({ path: { ...path, executionId: cancel.executionId }, body: {} as never })
      expect((await client.api.getExecution({ path: changed })).data.status).toBe('acked')
      await clock.sleep(100)
      expect((await client.api.getExecution({ path: changed })).data.status).toBe('canceled')
      expect(await codeOf(client.api.cancelExecution({ path: changed, body: {} as never }))).toBe('EXECUTION_TERMINAL')
    })
  })

  it('are refused with the codes of a paper account', async () => {
    const codes: (string | null)[] = []
    const market = { status: 'resolved', resolutionDate: new Date(startMs + 20_000).toISOString() } as const
    await backtest({ tape: [book(1_000, 0.4, 0.5), book(2_000, 0.4, 0.5)], cash: '10', market }, async (context) => {
      const buy = (size: number) => codeOf(placeOrder(context, { isBuy: true, price: '0.5', size }))
      await context.clock.sleep(1_500)
      codes.push(await buy(100), await buy(1))
      await context.clock.sleep(20_000)
      codes.push(await buy(1))
    })
    expect(codes).toEqual(['PAPER_INSUFFICIENT_CASH', null, 'PAPER_MARKET_CLOSED'])
  })

  it('that sell what is not held are refused, also where both outcomes have one book', async () => {
    const codes: (string | null)[] = []
    await backtest({ tape: quiet }, async (context) => {
      const sell = (size: number) => codeOf(placeOrder(context, { isBuy: false, price: '0.4', size }))
      await context.clock.sleep(1_500)
      await placeOrder(context, { outcome: noId, isBuy: true, price: '0.6', size: 2 })
      codes.push(await sell(1))
      await placeOrder(context, { isBuy: true, price: '0.5', size: 2 })
      await context.clock.sleep(100)
      codes.push(await sell(3), await sell(2), await sell(1))
    })
    const refused = 'PAPER_POSITION_TOO_SMALL'
    expect(codes).toEqual([refused, refused, null, refused])
  })

  it('repeat the first answer of an Idempotency-Key', async () => {
    await backtest({ tape: quiet }, async ({ client }) => {
      const body = { outcome: marketId, isBuy: true, price: '0.3', size: 1 } as never
      const build = (given: never) =>
        client.api.buildExecution({ path: { venue: 'kalshi' }, body: given }, { idempotencyKey: 'one' })
      const [first, again] = [await build(body), await build(body)]
      expect(again.data.executionId).toBe(first.data.executionId)
      const other = { outcome: marketId, isBuy: true, price: '0.31', size: 1 } as never
      expect(await codeOf(build(other))).toBe('IDEMPOTENCY_CONFLICT')
    })
  })
})

describe('gaps of the tape', () => {
  it('make the book stale until it is live again, and no order is taken or filled meanwhile', async () => {
    const events: string[] = []
    let code: string | null = null
    const tape = [book(0, 0.4, 0.5), book(4_000, 0.2, 0.3), book(9_000, 0.41, 0.5)]
    const report = await backtest({ tape, gaps: [gap(2_000, 8_000)] }, async (context) => {
      const { client, clock } = context
      const follow = async (): Promise<void> => {
        for await (const event of client.stream().subscribeBook({ venue: 'kalshi', marketId }))
          events.push(textOf(event, clock.now() - startMs))
      }
      const following = follow()
      await clock.sleep(1_000)
      await placeOrder(context, { isBuy: true, price: '0.35', size: 5 })
      await clock.sleep(4_000)
      const path = { venue: 'kalshi', executionId: await built(context) }
      code = await codeOf(client.api.submitExecution({ path, body: {} as never }))
      await following
    })
    expect(events).toEqual(['0 subscribed', '0 snapshot 0.4', '2000 stale', '9000 snapshot 0.41'])
    expect(code).toBe('PAPER_NO_LIVE_BOOK')
    expect(report.fills).toEqual([])
    expect(report.gaps).toMatchObject([{ venue: 'kalshi', outcomeId: marketId, reason: 'disconnected' }])
  })
})

async function built({ client }: Parameters<Strategy>[0]): Promise<string> {
  const body = { outcome: marketId, isBuy: true, price: '0.3', size: 1 } as never
  return (await client.api.buildExecution({ path: { venue: 'kalshi' }, body })).data.executionId
}

function textOf(event: BookEvent | BookGapEvent | CommonEvent, at: number): string {
  return event.type === 'book' ? `${at} ${event.kind} ${event.book.bids[0]?.price}` : `${at} ${event.type}`
}

it('a position has no middle value within a gap, and keeps the last known one', async () => {
  const tape = [book(0, 0.4, 0.5), book(9_000, 0.4, 0.5)]
  await backtest({ tape, gaps: [gap(2_000, 8_000)] }, async (context) => {
    const read = async () => (await context.client.api.listPositions()).data
    await context.clock.sleep(1_000)
    await placeOrder(context, { isBuy: true, price: '0.5', size: 10 })
    await context.clock.sleep(500)
    expect(await read()).toMatchObject([{ marks: { mid: '0.45', last: '0.45' }, value: { mid: '4.5', last: '4.5' } }])
    await context.clock.sleep(2_000)
    expect(await read()).toMatchObject([{ marks: { mid: null, last: '0.45' }, value: { mid: null, last: '4.5' } }])
  })
})

describe('a market that resolves within the run', () => {
  const market = { status: 'resolved', resolutionDate: new Date(startMs + 30_000).toISOString() } as const

  it('pays its positions, and shows its result only then', async () => {
    const report = await backtest({ tape: quiet, market }, async ({ client, clock, ...context }) => {
      await clock.sleep(1_500)
      await placeOrder({ client, clock, ...context }, { isBuy: true, price: '0.5', size: 10 })
      const read = async () =>
        (await client.api.fetchMarket({ path: { exchange: 'kalshi' }, query: { marketId } })).data
      const before = await read()
      expect(before).toMatchObject({ status: 'active', volume: null, outcomes: [{ price: 0.45 }, { price: 0.55 }] })
      expect(JSON.stringify(before)).not.toContain('result')
      expect(before.resolutionDate).toBeUndefined()
      await clock.sleep(40_000)
      expect(await read()).toMatchObject({ status: 'resolved', outcomes: [{ price: 1 }, { price: 0 }] })
    })
    // Ten contracts at 0.50, a fee of 0.175, rounded up to 0.18, and a payout of 10.
    expect(report.summary).toMatchObject({ pnl: '4.82', realizedPnl: '4.82', equity: '10004.82' })
    expect(report.positions).toMatchObject([{ quantity: '0' }])
  })

  it('scores the middle of own quotes against the payout', async () => {
    const report = await backtest({ tape: quiet, market }, async (context) => {
      await context.clock.sleep(1_500)
      await placeOrder(context, { isBuy: true, price: '0.3', size: 1 })
      await placeOrder(context, { outcome: noId, isBuy: true, price: '0.3', size: 1 })
    })
    // Bid 0.30 and, through the other outcome, an offer of 0.70: 0.50 was quoted, and 1 was paid.
    expect(report.calibration.brier).toBeCloseTo(0.25, 10)
    expect(report.calibration.byMarket).toMatchObject([{ marketId, payout: 1 }])
    expect(report.calibration.bins[5]).toMatchObject({ quoted: 0.5, paid: 1 })
  })
})

describe('the same seed', () => {
  it('gives the same report, and another seed another one', async () => {
    const run = (seed: string) =>
      backtest(
        { tape: wanderingTape(600), lastMs: 620_000, seed, fillModel: { latencyMedianMs: 400, latencySigma: 0.8 } },
        marketMaker,
      )
    const [first, again, other] = [await run('one'), await run('one'), await run('two')]
    expect(first.summary.fills).toBeGreaterThan(5)
    expect(again).toEqual(first)
    expect(other.hash).not.toBe(first.hash)
  })
})

it('the same seed gives the same request ids of refusals', async () => {
  const run = () =>
    backtest({ tape: quiet }, async ({ client, log }) => {
      const error = await client.api.getExposure().catch((cause: unknown) => cause)
      log((error as { requestId: string }).requestId)
    })
  const [first, again] = [await run(), await run()]
  expect(first.log[0]?.message).toMatch(/^[0-9a-f-]{36}$/)
  expect(again.hash).toBe(first.hash)
})

describe('the report', () => {
  it('has the opening cash of single venues', async () => {
    const report = await backtest({ tape: quiet, cashByVenue: new Map([['kalshi', '5']]) }, async () => undefined)
    expect(report.settings).toMatchObject({ cash: '10000', cashByVenue: { kalshi: '5' } })
    expect(report.summary.openingEquity).toBe('5')
  })

  it('counts orders that were submitted, and no discarded builds', async () => {
    const report = await backtest({ tape: quiet }, async (context) => {
      await context.clock.sleep(1_500)
      await placeOrder(context, { isBuy: true, price: '0.3', size: 1 })
      const path = { venue: 'kalshi', executionId: await built(context) }
      await context.client.api.discardExecution({ path })
    })
    expect(report.summary).toMatchObject({ orders: 1, rejected: 0 })
  })
})

describe('a strategy', () => {
  it('that throws ends the run with its stack', async () => {
    const failing: Strategy = async ({ clock }) => {
      await clock.sleep(10)
      throw new TypeError('no such price')
    }
    const failure = await backtest({ tape: quiet }, failing).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StrategyFailure)
    expect(failure).toMatchObject({ message: 'the strategy failed: no such price' })
    expect((failure as StrategyFailure).strategyStack).toContain('TypeError: no such price')
  })

  it('that never waits is ended, with its time', async () => {
    const endless: Strategy = async ({ client }) => {
      for (;;) await client.api.listPositions()
    }
    await expect(backtest({ tape: quiet }, endless)).rejects.toThrow(
      /never waits: 20000 steps at 2026-11-01T00:00:00.000Z/,
    )
  })

  it('that does not return after the end is stopped, and the report says so', async () => {
    const report = await backtest({ tape: quiet }, () => new Promise(() => undefined))
    expect(report.summary.ended).toBe('stopped')
    expect(report.warnings).toContain('the strategy did not return after the end: it was stopped')
  })

  it('gets NOT_SUPPORTED for what a backtest does not have, and VALIDATION_ERROR for an invalid time', async () => {
    await backtest({ tape: quiet }, async ({ client }) => {
      expect(await codeOf(client.api.getExposure())).toBe('NOT_SUPPORTED')
      const query = { since: 'yesterday' }
      expect(await codeOf(client.api.listPortfolioFills({ query }))).toBe('VALIDATION_ERROR')
      expect(await codeOf(client.api.listExecutions({ query }))).toBe('VALIDATION_ERROR')
      const rows = client.stream().subscribeArbitrage()
      expect(await codeOf(rows[Symbol.asyncIterator]().next())).toBe('NOT_SUPPORTED')
    })
  })
})

describe('refuses', () => {
  it('an empty range', async () => {
    await expect(backtest({ tape: quiet, untilMs: startMs }, async () => undefined)).rejects.toThrow('range is empty')
  })

  it('a range in which the tape has nothing', async () => {
    await expect(backtest({ tape: [] }, async () => undefined)).rejects.toThrow('the tape has nothing of these markets')
  })
})
