// A market maker, the same file for a backtest, a paper account and live:
//   npx crossbook backtest --strategy market-maker.ts --from … --to … --markets kalshi:KXTEST-26-A
//   npx crossbook run --strategy market-maker.ts --markets kalshi:KXTEST-26-A --url … --key …
//
// It bids for both outcomes of each market, half a spread from the middle, so that it needs no position to begin with. What it holds moves
// its quotes away from buying more. Params: size (contracts), halfSpread, maxPosition (contracts).
import type { StrategyContext } from '@crossbook/client'

interface Quote {
  executionId: string
  price: number
  hasEnded: boolean
}

/** Whole cents, which every venue takes. */
const tick = 0.01
const ended = new Set(['filled', 'failed', 'expired', 'canceled'])
/** Expected refusals; the strategy waits for the next book: cash is tied up, the market or the order has ended, the book is not live. */
const expected = new Set([
  'PAPER_INSUFFICIENT_CASH',
  'PAPER_MARKET_CLOSED',
  'PAPER_NO_LIVE_BOOK',
  'PAPER_ORDER_NOT_OPEN',
  'EXECUTION_TERMINAL',
])

export default async function marketMaker(context: StrategyContext): Promise<void> {
  const { client, markets } = context
  const { data: venues } = await client.api.listExecVenues()
  const needsOwner = new Set(venues.filter(({ ownerRequired }) => ownerRequired).map(({ venue }) => venue))
  await Promise.all(markets.map((market) => quoteMarket(context, market, needsOwner.has(market.venue))))
}

async function quoteMarket(
  { client, log, params, owner, authorize }: StrategyContext,
  { venue, marketId }: { venue: string; marketId: string },
  needsOwner: boolean,
): Promise<void> {
  const { size = '10', halfSpread = '0.02', maxPosition = '200' } = params
  const { data: market } = await client.api.fetchMarket({ path: { exchange: venue }, query: { marketId } })
  const [yes, no] = market.outcomes
  if (yes === undefined || no === undefined) throw new Error(`${marketId} has no two outcomes`)

  const stream = client.stream()
  const books = stream.subscribeBook({ venue, marketId: yes.outcomeId, depth: 1 })
  const orders = stream.subscribeOrders()
  const portfolio = stream.subscribePortfolio()
  /** By outcome id. */
  const quotes = new Map<string, Quote>()
  const held = (outcomeId: string): number =>
    Number(portfolio.positions.get(JSON.stringify([venue, marketId, outcomeId]))?.quantity ?? 0)

  // Marks quotes that have ended, for whatever reason.
  const following = (async () => {
    for await (const event of orders) {
      if (event.type !== 'execution' || !ended.has(event.execution.status)) continue
      for (const quote of quotes.values()) if (quote.executionId === event.execution.executionId) quote.hasEnded = true
    }
  })()

  for await (const event of books) {
    if (event.type === 'stale') await Promise.all([yes, no].map(({ outcomeId }) => withdraw(outcomeId)))
    if (event.type !== 'book') continue
    const [bid, ask] = [books.book?.bids[0]?.price, books.book?.asks[0]?.price]
    if (bid === undefined || ask === undefined) continue
    const inventory = held(yes.outcomeId) - held(no.outcomeId)
    // A full position moves the quotes by half a spread.
    const fair = (bid + ask) / 2 - (inventory / Number(maxPosition)) * Number(halfSpread)
    await quote(yes.outcomeId, fair - Number(halfSpread), inventory < Number(maxPosition))
    await quote(no.outcomeId, 1 - fair - Number(halfSpread), inventory > -Number(maxPosition))
  }
  await following

  /** One order per outcome, moved when its price is no longer the wanted one. */
  async function quote(outcomeId: string, wanted: number, mayBuy: boolean): Promise<void> {
    const price = Math.floor(wanted / tick + 1e-9) * tick
    const current = quotes.get(outcomeId)
    const isWorking = current !== undefined && !current.hasEnded
    const isWanted = mayBuy && price >= tick && price <= 1 - tick
    if (isWorking && isWanted && Math.abs(current.price - price) < tick / 2) return
    if (isWorking) await withdraw(outcomeId)
    if (isWanted) await attempt(() => place(outcomeId, price))
  }

  async function place(outcomeId: string, price: number): Promise<void> {
    const body = { outcome: outcomeId, isBuy: true, price: price.toFixed(2), size, ...(needsOwner ? { owner } : {}) }
    const { data: built } = await client.api.buildExecution({ path: { venue }, body })
    const { executionId } = built
    const placed: Quote = { executionId, price, hasEnded: false }
    quotes.set(outcomeId, placed)
    try {
      await client.api.submitExecution({ path: { venue, executionId }, body: await authorize(built) })
    } catch (error) {
      placed.hasEnded = true
      throw error
    }
  }

  async function withdraw(outcomeId: string): Promise<void> {
    const current = quotes.get(outcomeId)
    quotes.delete(outcomeId)
    if (current === undefined || current.hasEnded) return
    await attempt(async () => {
      const path = { venue, executionId: current.executionId }
      const { data: cancel } = await client.api.cancelExecution({ path, body: {} })
      const cancelPath = { venue, executionId: cancel.executionId }
      await client.api.submitExecution({ path: cancelPath, body: await authorize(cancel) })
    })
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      if (code === undefined || !expected.has(code)) throw error
      log(message, { venue, marketId, code })
    }
  }
}
