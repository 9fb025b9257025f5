// The venue's Python client, newer than its TypeScript one, posts the same text: both protocols, all four signature types.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { pyClobClient } from '#test/support/python/officialClients'
import { type PythonVenv, pythonDeadlineMs, pythonVenv } from '#test/support/python/venv'
import { randomOrders } from '#test/support/randomOrders'
import { seed } from '#test/support/seed'
import { depositWalletsOf } from '#venues/polymarket/exec/depositWallet'
import { polymarketLane as lane } from '#venues/polymarket/exec/index'
import { createWorld, credentials, funder, idsOf, market, publicReads } from './world.ts'

/** Salt and time are drawn inside, so they are patched to ours. */
const script = `
import json, sys, time
from py_clob_client_v2.clob_types import CreateOrderOptions, OrderArgsV2
from py_clob_client_v2.order_builder.builder import OrderBuilder
from py_clob_client_v2.order_utils.exchange_order_builder_v2 import ExchangeOrderBuilderV2
from py_clob_client_v2.order_utils.model.order_data_v2 import order_to_json_v2
from py_clob_client_v2.signer import Signer

given = {}
made = ExchangeOrderBuilderV2.__init__
def salted(self, *args, **more):
    made(self, *args, **{**more, "generate_salt": lambda: given["salt"]})
ExchangeOrderBuilderV2.__init__ = salted
time.time_ns = lambda: given["timestamp"] * 1_000_000

with open(sys.argv[1]) as lines:
    for line in lines:
        given = v = json.loads(line)
        builder = OrderBuilder(Signer(v["key"], 137), signature_type=v["type"], funder=v["funder"])
        asset = {"position_id": v["asset"]} if v["protocol"] == "v2" else {"token_id": v["asset"]}
        args = OrderArgsV2(price=v["price"], size=v["size"], side=v["side"], expiration=v["expiration"],
                           metadata=v["metadata"], builder_code=v["builder"], **asset)
        signed = builder.build_order(args, CreateOrderOptions(tick_size="0.01", neg_risk=v["negRisk"]), version=2)
        print(json.dumps(order_to_json_v2(signed, v["owner"], v["orderType"])))
`

let world: LaneWorld
let venv: PythonVenv
let folder: string
beforeAll(async () => {
  ;[world, venv, folder] = await Promise.all([
    createWorld(),
    pythonVenv(pyClobClient),
    mkdtemp(join(tmpdir(), 'crossbook-oracle-')),
  ])
}, pythonDeadlineMs + 30_000)
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const bytes32 = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
const orders = fc.record({
  price: fc.integer({ min: 1, max: 99 }).map((cents) => cents / 100),
  // The client floors doubles and loses a hundredth of some sizes, which are left out.
  size: fc
    .integer({ min: 1, max: 1_000_000 })
    .filter((hundredths) => Math.floor((hundredths / 100) * 100) === hundredths)
    .map((hundredths) => hundredths / 100),
  isBuy: fc.boolean(),
  outcomeSide: fc.constantFrom('YES' as const, 'NO' as const),
  negRisk: fc.boolean(),
  protocol: fc.constantFrom('v1' as const, 'v2' as const),
  signatureType: fc.constantFrom(0, 1, 2, 3),
  expiresAt: fc.constantFrom(0, 1_800_000_000),
  metadata: bytes32,
  builder: bytes32,
})

it(`${randomOrders} random orders: the posted order is equal`, async ({ skip }) => {
  if (venv.python === null) return skip(venv.reason)
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  const [current, earlier] = depositWalletsOf(account.address)
  const ours: unknown[] = []
  const inputs: string[] = []
  for (const { negRisk, protocol, ...order } of fc.sample(orders, { numRuns: randomOrders, seed })) {
    const { signatureType } = order
    const wallet =
      signatureType === 0 ? account.address : signatureType === 3 ? (order.isBuy ? current : earlier) : funder
    world.outcomes.splice(0, world.outcomes.length, ...market(negRisk, 'active', protocol))
    world.answer((seen) =>
      seen.method === 'POST'
        ? { body: { success: true, orderID: 'seen', status: 'live' } }
        : publicReads(seen, { negRisk, mos: null, v: protocol, ids: idsOf(protocol) }),
    )
    const body = { outcome: '512345', owner: account.address, funder: wallet, ...order }
    const built = await buildOrder(lane, world.context, body)
    const signature = await account.signTypedData(built.unsigned as never)
    await submit(lane, world.context, executionOf(built), { ...credentials, signature })
    const posted = JSON.parse(world.seen.at(-1)!.text)
    ours.push(posted)
    inputs.push(
      JSON.stringify({
        ...{ key, type: signatureType, funder: wallet, protocol, negRisk },
        ...{ asset: posted.order.tokenId, price: order.price, size: order.size },
        ...{ side: posted.order.side, salt: posted.order.salt, timestamp: Number(posted.order.timestamp) },
        ...{ expiration: order.expiresAt, metadata: order.metadata, builder: order.builder },
        ...{ owner: credentials.apiKey, orderType: posted.orderType },
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
