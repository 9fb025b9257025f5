// The venue's own client encodes the same splits, merges and conversions, of an EOA and of a smart wallet.
import { createRequire } from 'node:module'
import type { OrderBuilder as Builder } from '@predictdotfun/sdk'
import fc from 'fast-check'
import { type Abi, decodeFunctionData, encodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Event } from '#schemas/market'
import { binaryMarket, createLaneWorld, type LaneWorld } from '#test/support/laneWorld'
import { randomOrders } from '#test/support/randomOrders'
import type { LaneContext, ResolvedOutcome } from '#venues/lane'
import { predictfunLane as lane } from '#venues/predictfun/exec/index'
import { redeemers } from '#venues/predictfun/exec/typedData'
import { conditionIdOf } from '#venues/shared/exec/conversion'
import { conditionId, market, marketId, owner, smartWallet } from './world.ts'

// Its ABIs are no named exports of a module.
const { ChainId, ConditionalTokensAbi, KernelAbi, NegRiskAdapterAbi, OrderBuilder, YieldBearingConditionalTokensAbi } =
  createRequire(import.meta.url)('@predictdotfun/sdk') as typeof import('@predictdotfun/sdk')

let world: LaneWorld
beforeAll(async () => {
  world = await createLaneWorld('predictfun', ['REST', 'RPC'])
})
afterAll(() => world.close())

const abis: Record<string, Abi> = {
  CONDITIONAL_TOKENS: ConditionalTokensAbi as unknown as Abi,
  YIELD_BEARING_CONDITIONAL_TOKENS: YieldBearingConditionalTokensAbi as unknown as Abi,
  NEG_RISK_ADAPTER: NegRiskAdapterAbi as unknown as Abi,
  YIELD_BEARING_NEG_RISK_ADAPTER: NegRiskAdapterAbi as unknown as Abi,
  KERNEL: KernelAbi as unknown as Abi,
}

interface Sent {
  to: string
  data: Hex
}

/** `name` may be a signature, as the client writes overloaded functions. */
function encoded(identifier: string, name: string, args: readonly unknown[]): Hex {
  const functionName = name.split('(')[0]!
  const abi = abis[identifier]!.filter(
    (item) => item.type !== 'function' || item.name !== functionName || item.inputs.length === args.length,
  )
  return encodeFunctionData({ abi, functionName, args })
}

/** The client with contracts that record what they would be sent. */
function client(isSmart: boolean): { builder: Builder; sent: Sent[] } {
  const sent: Sent[] = []
  const builder = OrderBuilder.make(ChainId.BnbMainnet)
  const { addresses } = builder as unknown as { addresses: Record<string, string> }
  const contracts = Object.fromEntries(
    Object.keys(abis).map((identifier) => [
      identifier,
      {
        contract: new Proxy({}, { get: (_, name) => ({ identifier, name: String(name) }) }),
        codec: {
          encodeFunctionData: (name: string, args: readonly unknown[]) => encoded(identifier, name, args),
        },
      },
    ]),
  )
  Object.assign(builder as object, {
    contracts,
    ...(isSmart && { predictAccount: smartWallet }),
    handleTransaction: async ({ identifier, name }: { identifier: string; name: string }, ...args: unknown[]) => {
      const to = identifier === 'KERNEL' ? smartWallet : addresses[identifier]!
      sent.push({ to, data: encoded(identifier, name, args) })
    },
  })
  return { builder, sent }
}

const wei = fc.bigInt({ min: 1n, max: 10n ** 27n })
const textOf = (amount: bigint): string => {
  const text = amount.toString().padStart(19, '0')
  return `${text.slice(0, -18)}.${text.slice(-18)}`
}
const cases = fc.record({
  amount: wei,
  isSmart: fc.boolean(),
  isNegRisk: fc.boolean(),
  isYieldBearing: fc.boolean(),
})
const wallets = (isSmart: boolean) => ({ owner, ...(isSmart && { predictAccount: smartWallet }) })
const same = ({ to, data }: Sent) => ({ to: to.toLowerCase(), data: data.toLowerCase() })

