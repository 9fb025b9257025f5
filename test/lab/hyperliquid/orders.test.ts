// The lab's order entry with the venue's TypeScript library.
import { ExchangeClient, HttpTransport, InfoClient } from '@nktkas/hyperliquid'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Lab, startLab } from '#lab/lab'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ seed: 'orders', venues: ['hyperliquid'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

const transport = () => new HttpTransport({ apiUrl: lab.hyperliquid.urls.REST })
const info = () => new InfoClient({ transport: transport() })

function trader(usd = 100_000) {
  const wallet = privateKeyToAccount(generatePrivateKey())
  lab.hyperliquid.fund(wallet.address, usd)
  return { wallet, user: wallet.address, client: new ExchangeClient({ transport: transport(), wallet }) }
}

/** An open outcome, its YES asset and its best prices. */
function market() {
  const { listing, engine, book } = lab.hyperliquid
  const found = listing.outcomes.find(({ key, outcome }) => {
    if (engine.statusOf(key) !== 'open') return false
    const { bids, asks } = book(`#${outcome}0`)!
    return bids[0]![0] > 200_000 && asks[0]![0] < 800_000
  })!
  const { bids, asks } = book(`#${found.outcome}0`)!
  return {
    outcome: found.outcome,
    coin: `#${found.outcome}0`,
    asset: 100_000_000 + found.outcome * 10,
    bid: bids[0]![0] / 1e6,
    ask: asks[0]![0] / 1e6,
    askSize: asks[0]![1],
  }
}

const order = (over: object = {}) => {
  const { asset, bid } = market()
  return { a: asset, b: true, p: String(bid), s: '50', r: false, t: { limit: { tif: 'Gtc' as const } }, ...over }
}
const body = (over: object = {}) => ({ orders: [order(over)], grouping: 'na' as const })
/** Too large for a number: the library would query a smaller one as an order id. */
const cloid = (n: number): `0x${string}` => `0xf${n.toString(16).padStart(31, '0')}`

async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => {
      throw new Error('the request was not rejected')
    },
    (caught: unknown) => caught,
  )
  return (error as Error).message
}

type Statuses = { resting?: { oid: number }; filled?: { oid: number; totalSz: string; avgPx: string } }[]
const statuses = (answer: unknown) => (answer as { response: { data: { statuses: Statuses } } }).response.data.statuses

const post = async (signed: unknown) => {
  const response = await fetch(`${lab.hyperliquid.urls.REST}/exchange`, {
    method: 'POST',
    body: JSON.stringify(signed),
  })
  return { body: (await response.json()) as Record<string, unknown> }
}

