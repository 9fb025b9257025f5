// The venues' own Python clients use the labs: their models accept the responses, each book equals that of the lab, and they trade.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { MarketTruth } from '#lab/engine/market'
import { type Lab, startLab } from '#lab/lab'
import { issueKey } from '#test/src/venues/opinion/exec/world'
import { limitlessSdk, opinionClobSdk, polymarketUs, pyClobClient } from '#test/support/python/officialClients'
import { pythonDeadlineMs, pythonVenv } from '#test/support/python/venv'

const key = generatePrivateKey()
const wallet = privateKeyToAccount(key).address
let lab: Lab
let folder: string
beforeAll(async () => {
  const venues = ['polymarket', 'polymarket_us', 'limitless', 'opinion'] as const
  ;[lab, folder] = await Promise.all([
    startLab({ seed: 'official clients', venues, ratePerSecond: 0 }),
    mkdtemp(join(tmpdir(), 'crossbook-official-')),
  ])
})
afterAll(async () => {
  await lab.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Null, after skipping the test, if Python or the client is not installed. */
async function runPython(
  requirements: readonly string[],
  script: string,
  given: object,
  skip: (reason: string) => void,
): Promise<unknown> {
  const venv = await pythonVenv(requirements)
  if (venv.python === null) {
    skip(venv.reason)
    return null
  }
  const file = join(folder, 'given.json')
  await writeFile(file, JSON.stringify(given))
  return JSON.parse(
    await venv.python.run(['-c', `import json, sys\ngiven = json.load(open(sys.argv[1]))\n${script}`, file], {
      timeoutMs: 60_000,
    }),
  )
}

type Level = [price: number, size: number]
const levels = (side: MarketTruth['bids']): Level[] => side.map(([micros, contracts]) => [micros / 1e6, contracts])
/** As each client returns it, in any order. */
const sorted = (side: readonly (readonly [unknown, unknown])[]): Level[] =>
  side.map(([price, size]): Level => [Number(price), Number(size)]).sort(([a], [b]) => a - b)
const expectBook = ({ bids, asks }: { bids: Level[]; asks: Level[] }, truth: MarketTruth): void => {
  expect(sorted(bids)).toEqual(sorted(levels(truth.bids)))
  expect(sorted(asks)).toEqual(sorted(levels(truth.asks)))
}
const timeout = pythonDeadlineMs + 90_000

it('limitless-sdk 1.3.0', { timeout }, async ({ skip }) => {
  const { limitless } = lab
  const open = limitless.listing.markets.filter(
    ({ pool, slug, event, key: market }) =>
      pool === null && !event.isGroup && slug !== '' && limitless.engine.statusOf(market) === 'open',
  )
  const markets = [open.find(({ feeModule }) => feeModule === null)!, open.find(({ feeModule }) => feeModule !== null)!]
  const { tokenId, secret } = limitless.openAccount({ wallet })
  // The books are read before the client's own orders rest in them.
  const truths = markets.map(({ slug }) => limitless.book(slug)!)
  const printed = (await runPython(
    limitlessSdk,
    `
import asyncio
from eth_account import Account
from limitless_sdk.api import HttpClient
from limitless_sdk.markets import MarketFetcher
from limitless_sdk.orders import OrderClient
from limitless_sdk.types import OrderType, Side

async def main():
    http = HttpClient(base_url=given["url"], hmac_credentials={"token_id": given["tokenId"], "secret": given["secret"]})
    fetcher = MarketFetcher(http)
    orders = OrderClient(http, Account.from_key(given["key"]), market_fetcher=fetcher)
    active = await fetcher.get_active_markets()
    result = {"total": active.total_markets_count, "markets": []}
    for slug in given["slugs"]:
        market = await fetcher.get_market(slug)
        book = await fetcher.get_orderbook(slug)
        placed = await orders.create_order(token_id=market.tokens.yes, side=Side.BUY, order_type=OrderType.GTC,
                                           market_slug=slug, price=0.001, size=10)
        result["markets"].append({
            "title": market.title,
            "bids": [[row.price, row.size / 1e6] for row in book.bids],
            "asks": [[row.price, row.size / 1e6] for row in book.asks],
            "rate": placed.order.fee_rate_bps,
        })
    await http.close()
    print(json.dumps(result))
asyncio.run(main())
`,
    { url: limitless.urls.REST, slugs: markets.map(({ slug }) => slug), key, tokenId, secret },
    skip,
  )) as { total: number; markets: { title: string; bids: Level[]; asks: Level[]; rate: number }[] }
  expect(printed.total).toBeGreaterThan(0)
  expect(printed.markets.map(({ rate }) => rate)).toEqual([300, 0])
  for (const [n, truth] of truths.entries()) expectBook(printed.markets[n]!, truth)
  expect(limitless.engine.orderManager.ordersOf(wallet.toLowerCase())).toHaveLength(2)
})

it('polymarket-us 2.4.1', { timeout }, async ({ skip }) => {
  const { polymarket_us: venue } = lab
  const market = venue.listing.markets.find(({ key: of }) => venue.engine.statusOf(of) === 'open')!
  const printed = (await runPython(
    polymarketUs,
    `
from polymarket_us import PolymarketUS
client = PolymarketUS(key_id=given["keyId"], secret_key=given["secretKey"], gateway_base_url=given["gateway"], api_base_url=given["api"])
listed = client.markets.list({"limit": 5})
market = client.markets.retrieve_by_slug(given["slug"])
book = client.markets.book(given["slug"])["marketData"]
placed = client.orders.create({"marketSlug": given["slug"], "intent": "ORDER_INTENT_BUY_LONG", "type": "ORDER_TYPE_LIMIT",
                               "price": {"value": "0.01", "currency": "USD"}, "quantity": 10, "tif": "TIME_IN_FORCE_GOOD_TILL_CANCEL"})
order = client.orders.retrieve(placed["id"])["order"]
client.orders.cancel(placed["id"], {"marketSlug": given["slug"]})
print(json.dumps({"listed": len(listed["markets"]), "slug": market["market"]["slug"], "state": order["state"],
                  "bids": [[row["px"]["value"], row["qty"]] for row in book["bids"]],
                  "asks": [[row["px"]["value"], row["qty"]] for row in book["offers"]],
                  "left": client.orders.retrieve(placed["id"])["order"]["state"]}))
client.close()
`,
    { ...venue.key, gateway: venue.urls.GATEWAY, api: venue.urls.API, slug: market.slug },
    skip,
  )) as { listed: number; slug: string; state: string; left: string; bids: Level[]; asks: Level[] }
  expect(printed).toMatchObject({
    listed: 5,
    slug: market.slug,
    state: 'ORDER_STATE_PENDING_NEW',
    left: 'ORDER_STATE_CANCELED',
  })
  expectBook(printed, venue.book(market.slug)!)
})

it('py-clob-client-v2 1.2.1', { timeout }, async ({ skip }) => {
  const { polymarket } = lab
  const market = polymarket.listing.markets.find(({ key: of }) => polymarket.engine.statusOf(of) === 'open')!
  const [tokenId] = market.tokens
  const printed = (await runPython(
    pyClobClient,
    `
from py_clob_client_v2.client import ClobClient
from py_clob_client_v2.clob_types import BookParams, OrderArgsV2, OrderPayload
client = ClobClient(given["url"], chain_id=137, key=given["key"])
client.set_api_creds(client.create_or_derive_api_key())
book = client.get_order_book(given["tokenId"])
books = client.get_order_books([BookParams(token_id=given["tokenId"])])
placed = client.create_and_post_order(OrderArgsV2(token_id=given["tokenId"], price=0.01, size=10, side="BUY"))
open_orders = client.get_open_orders()
client.cancel_order(OrderPayload(orderID=placed["orderID"]))
print(json.dumps({"tick": client.get_tick_size(given["tokenId"]), "books": len(books), "status": placed["status"],
                  "open": [order["id"] for order in open_orders], "left": len(client.get_open_orders()), "id": placed["orderID"],
                  "bids": [[row["price"], row["size"]] for row in book["bids"]],
                  "asks": [[row["price"], row["size"]] for row in book["asks"]]}))
`,
    { url: polymarket.urls.CLOB, key, tokenId },
    skip,
  )) as {
    tick: string
    books: number
    status: string
    open: string[]
    left: number
    id: string
    bids: Level[]
    asks: Level[]
  }
  expect(printed).toMatchObject({ books: 1, status: 'live', open: [printed.id], left: 0 })
  expectBook(printed, polymarket.book(tokenId!)!)
})

it('opinion-clob-sdk 0.7.0', { timeout }, async ({ skip }) => {
  const { opinion } = lab
  const market = opinion.listing.markets.find(({ key: of }) => opinion.engine.statusOf(of) === 'open')!
  const apiKey = await issueKey(opinion.urls.REST, privateKeyToAccount(key), Date.now())
  const printed = (await runPython(
    opinionClobSdk,
    `
from opinion_clob_sdk.sdk import Client
client = Client(host=given["host"], apikey=given["apiKey"], chain_id=56, rpc_url="http://127.0.0.1:1",
                private_key=given["key"], multi_sig_addr=given["wallet"])
listed = client.get_markets(limit=5).result
market = client.get_market(given["marketId"]).result.data
book = client.get_orderbook(market.yes_token_id).result
print(json.dumps({"listed": len(listed.list), "id": market.market_id,
                  "bids": [[row.price, row.size] for row in book.bids], "asks": [[row.price, row.size] for row in book.asks]}))
`,
    { host: new URL(opinion.urls.REST).origin, apiKey, key, wallet, marketId: market.id },
    skip,
  )) as { listed: number; id: number; bids: Level[]; asks: Level[] }
  expect(printed).toMatchObject({ listed: 5, id: market.id })
  expectBook(printed, opinion.book(market.tokens[0]!)!)
})
