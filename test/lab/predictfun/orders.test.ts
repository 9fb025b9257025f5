// The lab's order entry, with orders that the official client builds and viem signs.
import { ChainId, OrderBuilder, Side } from '@predictdotfun/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Lab, startLab } from '#lab/lab'
import { logIn } from '#test/src/venues/predictfun/exec/world'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ seed: 'orders', venues: ['predictfun'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())
beforeEach(() => lab.predictfun.faults.recover())

interface Answer {
  status: number
  body: Record<string, unknown> & { data?: Record<string, unknown>; error?: string }
}

async function trader() {
  const by = privateKeyToAccount(generatePrivateKey())
  const { apiKey, jwt } = await logIn(lab.predictfun, by.address, (message) => by.signMessage({ message }))
  const headers = { 'x-api-key': apiKey, authorization: `Bearer ${jwt}`, 'content-type': 'application/json' }
  const ask = async (
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {},
  ): Promise<Answer> => {
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${lab.predictfun.urls.REST}/v1${path}`, {
      method,
      headers: { ...headers, ...more },
      ...text,
    })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }
  return { by, ask }
}
type Trader = Awaited<ReturnType<typeof trader>>

/** An open market of thousandths with its best prices. */
function market() {
  const { listing, engine } = lab.predictfun
  const found = listing.markets.find(({ key }) => {
    if (engine.statusOf(key) !== 'open') return false
    const bid = engine.market(key)!.truth().bids[0]![0]
    return bid > 250_000 && bid < 750_000
  })!
  const { bids } = engine.market(found.key)!.truth()
  return { found, bid: bids[0]![0] }
}

const client = OrderBuilder.make(ChainId.BnbMainnet)

async function orderOf({ by }: Trader, { side = Side.BUY, size = 50, salt = 1 } = {}) {
  const { found, bid } = market()
  const pricePerShareWei = BigInt(bid) * 10n ** 12n
  const amounts = client.getLimitOrderAmounts({ side, pricePerShareWei, quantityWei: BigInt(size) * 10n ** 18n })
  const order = client.buildOrder('LIMIT', {
    side,
    signer: by.address,
    tokenId: found.tokens[0],
    makerAmount: amounts.makerAmount,
    takerAmount: amounts.takerAmount,
    feeRateBps: 200,
    salt: BigInt(salt),
  })
  const isNegRisk = found.category.catalog.exclusive
  const typed = client.buildTypedData(order, { isNegRisk, isYieldBearing: false })
  const { EIP712Domain: _, ...types } = typed.types
  const signature = await by.signTypedData({ ...typed, types } as never)
  const pricePerShare = String(amounts.pricePerShare)
  return {
    data: { order: { ...order, signature, hash: client.buildTypedDataHash(typed) }, pricePerShare, strategy: 'LIMIT' },
  }
}

describe('authentication', () => {
  test('requires the key for everything, and a token for wallet data', async () => {
    const { ask } = await trader()
    expect((await ask('GET', '/orders')).status).toBe(200)
    const wrongs: Record<string, string>[] = [{ 'x-api-key': 'wrong' }, { authorization: 'Bearer wrong' }]
    for (const wrong of wrongs) {
      const { status, body } = await ask('GET', '/orders', undefined, wrong)
      expect([status, body.error]).toEqual([401, 'unauthorized'])
    }
    const stranger = privateKeyToAccount(generatePrivateKey())
    const other = privateKeyToAccount(generatePrivateKey())
    const { jwt } = await logIn(lab.predictfun, stranger.address, (message) => other.signMessage({ message }))
    expect(jwt).toBe('')
  })
})

describe('orders', () => {
  test('places an order, finds it by its hash, fills it partly, and removes it once', async () => {
    const [maker, taker] = [await trader(), await trader()]
    const body = await orderOf(maker)
    const { hash } = body.data.order
    const placed = await maker.ask('POST', '/orders', body)
    expect([placed.status, placed.body]).toMatchObject([201, { success: true, data: { code: 'OK', orderHash: hash } }])
    expect((await maker.ask('GET', `/orders/${hash}`)).body.data).toMatchObject({ status: 'OPEN', amountFilled: '0' })
    const sale = await taker.ask('POST', '/orders', await orderOf(taker, { side: Side.SELL, size: 20 }))
    expect(sale.status).toBe(201)
    const amounts = { amount: `50${'0'.repeat(18)}`, amountFilled: `20${'0'.repeat(18)}` }
    expect((await maker.ask('GET', `/orders/${hash}`)).body.data).toMatchObject({ status: 'OPEN', ...amounts })
    expect((await maker.ask('GET', '/orders?status=OPEN')).body.data).toMatchObject([{ order: { hash } }])
    expect((await taker.ask('GET', '/orders?status=FILLED')).body.data).toHaveLength(1)
    expect((await taker.ask('GET', `/orders/${hash}`)).status).toBe(404)
    const hashes = { data: { hashes: [hash] } }
    expect((await maker.ask('POST', '/orders/remove-by-hash', hashes)).body).toMatchObject({
      removed: [hash],
      noop: [],
    })
    expect((await maker.ask('POST', '/orders/remove-by-hash', hashes)).body).toMatchObject({
      removed: [],
      noop: [hash],
    })
    expect((await maker.ask('GET', `/orders/${hash}`)).body.data).toMatchObject({ status: 'CANCELLED', ...amounts })
  })

  test('rejects a forged, changed, small, repeated order and a closed market with the errors of the venue', async () => {
    const [own, other] = [await trader(), await trader()]
    const body = await orderOf(own)
    const refused = async (by: Trader, given: object) => (await by.ask('POST', '/orders', given)).body.error
    const changed = (more: object, extra: object = {}) => ({
      data: { ...body.data, ...extra, order: { ...body.data.order, ...more } },
    })
    expect(await refused(other, body)).toBe('create_order_invalid_signature')
    expect(await refused(own, changed({ salt: '2' }))).toBe('create_order_hash_mismatch')
    expect(await refused(own, changed({}, { pricePerShare: '1' }))).toBe('bad_request')
    expect(await refused(own, changed({}, { pricePerShare: `1${'0'.repeat(18)}` }))).toBe(
      'create_order_price_out_of_range',
    )
    expect(await refused(own, changed({ tokenId: '7' }))).toBe('not_found')
    expect(await refused(own, await orderOf(own, { size: 1 }))).toBe('create_order_min_order_value_not_met')
    lab.predictfun.faults.order({ fault: 'reject' })
    expect(await refused(own, body)).toBe('create_order_insufficient_collateral_allowance')
    lab.predictfun.faults.recover()
    expect(await refused(own, body)).toBeUndefined()
    expect(await refused(own, body)).toBe('create_order_duplicate')
    const late = await orderOf(own, { salt: 9 })
    lab.predictfun.faults.close({ market: String(market().found.id) })
    expect(await refused(own, late)).toBe('create_order_market_not_trading')
    expect(lab.predictfun.engine.orderManager.ordersOf(other.by.address)).toEqual([])
  })
})