describe('order entry with the library', () => {
  test('rests an order in the public book, modifies it, and cancels it by its own id and by that of the client', async () => {
    const { client, user } = trader()
    const { coin, asset, bid } = market()
    const before = (await info().l2Book({ coin }))!.levels[0][0]!
    const [{ resting }] = statuses(await client.order(body({ c: cloid(1) }))) as [{ resting: { oid: number } }]
    const after = (await info().l2Book({ coin }))!.levels[0][0]!
    expect(Number(after.sz)).toBe(Number(before.sz) + 50)
    expect(await info().openOrders({ user })).toMatchObject([{ coin, side: 'B', oid: resting.oid, cloid: cloid(1) }])
    expect(await info().orderStatus({ user, oid: cloid(1) })).toMatchObject({
      status: 'order',
      order: { status: 'open', order: { oid: resting.oid, origSz: '50.0', limitPx: String(bid) } },
    })
    const moved = await client.batchModify({ modifies: [{ oid: resting.oid, order: order({ s: '60', c: cloid(2) }) }] })
    const next = statuses(moved)[0]!.resting!.oid
    expect(await info().orderStatus({ user, oid: resting.oid })).toMatchObject({ order: { status: 'canceled' } })
    await client.modify({ oid: next, order: order({ s: '70', c: cloid(3) }) })
    expect(await client.cancelByCloid({ cancels: [{ asset, cloid: cloid(3) }] })).toMatchObject({
      response: { data: { statuses: ['success'] } },
    })
    expect(await info().openOrders({ user })).toEqual([])
    expect(await refusal(client.cancel({ cancels: [{ a: asset, o: next }] }))).toContain(
      'Order was never placed, already canceled, or filled.',
    )
  })

  test('fills a crossing order at the resting price, and updates balances and fills', async () => {
    const { client, user } = trader()
    const { ask, askSize, coin } = market()
    const size = Math.min(40, askSize)
    const [status] = statuses(
      await client.order(body({ p: String(ask), s: String(size), t: { limit: { tif: 'Ioc' } } })),
    )
    expect(status!.filled).toMatchObject({ totalSz: String(size), avgPx: String(ask) })
    expect(await info().userFills({ user })).toMatchObject([
      { coin, px: String(ask), sz: `${size}.0`, crossed: true, dir: 'Buy', oid: status!.filled!.oid },
    ])
    const { balances } = await info().spotClearinghouseState({ user })
    expect(balances).toMatchObject([{ coin: 'USDC' }, { coin: `+${coin.slice(1)}`, total: `${size}.0`, hold: '0.0' }])
    expect(Number(balances[0]!.total)).toBeCloseTo(100_000 - size * ask, 6)
  })

  test('rejects with the errors of the venue', async () => {
    const { client } = trader()
    const { ask } = market()
    const words: [object, string][] = [
      [{ p: '0.350001' }, 'Price must be divisible by tick size.'],
      [{ s: '50.5' }, 'Order has invalid size'],
      [{ s: '1' }, 'Order must have minimum value of 10 USDC.'],
      [{ p: String(ask), t: { limit: { tif: 'Alo' } } }, 'Post only order would have immediately matched, bbo was '],
      [
        { p: '0.001', s: '20000', t: { limit: { tif: 'Ioc' } } },
        'could not immediately match against any resting orders.',
      ],
      [{ s: '900000' }, 'Insufficient spot balance asset=USDC'],
      [{ b: false }, 'Insufficient spot balance asset=+'],
    ]
    for (const [over, message] of words) expect(await refusal(client.order(body(over)))).toContain(message)
  })

  test('cancels a resting order that meets another one of its own account', async () => {
    const { client, user } = trader()
    const { ask, bid } = market()
    await client.order(body({ p: String(ask), s: '30' }))
    await client.order(body({ c: cloid(9) }))
    const sold = statuses(await client.order(body({ b: false, p: String(bid), s: '30', t: { limit: { tif: 'Ioc' } } })))
    expect(sold[0]!.filled).toBeDefined()
    expect(await info().orderStatus({ user, oid: cloid(9) })).toMatchObject({ order: { status: 'selfTradeCanceled' } })
  })

  test('rejects a changed price, a used nonce and an unknown wallet', async () => {
    const { wallet } = trader()
    const sent: { action: { orders: { p: string }[] } }[] = []
    const real = transport()
    const spy = {
      isTestnet: false,
      request<T>(endpoint: 'info' | 'exchange' | 'explorer', payload: unknown, signal?: AbortSignal): Promise<T> {
        sent.push(payload as (typeof sent)[number])
        return real.request<T>(endpoint, payload, signal)
      },
    }
    await new ExchangeClient({ transport: spy, wallet }).order(body())
    const first = sent[0]!
    const again = await post(first)
    expect(again.body).toMatchObject({ status: 'err', response: expect.stringContaining('duplicate nonce') })
    const changed = structuredClone(first)
    changed.action.orders[0]!.p = '0.999'
    const other = await post(changed)
    expect(other.body).toMatchObject({ status: 'err', response: expect.stringContaining('does not exist') })
    const unregistered = new ExchangeClient({
      transport: transport(),
      wallet: privateKeyToAccount(generatePrivateKey()),
    })
    expect(await refusal(unregistered.order(body()))).toContain('does not exist')
  })

  test('lists its outcomes and questions; a settled one leaves the list and its orders are canceled', async () => {
    const { client, user } = trader()
    const { outcome, coin } = market()
    const listed = async () => (await info().outcomeMeta()).outcomes.map((row) => row.outcome)
    expect(await listed()).toContain(outcome)
    await client.order(body({ c: cloid(7) }))
    lab.hyperliquid.faults.resolve({ market: coin, result: 'yes' })
    expect(await listed()).not.toContain(outcome)
    expect(await info().settledOutcome({ outcome })).toMatchObject({ settleFraction: '1' })
    expect(await info().orderStatus({ user, oid: cloid(7) })).toMatchObject({
      order: { status: 'outcomeSettledCanceled' },
    })
    expect(await info().l2Book({ coin })).toBeNull()
  })

  test('faults on request: dropped after acceptance, never accepted, forgotten, rejected', async () => {
    const { client, user } = trader()
    const known = async (id: `0x${string}`) => (await info().orderStatus({ user, oid: id })).status
    for (const [fault, seen, n] of [
      ['drop', 'order', 21],
      ['vanish', 'unknownOid', 22],
    ] as const) {
      lab.hyperliquid.faults.order({ fault })
      await expect(client.order(body({ c: cloid(n) }))).rejects.toThrow()
      expect(await known(cloid(n))).toBe(seen)
    }
    lab.hyperliquid.faults.order({ fault: 'forget' })
    await client.order(body({ c: cloid(23) }))
    expect(await known(cloid(23))).toBe('unknownOid')
    lab.hyperliquid.faults.order({ fault: 'reject' })
    expect(await refusal(client.order(body()))).toContain('Insufficient spot balance')
  })
})
