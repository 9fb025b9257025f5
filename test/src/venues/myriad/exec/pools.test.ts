// Pools and redemptions against the lab’s chain; the two share no code. A pool trades at once or not at all.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MarketFacts } from '#lab/marketFacts'
import type { JsonObject } from '#schemas/executions'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder } from '#test/support/laneWorld'
import { testOrderFaults } from '#test/support/orderFaults'
import type { Built, LaneExecution } from '#venues/lane'
import { myriadLane as lane } from '#venues/myriad/exec/index'
import { account, owner } from './world.ts'

let here: LaneLab<'myriad'>
const onBnb =
  (model: 'amm' | 'ob') =>
  ({ marketId }: { marketId: string }) =>
    marketId.startsWith(`56:${model}:`)
const open = async (model: 'amm' | 'ob') => {
  here = await createLaneLab('myriad', onBnb(model), { takes: () => true, markets: 40 })
}
afterEach(() => here.close())

let gas = 500_000n
const sign = (unsigned: JsonObject): Promise<string> =>
  account.signTransaction({
    type: 'eip1559',
    chainId: Number(unsigned.chainId),
    to: unsigned.to as `0x${string}`,
    data: unsigned.data as `0x${string}`,
    nonce: here.lab.nonceOf(owner),
    // Varying gas makes the same call with the same nonce another transaction.
    gas: gas++,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 0n,
  })
const cents = (micros: number): string => (micros / 1e6).toFixed(2)
/** A few cents above the pool’s price. */
const build = (over: object = {}): Promise<Built> => {
  const price = cents(here.ask + 50_000)
  const body = { outcome: here.facts.marketId, outcomeSide: 'YES', isBuy: true, price, size: '10', owner }
  return buildOrder(lane, here.world.context, { ...body, ...over })
}
const sent = async (built: Built) =>
  send(
    lane,
    here.world,
    built,
    { signedTransaction: await sign(built.unsigned) },
    built.terms === null ? 'redeem' : 'order',
  )
const look = (execution: LaneExecution) => refresh(lane, here.world, execution, {})
/** At least 88 blocks. */
const settle = () => here.world.clock.advance(90_000)

describe('a pool', () => {
  beforeEach(() => open('amm'))

  it('a purchase is executed at once and reported as final when the chain cannot reorganise it', async () => {
    const { execution, outcome } = await sent(await build())
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    expect(await look(execution)).toMatchObject({ status: 'acked', fills: [] })
    settle()
    const { status, fills } = await look(execution)
    expect([status, fills.length]).toEqual(['filled', 1])
    expect(Number(fills[0]!.fill.size)).toBeGreaterThanOrEqual(10)
    expect(fills[0]!.fill.value).toBe(String((Number(cents(here.ask + 50_000)) * 10).toFixed(1)))
    expect((await look(execution)).fills).toEqual(fills)
    expect(here.lab.tradesOf(owner)).toHaveLength(1)
  })

  it('sells shares of either outcome', async () => {
    for (const [outcomeSide, best] of [
      ['YES', here.bid],
      ['NO', 1_000_000 - here.ask],
    ] as const) {
      const { execution } = await sent(await build({ outcomeSide, isBuy: false, price: cents(best - 60_000) }))
      settle()
      const { status, fills } = await look(execution)
      expect([status, fills.length]).toEqual(['filled', 1])
      expect(Number(fills[0]!.fill.size)).toBeLessThanOrEqual(10)
    }
  })

  it('respects the limit price: not built, or reverted when the price has moved meanwhile', async () => {
    await expect(build({ price: cents(here.bid - 100_000) })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    const built = await build()
    here.lab.faults.close({ market: here.facts.marketId })
    const { execution, outcome } = await sent(built)
    expect(outcome.kind).toBe('accepted')
    expect((await look(execution)).status).toBeNull()
    settle()
    expect(await look(execution)).toMatchObject({ status: 'failed', reason: 'the transaction was reverted', fills: [] })
    expect(here.lab.tradesOf(owner)).toEqual([])
  })

  it('accepts the hash of a transaction that the wallet sent itself', async () => {
    const built = await build()
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [await sign(built.unsigned)] }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(here.lab.urls.RPC, { method: 'POST', headers, body: JSON.stringify(body) })
    const { result: transactionHash } = (await answer.json()) as { result: string }
    const { execution, outcome } = await send(lane, here.world, built, { transactionHash })
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: transactionHash })
    settle()
    expect((await look(execution)).status).toBe('filled')
  })

  it('a transaction whose nonce was used by another one fails', async () => {
    here.lab.faults.order({ fault: 'vanish' })
    const { execution } = await sent(await build())
    await sent(await build())
    settle()
    for (const status of [null, 'failed']) {
      expect((await look(execution)).status).toBe(status)
      here.world.clock.advance(61_000)
    }
  })

  it('pays a winner once, and each outcome of a void market separately', async () => {
    const { marketId } = here.facts
    here.lab.faults.resolve({ market: marketId, result: 'yes' })
    const paid = async (given: object) => {
      const { execution, outcome } = await sent(await redeem({ outcome: marketId, ...given }))
      expect(outcome.kind).toBe('accepted')
      settle()
      return (await look(execution)).status
    }
    resolvedInCatalog()
    expect(await paid({})).toBe('filled')
    // The contract pays only once.
    expect(await paid({})).toBe('failed')
    here.lab.voided.add(here.market.id)
    resolvedInCatalog({ voided: true })
    await expect(redeem({ outcome: marketId })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    for (const outcomeSide of ['YES', 'NO']) expect(await paid({ outcomeSide })).toBe('filled')
  })

  describe('all trade outcomes', () => {
    testOrderFaults(
      () => ({
        clock: here.world.clock,
        faults: here.lab.faults,
        place: async () => sent(await build()),
        look,
        orders: () => here.lab.tradesOf(owner),
        marketId: here.facts.marketId,
      }),
      {
        orderPath: 'eth_sendRawTransaction',
        venueRef: /^0x[0-9a-f]{64}$/,
        refIsKnown: true,
        limit: 'refused',
        rejection: /insufficient funds/,
      },
    )
  })
})

