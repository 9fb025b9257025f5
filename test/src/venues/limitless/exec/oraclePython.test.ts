// The venue’s Python client, newer than its TypeScript one, signs and posts the same, also in markets whose takers pay their fee in USDC.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { limitlessSdk } from '#test/support/python/officialClients'
import { type PythonVenv, pythonDeadlineMs, pythonVenv } from '#test/support/python/venv'
import { randomOrders } from '#test/support/randomOrders'
import { seed } from '#test/support/seed'
import { limitlessLane as lane } from '#venues/limitless/exec/index'
import {
  buy,
  createWorld,
  credentials,
  exchange,
  market,
  placed,
  profile,
  shownProfile,
  slug,
  tokens,
} from './world.ts'

/** The salt is drawn inside, so it is patched to ours. */
const script = `
import asyncio, json, sys
from eth_account import Account
from limitless_sdk.api.hmac import compute_hmac_signature
from limitless_sdk.orders.builder import OrderBuilder, apply_venue_fee_rate
from limitless_sdk.orders.signer import OrderSigner
from limitless_sdk.types.markets import Venue
from limitless_sdk.types.orders import CreateOrderDto, OrderSigningConfig, Side, SignedOrder

async def main():
    with open(sys.argv[1]) as lines:
        for line in lines:
            v = json.loads(line)
            account = Account.from_key(v["key"])
            venue = Venue(**v["venue"])
            builder = OrderBuilder(account.address, v["feeRateBps"])
            builder._generate_salt = lambda: v["salt"]
            order = builder.build_order(v["tokenId"], v["price"], v["size"], Side.BUY if v["isBuy"] else Side.SELL)
            order = apply_venue_fee_rate(order, venue)
            config = OrderSigningConfig(chain_id=8453, contract_address=venue.exchange)
            signature = await OrderSigner(account).sign_order(order, config)
            posted = CreateOrderDto(order=SignedOrder(**order.model_dump(), signature=signature), owner_id=v["ownerId"],
                                    order_type="GTC", market_slug=v["slug"])
            mac = compute_hmac_signature(v["secret"], v["timestamp"], "POST", "/orders", v["text"])
            print(json.dumps([posted.model_dump(by_alias=True, exclude_none=True), mac]))

asyncio.run(main())
`

const key: Hex = `0x${'0123456789'.repeat(6)}0123`
const account = privateKeyToAccount(key)
const feeModule = `0x${'fe'.repeat(20)}`

let world: LaneWorld
let venv: PythonVenv
let folder: string
beforeAll(async () => {
  ;[world, venv, folder] = await Promise.all([
    createWorld(),
    pythonVenv(limitlessSdk),
    mkdtemp(join(tmpdir(), 'crossbook-oracle-')),
  ])
}, pythonDeadlineMs + 30_000)
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const orders = fc.record({
  price: fc.integer({ min: 1, max: 999 }).map((mills) => mills / 1_000),
  size: fc.integer({ min: 1, max: 100_000_000 }).map((mills) => mills / 1_000),
  isBuy: fc.boolean(),
  outcomeSide: fc.constantFrom('YES' as const, 'NO' as const),
  paysFeeInUsdc: fc.boolean(),
})

it(`${randomOrders} random orders: the posted order, its signature and the HMAC are equal`, async ({ skip }) => {
  if (venv.python === null) return skip(venv.reason)
  world.answer((seen) => shownProfile(seen) ?? { status: 201, body: placed })
  const ours: unknown[] = []
  const inputs: string[] = []
  for (const { paysFeeInUsdc, ...order } of fc.sample(orders, { numRuns: randomOrders, seed })) {
    const collateral = paysFeeInUsdc ? { feeModule, feeModuleType: 'COLLATERAL' } : {}
    world.outcomes.splice(0, world.outcomes.length, ...market(collateral))
    world.seen.length = 0
    const built = await buildOrder(lane, world.context, { ...buy, ...order, owner: account.address })
    const signature = await account.signTypedData(built.unsigned as never)
    const { outcome } = await submit(lane, world.context, executionOf(built), { ...credentials, signature })
    expect(outcome).toMatchObject({ kind: 'accepted' })
    const { text, headers } = world.seen.at(-1)!
    const { clientOrderId, ...posted } = JSON.parse(text)
    ours.push([posted, headers['lmts-signature']])
    inputs.push(
      JSON.stringify({
        ...{ key, slug, ownerId: profile.id, feeRateBps: profile.rank.feeRateBps, secret: credentials.secret },
        ...{ price: order.price, size: order.size, isBuy: order.isBuy, venue: { exchange, ...collateral } },
        tokenId: order.outcomeSide === 'YES' ? tokens.yes : tokens.no,
        ...{ salt: posted.order.salt, timestamp: headers['lmts-timestamp'], text },
      }),
    )
  }
  const file = join(folder, 'orders.jsonl')
  await writeFile(file, inputs.join('\n'))
  const printed = await venv.python.run(['-c', script, file], { timeoutMs: 120_000 })
  const theirs = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(theirs).toHaveLength(ours.length)
  for (const [n, order] of ours.entries()) expect(order).toEqual(theirs[n])
}, 300_000)
