// The venue’s Python client, newer than its TypeScript one, posts the same orders, except for less than 1e-12 of a token: it reduces the
// price fraction, and the TypeScript client, which the lane follows, does not.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { toBytes } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildOrder, createLaneWorld, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { opinionClobSdk } from '#test/support/python/officialClients'
import { type PythonVenv, pythonDeadlineMs, pythonVenv } from '#test/support/python/venv'
import { randomOrders } from '#test/support/randomOrders'
import { seed } from '#test/support/seed'
import { opinionLane as lane } from '#venues/opinion/exec/index'
import { credentials, market, marketId, ok, publicReads, quoteTokens, safe, tokens, usdt } from './world.ts'

/** Salt and time are drawn inside, so they are patched to ours. */
const script = `
import json, sys
import opinion_clob_sdk.sdk as sdk
from opinion_clob_sdk.chain.py_order_utils.builders.order_builder import OrderBuilder
from opinion_clob_sdk.chain.py_order_utils.model.order import PlaceOrderDataInput
from opinion_clob_sdk.chain.py_order_utils.model.order_type import LIMIT_ORDER
from opinion_clob_sdk.chain.py_order_utils.model.sides import OrderSide

given = {}
made = OrderBuilder.__init__
def salted(self, *args, **more):
    made(self, *args, **{**more, "salt_generator": lambda: int(given["salt"])})
OrderBuilder.__init__ = salted
sdk.time = lambda: given["now"]

with open(sys.argv[2]) as lines:
    orders = [json.loads(line) for line in lines]
client = sdk.Client(host=sys.argv[1], apikey=orders[0]["apiKey"], chain_id=56, rpc_url="http://127.0.0.1:1",
                    private_key=orders[0]["key"], multi_sig_addr=orders[0]["safe"])
for order in orders:
    given = order
    amount = {"makerAmountInQuoteToken" if order["isBuy"] else "makerAmountInBaseToken": order["amount"]}
    client.place_order(PlaceOrderDataInput(marketId=order["marketId"], tokenId=order["tokenId"], price=order["price"],
                                           side=OrderSide.BUY if order["isBuy"] else OrderSide.SELL,
                                           orderType=LIMIT_ORDER, **amount))
`

/** The client’s host has no path. */
const withoutPrefix = (path: string): string => path.replace(/^\/openapi/, '')

const key = generatePrivateKey()
const account = privateKeyToAccount(key)
let world: LaneWorld
let venv: PythonVenv
let folder: string
beforeAll(async () => {
  ;[world, venv, folder] = await Promise.all([
    createLaneWorld('opinion', ['REST']),
    pythonVenv(opinionClobSdk),
    mkdtemp(join(tmpdir(), 'crossbook-oracle-')),
  ])
  world.outcomes.push(...market())
  world.answer((request) => {
    const seen = { ...request, path: withoutPrefix(request.path) }
    if (seen.method === 'POST') return ok({ orderData: { orderId: 'seen', filledShares: '0' } })
    if (seen.path.startsWith('/market/')) {
      return ok({ data: { marketId: Number(marketId), chainId: '56', quoteToken: usdt } })
    }
    return publicReads(seen, quoteTokens)
  })
}, pythonDeadlineMs + 30_000)
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const orders = fc.record({
  basisPoints: fc.integer({ min: 100, max: 9_900 }),
  hundredths: fc.integer({ min: 10_000, max: 500_000_000 }),
  isBuy: fc.boolean(),
  outcomeSide: fc.constantFrom('YES' as const, 'NO' as const),
  salt: fc.integer({ min: 1, max: 2_000_000_000 }),
})

/** The first four digits, padded to the same size. */
const fourDigits = (units: bigint): bigint => {
  const text = units.toString()
  return BigInt(text.slice(0, 4).padEnd(text.length, '0'))
}

it(`${randomOrders} random orders: the posted body is equal, with amounts as close as both formats allow`, async ({
  skip,
}) => {
  if (venv.python === null) return skip(venv.reason)
  const inputs: string[] = []
  const unsigned: unknown[] = []
  for (const { basisPoints, hundredths, isBuy, outcomeSide, salt } of fc.sample(orders, {
    numRuns: randomOrders,
    seed,
  })) {
    const price = String(basisPoints / 10_000)
    const cash = fourDigits(BigInt(basisPoints) * BigInt(hundredths))
    const shares = fourDigits(BigInt(hundredths) * 10_000n)
    const randomBytes = () => toBytes(salt, { size: 32 })
    const size = String(hundredths / 100)
    const body = { outcome: marketId, outcomeSide, isBuy, price, size, owner: account.address.toLowerCase() }
    const built = await buildOrder(
      lane,
      { ...world.context, randomBytes },
      { ...body, safeAddress: safe.toLowerCase() },
    )
    const signature = await account.signTypedData(built.unsigned as never)
    await submit(lane, world.context, executionOf(built), { ...credentials, signature })
    unsigned.push(built.unsigned)
    inputs.push(
      JSON.stringify({
        ...{ ...credentials, key, safe, marketId: Number(marketId), price, isBuy, salt: String(salt) },
        tokenId: tokens[outcomeSide === 'YES' ? 0 : 1],
        amount: Number(isBuy ? cash : shares) / 1_000_000,
        now: Math.floor(world.clock.now() / 1_000),
      }),
    )
  }
  const posted = () => world.seen.splice(0).filter(({ method }) => method === 'POST')
  const ours = posted()
  const file = join(folder, 'orders.jsonl')
  await writeFile(file, inputs.join('\n'))
  await venv.python.run(['-c', script, world.url, file], { timeoutMs: 240_000 })
  const theirs = posted()
  expect(theirs).toHaveLength(ours.length)
  for (const [n, { path, headers, text }] of ours.entries()) {
    const their = theirs[n]!
    expect([path, headers.apikey]).toEqual([withoutPrefix(their.path), their.headers.apikey])
    const { amounts, signatures, rest } = partsOf(text)
    const expected = partsOf(their.text)
    expect(rest).toEqual(expected.rest)
    for (const [i, amount] of amounts.entries()) {
      const less = BigInt(expected.amounts[i]!) - BigInt(amount)
      expect(less).toBeGreaterThanOrEqual(0n)
      expect(less).toBeLessThan(1_000_000n)
    }
    const [makerAmount, takerAmount] = expected.amounts
    const { message, ...typed } = unsigned[n] as { message: object }
    const signature = await account.signTypedData({
      ...typed,
      message: { ...message, makerAmount, takerAmount },
    } as never)
    expect(expected.signatures).toEqual([signature, signature])
    expect(new Set(signatures).size).toBe(1)
  }
}, 300_000)

function partsOf(text: string) {
  const { makerAmount, takerAmount, sign, signature, ...rest } = JSON.parse(text) as Record<string, string>
  return { amounts: [makerAmount!, takerAmount!] as const, signatures: [sign, signature], rest }
}