it('redeems winners of an order book with the venue’s call, and a void market with another call', async () => {
  await open('ob')
  const { marketId } = here.facts
  here.lab.faults.resolve({ market: marketId, result: 'no' })
  const paid = async () => {
    const { execution } = await sent(await redeem({ outcome: marketId }))
    settle()
    return (await look(execution)).status
  }
  resolvedInCatalog()
  expect(await paid()).toBe('filled')
  here.lab.voided.add(here.market.id)
  // The catalog does not know of the void yet, so the contract reverts.
  expect(await paid()).toBe('failed')
  resolvedInCatalog({ voided: true })
  expect(await paid()).toBe('failed')
})

it('sets of an order book are split and merged by their holder, and only split while it trades', async () => {
  const isAlone = ({ marketId, sourceMetadata }: MarketFacts) =>
    marketId.startsWith('56:ob:') && sourceMetadata.negRisk === false
  here = await createLaneLab('myriad', isAlone, { takes: () => true, markets: 40 })
  const { marketId } = here.facts
  const exchange = async (intent: 'split' | 'merge') => {
    const { body, build: make } = lane[intent]!
    const built = await make(here.world.context, body.parse({ outcome: marketId, amount: '2', owner }))
    const signedTransaction = await sign(built.unsigned)
    const { execution } = await send(lane, here.world, built, { signedTransaction }, intent)
    settle()
    return (await look(execution)).status
  }
  expect(await exchange('split')).toBe('filled')
  expect(await exchange('merge')).toBe('filled')
  here.lab.faults.resolve({ market: marketId, result: 'no' })
  // The catalog does not know of the end yet, so the contract reverts.
  expect(await exchange('split')).toBe('failed')
  expect(await exchange('merge')).toBe('filled')
})

const redeem = (body: object): Promise<Built> =>
  lane.redeem!.build(here.world.context, lane.redeem!.body.parse({ ...body, owner }) as never)

/** What the next catalog walk would store. */
function resolvedInCatalog(more: object = {}): void {
  for (const row of here.world.outcomes) {
    if (row.market.marketId !== here.facts.marketId) continue
    row.market = { ...row.market, status: 'resolved', sourceMetadata: { ...row.market.sourceMetadata, ...more } }
  }
}
