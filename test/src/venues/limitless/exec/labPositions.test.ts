// Split, hold, merge, resolve and redeem against the lab's chain; the two share no code.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { laneFor } from '#orders/executions/findLane'
import { createLaneLab, type LaneLab } from '#test/support/laneLab'
import { executionOf, stored } from '#test/support/laneWorld'
import type { Built, LaneExecution } from '#venues/lane'
import { limitlessLane } from '#venues/limitless/exec/index'
import { account, owner } from './world.ts'

let here: LaneLab<'limitless'>
beforeEach(async () => {
  here = await createLaneLab('limitless', ({ sourceMetadata }) => sourceMetadata.negRisk === false)
})
afterEach(() => here.close())

type Verb = 'split' | 'merge' | 'redeem'
let nonce = 0
beforeEach(() => {
  nonce = 0
})

const build = (verb: Verb, given: object = {}): Promise<Built> => {
  const { body, build: make } = limitlessLane[verb]!
  return make(here.world.context, body.parse({ outcome: here.facts.marketId, owner, ...given }))
}

/** Signs and sends it, and waits until its block is final. */
async function send(verb: Verb, built: Built): Promise<LaneExecution> {
  limitlessLane.checkBounds(built.unsigned, built.bounds)
  const { to, data } = built.unsigned as { to: `0x${string}`; data: `0x${string}` }
  const signedTransaction = await account.signTransaction({
    ...{ type: 'eip1559', chainId: 8453, nonce: nonce++, gas: 500_000n, maxFeePerGas: 1n, maxPriorityFeePerGas: 0n },
    ...{ to, data },
  })
  const lane = laneFor(limitlessLane, verb)
  const execution = executionOf(built, {}, verb)
  const prepared = await lane.submit!.prepare(
    here.world.context,
    execution,
    lane.submit!.body.parse({ signedTransaction }) as never,
  )
  const kept = { ...prepared, submittedArtifact: stored(prepared.submittedArtifact) }
  expect(await lane.submit!.relay(here.world.context, execution, kept, {} as never)).toMatchObject({ kind: 'accepted' })
  here.world.clock.advance(180_000)
  return { ...execution, ...kept, status: 'acked' }
}
const look = (verb: Verb, execution: LaneExecution) =>
  laneFor(limitlessLane, verb).refresh!.read(here.world.context, execution, {} as never)

const held = async () => {
  const { positions } = await limitlessLane.holdings!.read(here.world.context, { wallet: owner }, null)
  return positions
    .filter(({ marketId }) => marketId === here.facts.marketId)
    .map(({ outcomeId, quantity }) => [outcomeId, quantity])
}

it('walks from the split to the redemption', async () => {
  const [yes, no] = here.facts.outcomeIds
  const split = await send('split', await build('split', { amount: '12.5' }))
  expect(await look('split', split)).toMatchObject({ status: 'filled' })
  expect(await held()).toEqual([
    [yes, '12.5'],
    [no, '12.5'],
  ])
  const merge = await send('merge', await build('merge', { amount: '4' }))
  expect(await look('merge', merge)).toMatchObject({ status: 'filled' })
  expect(await held()).toEqual([
    [yes, '8.5'],
    [no, '8.5'],
  ])
  here.lab.faults.resolve({ market: here.facts.marketId, result: 'yes' })
  for (const row of here.world.outcomes) {
    if (row.market.marketId === here.facts.marketId) row.market = { ...row.market, status: 'resolved' }
  }
  const redeem = await send('redeem', await build('redeem'))
  expect(await look('redeem', redeem)).toMatchObject({ status: 'filled' })
  expect(await held()).toEqual([])
})

it('a merge of more than is held is reverted, and failed', async () => {
  const merge = await send('merge', await build('merge', { amount: '1' }))
  expect(await look('merge', merge)).toMatchObject({ status: 'failed', reason: 'the transaction was reverted' })
})
