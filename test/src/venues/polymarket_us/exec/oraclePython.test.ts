// The venue’s Python client, newer than its TypeScript one, sends the same address, body and signed headers.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SendRequest } from '#net/http'
import { buildOrder, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { polymarketUs } from '#test/support/python/officialClients'
import { type PythonVenv, pythonDeadlineMs, pythonVenv } from '#test/support/python/venv'
import { randomOrders } from '#test/support/randomOrders'
import { seed } from '#test/support/seed'
import type { LaneContext } from '#venues/lane'
import { polymarketUsLane as lane } from '#venues/polymarket_us/exec/index'
import { createWorld, credentials, market, slug } from './world.ts'

const script = `
import json, sys, time
import httpx
from polymarket_us import PolymarketUS

sent = []
def request(method, url, params=None, json=None, headers=None):
    sent.append({"method": method, "url": url, "body": json,
                 "headers": {name.lower(): value for name, value in headers.items() if name.lower().startswith("x-pm-")}})
    return httpx.Response(200, json={"id": "oid-1"}, request=httpx.Request(method, url))

with open(sys.argv[1]) as lines:
    for line in lines:
        v = json.loads(line)
        time.time = lambda: v["now"] / 1000
        client = PolymarketUS(key_id=v["keyId"], secret_key=v["secretKey"])
        client._http.request = request
        client.orders.create(v["order"])
        client.orders.cancel("oid-1", {"marketSlug": v["order"]["marketSlug"]})
        client.close()
        print(json.dumps(sent))
        sent.clear()
`

let world: LaneWorld
let context: LaneContext
let venv: PythonVenv
let folder: string
const sent: SendRequest[] = []
beforeAll(async () => {
  ;[world, venv, folder] = await Promise.all([
    createWorld(),
    pythonVenv(polymarketUs),
    mkdtemp(join(tmpdir(), 'crossbook-oracle-')),
  ])
  context = {
    ...world.context,
    urls: lane.urls,
    sender: {
      async send(request) {
        const { headers } = request
        sent.push({ ...request, headers: typeof headers === 'function' ? await headers() : headers })
        return { kind: 'answered', status: 200, headers: {}, text: '{"id":"oid-1"}' }
      },
    },
  }
}, pythonDeadlineMs + 30_000)
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const orders = fc.record({
  outcomeId: fc.constantFrom(`${slug}:long`, `${slug}:short`),
  side: fc.constantFrom('buy', 'sell'),
  type: fc.constantFrom('limit', 'market'),
  price: fc.integer({ min: 1, max: 999 }).map((mills) => (mills / 1_000).toFixed(3)),
  hundredths: fc.integer({ min: 1, max: 100_000_000 }),
})

it(`${randomOrders} random orders and their cancellations are sent like the client does`, async ({ skip }) => {
  if (venv.python === null) return skip(venv.reason)
  world.outcomes.splice(0, 2, ...market({ minimumTradeQty: '0.01' }))
  const ours: unknown[] = []
  const inputs: string[] = []
  for (const { hundredths, ...body } of fc.sample(orders, { numRuns: randomOrders, seed })) {
    world.clock.advance(1)
    sent.length = 0
    const given = { ...body, marketId: slug, amount: (hundredths / 100).toFixed(2) }
    const execution = executionOf(await buildOrder(lane, context, given), { venueRef: 'oid-1' })
    await submit(lane, context, execution, credentials)
    const cancel = await lane.cancel!.build(context, execution, {} as never)
    await submit(lane, context, executionOf(cancel, {}, 'cancel'), credentials)
    ours.push(
      sent.map(({ method, url, headers, text }) => ({
        ...{ method, url, body: text === null ? null : JSON.parse(text) },
        headers: Object.fromEntries(
          Object.entries(headers as Record<string, string>)
            .map(([name, value]) => [name.toLowerCase(), value] as const)
            .filter(([name]) => name.startsWith('x-pm-')),
        ),
      })),
    )
    const isLong = body.outcomeId.endsWith(':long')
    const mills = Math.round(Number(body.price) * 1_000)
    inputs.push(
      JSON.stringify({
        ...credentials,
        now: world.clock.now(),
        order: {
          marketSlug: slug,
          intent: `ORDER_INTENT_${body.side === 'buy' ? 'BUY' : 'SELL'}_${isLong ? 'LONG' : 'SHORT'}`,
          type: 'ORDER_TYPE_LIMIT',
          price: { value: String((isLong ? mills : 1_000 - mills) / 1_000), currency: 'USD' },
          quantity: hundredths / 100,
          tif: body.type === 'limit' ? 'TIME_IN_FORCE_GOOD_TILL_CANCEL' : 'TIME_IN_FORCE_IMMEDIATE_OR_CANCEL',
          manualOrderIndicator: 'MANUAL_ORDER_INDICATOR_AUTOMATIC',
        },
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
  for (const [n, requests] of ours.entries()) expect(requests).toEqual(theirs[n])
}, 300_000)
