// The lab's order entry with the official client.
import { Client, OrderSide, OrderType } from '@opinion-labs/opinion-clob-sdk'
import { type Hex, hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Lab, startLab } from '#lab/lab'
import { signedBy } from '#lab/opinion/auth'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ seed: 'orders', venues: ['opinion'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())
beforeEach(() => lab.opinion.faults.recover())

const types = {
  OpinionApiKeyAuth: [
    { name: 'walletAddress', type: 'address' },
    { name: 'action', type: 'string' },
    { name: 'timestamp', type: 'string' },
  ],
} as const
const proof = (wallet: Hex, action: string, timestamp: string) =>
  ({
    domain: { name: 'Opinion OpenAPI', version: '1', chainId: 56 },
    types,
    primaryType: 'OpinionApiKeyAuth',
    message: { walletAddress: wallet, action, timestamp },
  }) as const

async function ask(method: string, path: string, headers: Record<string, string>, body?: object) {
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${lab.opinion.urls.REST}${path}`, { method, headers, ...text })
  const { errno, errmsg, result } = (await response.json()) as {
    errno: number
    errmsg: string
    result: Record<string, string>
  }
  return { status: response.status, errno, errmsg, result }
}

async function keyCall(method: string, action: string, by = privateKeyToAccount(generatePrivateKey()), offset = 0) {
  const timestamp = String(Math.floor(Date.now() / 1_000) + offset)
  const signature = await by.signTypedData(proof(by.address, action, timestamp))
  const headers = { OPINION_ADDRESS: by.address, OPINION_SIGNATURE: signature, OPINION_TIMESTAMP: timestamp }
  return { by, headers, answer: await ask(method, '/auth/api-key', headers) }
}

describe('authentication', () => {
  const vector = privateKeyToAccount('0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef')

  test('the vector of a key signature', async () => {
    const typed = proof(vector.address, 'create', '1700000000')
    expect(hashTypedData(typed)).toBe('0x960e237b3498cd049e899a1a329161c93d22ae9673e9c4853b2ceead64d2f9c3')
    const signature =
      '0xd0aa3cca86b272a9bfedefa5e61a2fd5e4003e15c067e68e5fa2c9c98c415a6314e0e8a6b9565531324398018812db2885bb5094ba80082ccfebc7ccba6f91d31b'
    expect(await vector.signTypedData(typed)).toBe(signature)
    const given = { address: vector.address, action: 'create', timestamp: '1700000000', signature } as const
    expect(await signedBy(given)).toBe(vector.address)
  })

  test('creates a key once, returns it, and revokes it; a signature is valid once, and not when it is old', async () => {
    const { by, headers, answer } = await keyCall('POST', 'create')
    expect(answer).toMatchObject({ errno: 0, result: { walletAddress: by.address, apiKey: expect.any(String) } })
    expect(await ask('POST', '/auth/api-key', headers)).toMatchObject({ errno: 11_013 })
    expect((await keyCall('POST', 'create', by, 1)).answer).toMatchObject({ errno: 11_009 })
    expect((await keyCall('GET', 'get', by)).answer.result).toEqual(answer.result)
    expect((await keyCall('GET', 'create', by)).answer).toMatchObject({ errno: 11_011 })
    expect((await keyCall('GET', 'get', by, -400)).answer).toMatchObject({ errno: 11_012 })
    const apikey = answer.result.apiKey!
    expect((await ask('GET', '/order', { apikey })).errno).toBe(0)
    expect((await keyCall('DELETE', 'delete', by)).answer.result).toEqual({ deleted: true })
    expect(await ask('GET', '/order', { apikey })).toMatchObject({ status: 401, errno: 11_002 })
    expect((await keyCall('GET', 'get', by)).answer).toMatchObject({ errno: 11_010 })
  })
})

describe('orders', () => {
  async function trader() {
    const privateKey = generatePrivateKey()
    const by = privateKeyToAccount(privateKey)
    const { answer } = await keyCall('POST', 'create', by)
    const apiKey = answer.result.apiKey!
    const multiSigAddress = lab.opinion.safeOf(by.address)
    const options = {
      host: lab.opinion.urls.REST,
      apiKey,
      chainId: 56,
      rpcUrl: 'http://127.0.0.1:1',
      privateKey,
    } as const
    return { by, apiKey, client: new Client({ ...options, multiSigAddress }), options }
  }

  /** An open market with its best prices. */
  function market() {
    const { listing, engine } = lab.opinion
    const found = listing.markets.find(({ key }) => {
      if (engine.statusOf(key) !== 'open') return false
      const bid = engine.market(key)!.truth().bids[0]![0]
      return bid > 250_000 && bid < 750_000
    })!
    const { bids, asks } = engine.market(found.key)!.truth()
    return { found, bid: bids[0]![0], ask: asks[0]![0] }
  }
  const buying = (more: object = {}) => {
    const { found, bid } = market()
    return {
      marketId: found.id,
      tokenId: found.tokens[0],
      side: OrderSide.BUY,
      orderType: OrderType.LIMIT_ORDER,
      price: String(bid / 1e6),
      makerAmountInBaseToken: '50',
      ...more,
    }
  }
  const placed = async (client: Client, more: object = {}) => await client.placeOrder(buying(more))

  test('the official client places for its Safe, reads back, lists, cancels once', async () => {
    const { client, by } = await trader()
    const { errno, result } = await placed(client)
    expect([errno, result.orderData]).toMatchObject([
      0,
      { status: 1, sideEnum: 'Buy', orderShares: '50', filledShares: '0' },
    ])
    const orderId = result.orderData!.orderId!
    const one = await client.getOrderById(orderId)
    expect(one.result.orderData).toMatchObject({ orderId, outcomeSide: 1, statusEnum: 'Pending', trades: [] })
    const listed = await client.getMyOrders({ marketId: market().found.id, status: '1' })
    expect(listed.result).toMatchObject({ total: 1, list: [{ orderId }] })
    expect(listed.result.list![0]).not.toHaveProperty('trades')
    expect((await client.cancelOrder(orderId)).result).toEqual({ result: true })
    expect((await client.cancelOrder(orderId)).result).toEqual({ result: false })
    expect((await client.getOrderById(orderId)).result.orderData?.statusEnum).toBe('Canceled')
    expect(lab.opinion.engine.orderManager.ordersOf(by.address)).toHaveLength(1)
  })

  test('returns trades with the order', async () => {
    const [maker, taker] = [await trader(), await trader()]
    const { result } = await placed(maker.client)
    const sale = { side: OrderSide.SELL, makerAmountInBaseToken: '20' }
    expect((await placed(taker.client, sale)).result.orderData).toMatchObject({ status: 2, filledShares: '20' })
    const seen = await maker.client.getOrderById(result.orderData!.orderId!)
    expect(seen.result.orderData).toMatchObject({
      statusEnum: 'Pending',
      filledShares: '20',
      trades: [
        { orderNo: result.orderData!.orderId, shares: '20', price: String(market().bid / 1e6), statusEnum: 'Finished' },
      ],
    })
  })

  test('rejects a foreign Safe, a foreign key, a small order, an unknown token and a closed market', async () => {
    const { client, options } = await trader()
    const stranger = await trader()
    const asStranger = new Client({ ...options, multiSigAddress: lab.opinion.safeOf(stranger.by.address) })
    expect((await placed(asStranger)).errmsg).toMatch(/must be the current multi-signature wallet/)
    const withForeignKey = new Client({
      ...options,
      apiKey: stranger.apiKey,
      multiSigAddress: lab.opinion.safeOf(stranger.by.address),
    })
    expect((await placed(withForeignKey)).errmsg).toBe('invalid order signature')
    expect((await placed(client, { makerAmountInBaseToken: '2' })).errmsg).toMatch(/below the minimum required value/)
    expect((await placed(client, { tokenId: '7'.repeat(77) })).errmsg).toBe('market not found')
    lab.opinion.faults.order({ fault: 'reject' })
    expect((await placed(client)).errmsg).toBe('Insufficient token balance')
    expect((await ask('POST', '/order', {}, {})).status).toBe(401)
    expect(lab.opinion.engine.orderManager.ordersOf(stranger.by.address)).toEqual([])
  })
})