describe.each(['split', 'merge'] as const)('%s', (intent) => {
  it(`${randomOrders} random amounts of every kind of market`, async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ amount, isSmart, isNegRisk, isYieldBearing }) => {
        world.outcomes.splice(0, world.outcomes.length, ...market({ negRisk: isNegRisk, isYieldBearing }))
        const { body, build } = lane[intent]!
        const built = await build(
          world.context,
          body.parse({ outcome: marketId, amount: textOf(amount), ...wallets(isSmart) }),
        )
        const { builder, sent } = client(isSmart)
        const options = { conditionId, amount, isNegRisk, isYieldBearing }
        await (intent === 'split' ? builder.splitPositions(options) : builder.mergePositions(options))
        expect(same(built.unsigned as unknown as Sent)).toEqual(same(sent[0]!))
        lane.checkBounds(built.unsigned, built.bounds)
      }),
      { numRuns: randomOrders },
    )
  })
})

describe('convert', () => {
  const negRiskOnChainId: Hex = `0x${'3c'.repeat(31)}00`
  const viewAbi = parseAbi([
    'function getQuestionCount(bytes32) view returns (uint256)',
    'function getFeeBips(bytes32) view returns (uint256)',
  ])

  function eventOf(count: number, isYieldBearing: boolean): { rows: ResolvedOutcome[]; event: Event } {
    const adapter = redeemers[isYieldBearing ? 'yieldNegRisk' : 'negRisk']
    const rows = Array.from({ length: count }, (_, place) =>
      binaryMarket('predictfun', `90${place}`, [`90${place}:1`, `90${place}:2`], {
        sourceMetadata: {
          tokenIds: ['1', '2'],
          negRisk: true,
          isYieldBearing,
          conditionId: conditionIdOf(adapter, negRiskOnChainId, place),
        },
      }).map((row) => ({ ...row, market: { ...row.market, eventId: 'category' } })),
    ).flat()
    const markets = rows.filter(({ side }) => side === 'YES').map(({ market: each }) => each)
    return { rows, event: { id: 'category', markets, sourceMetadata: { negRiskOnChainId } } as unknown as Event }
  }

  it(`${randomOrders} random outcomes of random events`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 12 }),
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        cases,
        async (count, chosen, { amount, isSmart, isYieldBearing }) => {
          const { rows, event } = eventOf(count, isYieldBearing)
          world.outcomes.splice(0, world.outcomes.length, ...rows)
          world.answer(({ text }) => {
            const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: { data: Hex }[] }
            if (method === 'eth_chainId') return { body: { jsonrpc: '2.0', id, result: '0x38' } }
            const { functionName } = decodeFunctionData({ abi: viewAbi, data: params[0]!.data })
            const value = functionName === 'getQuestionCount' ? BigInt(count) : 0n
            return {
              body: { jsonrpc: '2.0', id, result: encodeFunctionResult({ abi: viewAbi, functionName, result: value }) },
            }
          })
          const context: LaneContext = {
            ...world.context,
            catalog: { ...world.context.catalog, event: async () => event },
          }
          const places = Array.from({ length: count }, (_, place) => place).filter((place) => chosen[place])
          const given = places.length === 0 ? [0] : places
          const { body, build } = lane.convert!
          const built = await build(
            context,
            body.parse({ outcomes: given.map((place) => `90${place}`), amount: textOf(amount), ...wallets(isSmart) }),
          )
          const { builder, sent } = client(isSmart)
          const indexSet = given.reduce((set, place) => set | (1n << BigInt(place)), 0n)
          await builder.convertPositions({ negRiskOnChainId, indexSet, amount, isYieldBearing })
          expect(same(built.unsigned as unknown as Sent)).toEqual(same(sent[0]!))
          lane.checkBounds(built.unsigned, built.bounds)
          expect(built.exchange?.receives).toHaveLength(count - given.length)
        },
      ),
      { numRuns: randomOrders },
    )
  })
})
