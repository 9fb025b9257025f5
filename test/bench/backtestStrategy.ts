// The market maker of the bench: joins the best bid and the best offer with ten contracts, and moves both when the middle has moved by a cent.
// backtestPeer.py has the same rules.
import type { Strategy } from '#sdk/typescript/src/index'
import { marketId, noId } from '#test/support/backtest/world'

const size = 10

export const benchMaker: Strategy = async ({ client }) => {
  const { api } = client
  const path = { venue: 'kalshi' }
  const quotes = new Map<string, string>()
  let quoted = Number.NaN

  async function move(outcome: string, price: number): Promise<void> {
    const before = quotes.get(outcome)
    if (before !== undefined) await cancel(before)
    const body = { outcome, isBuy: true, price: price.toFixed(2), size } as never
    const { data } = await api.buildExecution({ path, body })
    const { executionId } = data
    await api.submitExecution({ path: { ...path, executionId }, body: {} as never })
    quotes.set(outcome, executionId)
  }

  async function cancel(executionId: string): Promise<void> {
    try {
      const { data } = await api.cancelExecution({ path: { ...path, executionId }, body: {} as never })
      await api.submitExecution({ path: { ...path, executionId: data.executionId }, body: {} as never })
    } catch (error) {
      // It has filled meanwhile.
      if ((error as { code?: string }).code !== 'EXECUTION_TERMINAL') throw error
    }
  }

  for await (const event of client.stream().subscribeBook({ venue: 'kalshi', marketId, depth: 1 })) {
    if (event.type !== 'book') continue
    const bid = event.book.bids[0]?.price
    const ask = event.book.asks[0]?.price
    if (bid === undefined || ask === undefined) continue
    const middle = (bid + ask) / 2
    if (Math.abs(middle - quoted) < 0.0099) continue
    quoted = middle
    await move(marketId, bid)
    await move(noId, 1 - ask)
  }
}
