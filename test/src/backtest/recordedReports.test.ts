// Reports of whole runs as they were first recorded: whatever makes a backtest faster must leave every byte of them. A change of the fill model,
// the fees or the report changes the hashes on purpose.
import { expect, it } from 'vitest'
import marketMaker from '#sdk/typescript/examples/market-maker'
import type { Strategy } from '#sdk/typescript/src/index'
import {
  backtest,
  gap,
  marketId,
  noId,
  placeOrder,
  startMs,
  type World,
  wanderingTape,
} from '#test/support/backtest/world'

/** Sends orders of random terms to both outcomes, and cancels or changes some. */
const randomOrders: Strategy = async (context) => {
  const { client, clock, random, signal, log } = context
  const attempt = async (work: () => Promise<string>): Promise<string | null> => {
    try {
      return await work()
    } catch (error) {
      log((error as { code: string }).code)
      return null
    }
  }
  const submit = async (executionId: string) =>
    client.api.submitExecution({ path: { venue: 'kalshi', executionId }, body: {} as never })
  let last: string | null = null
  while (!signal.aborted) {
    await clock.sleep(100 + random() * 900)
    const path = { venue: 'kalshi', executionId: last ?? 'none' }
    const draw = random()
    if (draw < 0.2) {
      await attempt(async () => {
        const { data } = await client.api.cancelExecution({ path, body: {} as never })
        await submit(data.executionId)
        return data.executionId
      })
    } else if (draw < 0.4) {
      const price = (0.2 + Math.floor(random() * 60) / 100).toFixed(2)
      await attempt(async () => {
        const { data } = await client.api.modifyExecution({ path, body: { price } as never })
        await submit(data.executionId)
        return data.executionId
      })
    } else {
      const outcome = random() < 0.5 ? marketId : noId
      const price = (0.01 + Math.floor(random() * 99) / 100).toFixed(2)
      const order = { outcome, isBuy: random() < 0.6, price, size: 1 + Math.floor(random() * 30) }
      last = (await attempt(() => placeOrder(context, { ...order, postOnly: random() < 0.2 }))) ?? last
    }
  }
}

const world = { tape: wanderingTape(600), lastMs: 600_000 }
const resolved = { status: 'resolved', resolutionDate: new Date(startMs + 300_000).toISOString() } as const
const recorded: [name: string, strategy: Strategy, world: World, hash: string][] = [
  ['the market maker', marketMaker, world, 'd6c1acd6c2a9170b'],
  ['the market maker with random latencies', marketMaker, { ...world, fillModel: {} }, '2ac8f228bd07b8aa'],
  [
    'the market maker across gaps',
    marketMaker,
    { ...world, gaps: [gap(20_000, 30_000), gap(200_000, null)] },
    '6caf7e7373d5f6df',
  ],
  ['the market maker until its market is paid', marketMaker, { ...world, market: resolved }, '28d89ba6ce5ee2b6'],
  ['random orders', randomOrders, { ...world, fillModel: {} }, '01b8709cecfc0352'],
]

it.each(recorded)('the report of %s is as recorded', async (_, strategy, given, hash) => {
  const markets = [{ venue: 'kalshi', marketId }]
  const report = await backtest(given, (context) => strategy({ ...context, markets }))
  expect(report.summary.orders).toBeGreaterThan(10)
  expect(report.hash.slice(0, hash.length)).toBe(hash)
})
