// The venue's own client encodes the same splits and merges.
import { ContractCaller, DEFAULT_CONTRACT_ADDRESSES } from '@opinion-labs/opinion-clob-sdk'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLaneWorld, type LaneWorld } from '#test/support/laneWorld'
import { randomOrders } from '#test/support/randomOrders'
import { opinionLane as lane } from '#venues/opinion/exec/index'
import { conditionalTokens } from '#venues/opinion/exec/typedData'
import { market, marketId, owner, publicReads, safe, usdt } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createLaneWorld('opinion', ['REST'])
  world.answer((seen) => publicReads(seen))
})
afterAll(() => world.close())

interface Sent {
  to: string
  value: bigint
  data: Hex
}

/** The client with a chain that has whatever it checks, and a Safe that records its transactions. */
function client(): { caller: ContractCaller; sent: Sent[] } {
  const sent: Sent[] = []
  const caller = new ContractCaller('http://127.0.0.1:1', generatePrivateKey(), safe, conditionalTokens, safe, safe)
  const richly = { read: { balanceOf: async () => 2n ** 200n } }
  Object.assign(caller as object, {
    checkGasBalance: async () => undefined,
    getErc20Contract: () => richly,
    getConditionalTokensContract: () => richly,
    getPositionId: async () => 1n,
    getPublicClient: () => ({ waitForTransactionReceipt: async () => ({ status: 'success' }) }),
    safe: {
      executeMultiSend: async (transactions: Sent[]) => {
        sent.push(...transactions)
        return { txHash: '0x', safeTxHash: '0x', returnValue: '0x' }
      },
    },
  })
  return { caller, sent }
}

const textOf = (amount: bigint): string => {
  const text = amount.toString().padStart(19, '0')
  return `${text.slice(0, -18)}.${text.slice(-18)}`
}

it('has the address of the client', () => {
  const known = JSON.stringify(DEFAULT_CONTRACT_ADDRESSES).toLowerCase()
  expect(known).toContain(conditionalTokens.toLowerCase())
})

it.each(['split', 'merge'] as const)(`${randomOrders} random amounts, %s`, async (intent) => {
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt({ min: 1n, max: 10n ** 27n }),
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      async (amount, condition) => {
        const conditionId = condition.toString(16).padStart(64, '0')
        world.outcomes.splice(0, world.outcomes.length, ...market('active', { conditionId }))
        const { body, build } = lane[intent]!
        const built = await build(world.context, body.parse({ outcome: marketId, amount: textOf(amount), owner }))
        const { caller, sent } = client()
        await caller[intent](usdt, `0x${conditionId}`, amount)
        const [{ to, value, data }] = sent as [Sent]
        expect({ to: to.toLowerCase(), value, data: data.toLowerCase() }).toEqual({
          to: String(built.unsigned.to).toLowerCase(),
          value: 0n,
          data: built.unsigned.data,
        })
      },
    ),
    { numRuns: randomOrders },
  )
})
