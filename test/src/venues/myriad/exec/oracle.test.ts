// ccxt’s Myriad (MIT) builds, signs, posts and cancels the same order, byte for byte. Calldata of pools is compared with the ABI of the
// contracts’ own package.
import ccxt from 'ccxt'
import fc from 'fast-check'
import { encodeFunctionData, type Hex, hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { buildOrder, executionOf, submit } from '#test/support/laneWorld'
import { randomOrders } from '#test/support/randomOrders'
import { claimCalldata, tradeCalldata } from '#venues/myriad/exec/contracts'
import { myriadLane as lane } from '#venues/myriad/exec/index'
import { predictionMarketV3_4 as abi } from './predictionMarketAbi.ts'
import { laneSuite } from './world.ts'

const suite = laneSuite()

interface Signed {
  order: Record<string, unknown>
  signature: Hex
  timeInForce: string
  networkId: string
}
interface Oracle {
  privateKey: string
  outcome: (handle: string) => unknown
  numberToString(value: unknown): string
  sign(path: string, api: string[], method: string, params: object): { url: string; method: string; body: string }
  buildOrderbookOrder(...args: unknown[]): Signed
}

const steps = [10n ** 16n, 10n ** 15n, 10n ** 12n, 10n ** 6n, 1n] as const
const text = (units: bigint): string => {
  const digits = units.toString().padStart(19, '0')
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '')
}

/** With price steps from a cent down to the last digit. */
const orders = fc.constantFrom(...steps).chain((step) =>
  fc.record({
    price: fc.bigInt({ min: 1n, max: 10n ** 18n / step - 1n }).map((n) => text(n * step)),
    size: fc.oneof(
      fc.integer({ min: 1, max: 1_000_000 }).map((n) => String(n / 100)),
      fc.bigInt({ min: 1n, max: 10n ** 24n }).map(text),
    ),
    isBuy: fc.boolean(),
    side: fc.constantFrom(0 as const, 1 as const),
    expiresAt: fc.constantFrom(0, 1_900_000_000),
  }),
)

/** Our time in force, and ccxt’s. */
const kinds = [
  { name: 'good-til-cancel and good-til-date', timeInForce: undefined, word: null },
  { name: 'fill-or-kill', timeInForce: 'fill-or-kill', word: 'FOK' },
  { name: 'immediate-or-cancel', timeInForce: 'immediate-or-cancel', word: 'FAK' },
]

it.each(kinds)(
  `${randomOrders} random $name orders: artifact, hash, signature, posted text and cancellation are equal`,
  async ({ timeInForce: requested, word }) => {
    const { world } = suite
    const oracle = new ccxt.prediction.myriad() as unknown as Oracle
    const key = generatePrivateKey()
    const wallet = privateKeyToAccount(key)
    oracle.privateKey = key
    // Exact amounts are passed as text, which their number parser would round.
    oracle.numberToString = String
    world.answer(({ method, path }) => ({
      body: {
        orderHash: method === 'DELETE' ? path.slice('/orders/'.length) : `0x${'1'.repeat(64)}`,
        status: 'cancelled',
      },
    }))
    await fc.assert(
      fc.asyncProperty(orders, async ({ price, size, isBuy, side, expiresAt: drawn }) => {
        world.seen.length = 0
        const expiresAt = word === null ? drawn : 0
        const built = await buildOrder(lane, world.context, {
          outcome: '56:ob:730',
          outcomeSide: side === 0 ? 'YES' : 'NO',
          isBuy,
          price,
          size,
          owner: wallet.address,
          expiresAt,
          timeInForce: requested,
        })
        const execution = executionOf(built)
        const typed = execution.unsigned as unknown as { message: { nonce: string } }
        oracle.outcome = () => ({ info: { networkId: '56', marketId: '730', outcomeId: side } })
        const given = {
          nonce: typed.message.nonce,
          expiration: String(expiresAt),
          timeInForce: word ?? (expiresAt === 0 ? 'GTC' : 'GTD'),
        }
        const theirs = oracle.buildOrderbookOrder('x', 'limit', isBuy ? 'buy' : 'sell', size, price, given)
        const signature = await wallet.signTypedData(execution.unsigned as never)
        expect(signature).toBe(theirs.signature)
        expect(hashTypedData(execution.unsigned as never)).toBe(built.clientRef)
        const { prepared, outcome } = await submit(lane, world.context, execution, { signature })
        expect([outcome.kind, prepared.venueRef]).toEqual(['accepted', built.clientRef])
        const { order, timeInForce, networkId } = theirs
        const posted = { order, signature, network_id: Number(networkId), time_in_force: timeInForce }
        const post = oracle.sign('orders', ['myriad', 'public'], 'POST', posted)
        expect([world.seen[0]!.method, world.seen[0]!.path, world.seen[0]!.text]).toEqual([
          post.method,
          new URL(post.url).pathname,
          post.body,
        ])
        const target = {
          ...execution,
          status: 'acked' as const,
          venueRef: built.clientRef,
          submittedArtifact: prepared.submittedArtifact,
        }
        const cancel = executionOf(await lane.cancel!.build(world.context, target, {} as never), { target }, 'cancel')
        expect((await submit(lane, world.context, cancel, {})).outcome.kind).toBe('accepted')
        const params = { hash: built.clientRef, order, signature, network_id: Number(networkId) }
        const gone = oracle.sign('orders/{hash}', ['myriad', 'public'], 'DELETE', params)
        expect([world.seen[1]!.method, world.seen[1]!.path, world.seen[1]!.text]).toEqual([
          gone.method,
          new URL(gone.url).pathname,
          gone.body,
        ])
      }),
      { numRuns: randomOrders },
    )
  },
  240_000,
)

it(`${randomOrders} random trades with pools, and claims: the calldata equals the contract’s ABI encoding`, () => {
  const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  const trade = fc.record({ isBuy: fc.boolean(), marketId: word, outcomeId: word, value: word, shares: word })
  fc.assert(
    fc.property(trade, ({ isBuy, marketId, outcomeId, value, shares }) => {
      const theirs = isBuy
        ? encodeFunctionData({ abi, functionName: 'buy', args: [marketId, outcomeId, shares, value] })
        : encodeFunctionData({ abi, functionName: 'sell', args: [marketId, outcomeId, value, shares] })
      expect(tradeCalldata({ isBuy, marketId, outcomeId, value, shares })).toBe(theirs)
      const claim = isBuy
        ? encodeFunctionData({ abi, functionName: 'claimWinnings', args: [marketId] })
        : encodeFunctionData({ abi, functionName: 'claimVoidedOutcomeShares', args: [marketId, outcomeId] })
      expect(claimCalldata(marketId, isBuy ? null : outcomeId)).toBe(claim)
    }),
    { numRuns: randomOrders },
  )
})
