// The lab's order entry with the venue's own client.
import { ClobClient, OrderType, Side } from '@polymarket/clob-client-v2'
import { createWalletClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { polygon } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Lab, startLab } from '#lab/lab'
import { walletOf, walletsOf } from '#lab/polymarket/wallets'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ seed: 'orders', venues: ['polymarket'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

async function trader(signatureType = 0, isEarlier = false) {
  const account = privateKeyToAccount(generatePrivateKey())
  const signer = createWalletClient({ account, chain: polygon, transport: http('http://127.0.0.1:1') })
  const base = {
    host: lab.polymarket.urls.CLOB,
    chain: 137,
    signer,
    signatureType,
    funderAddress: walletsOf(account.address, signatureType)[isEarlier ? 1 : 0]!,
    throwOnError: true,
  } as const
  const creds = await new ClobClient(base).createOrDeriveApiKey()
  return { client: new ClobClient({ ...base, creds }), creds, account }
}

/** A token with its best prices in whole cents, of a plain or of a negative-risk market. */
function market(negRisk: boolean) {
  const { listing, engine } = lab.polymarket
  const found = listing.markets.find(
    ({ key, event, protocol }) =>
      protocol === 'v1' &&
      event.negRisk === negRisk &&
      engine.statusOf(key) === 'open' &&
      engine.glance(key)?.book.grid.name === 'cent',
  )
  if (found === undefined) throw new Error('the lab has no such market')
  const { bids, asks } = engine.market(found.key)!.truth()
  return { tokens: found.tokens, bid: bids[0]![0] / 1e6, ask: asks[0]![0] / 1e6, found }
}

const round = (price: number): number => Math.round(price * 1e6) / 1e6

describe('order entry with the official client', () => {
  test.each([
    ['EOA, plain market', 0, false],
    ['EOA, negative-risk market', 0, true],
    ['proxy, plain market', 1, false],
    ['safe, negative-risk market', 2, true],
    ['deposit wallet, plain market', 3, false],
    ['deposit wallet, negative-risk market', 3, true],
  ])(
    '%s: a resting order is returned by its hash, partly filled, canceled, and its trades are returned',
    async (_, type, negRisk) => {
      const { client, account } = await trader(type)
      const { tokens, bid, found } = market(negRisk)
      const price = round(bid + 0.01) < market(negRisk).ask ? round(bid + 0.01) : bid
      const posted = await client.createAndPostOrder(
        { tokenID: tokens[0], price, size: 50, side: Side.BUY },
        {},
        OrderType.GTC,
      )
      expect(posted).toMatchObject({ success: true, status: 'live' })
      const seen = await client.getOrder(posted.orderID)
      expect(seen).toMatchObject({
        id: posted.orderID,
        status: 'LIVE',
        maker_address: walletOf(account.address, type),
        original_size: '50',
        size_matched: '0',
        side: 'BUY',
      })
      const taker = await trader()
      const sold = await taker.client.createAndPostOrder(
        { tokenID: tokens[0], price, size: 20, side: Side.SELL },
        {},
        OrderType.GTC,
      )
      expect(sold).toMatchObject({ status: 'matched', makingAmount: '20' })
      expect((await client.getOrder(posted.orderID)).size_matched).toBe('20')
      const [trade] = await client.getTrades({ asset_id: tokens[0] })
      expect(trade).toMatchObject({ size: '20', price: String(price), trader_side: 'MAKER', status: 'CONFIRMED' })
      expect(trade?.maker_orders[0]?.order_id).toBe(posted.orderID)
      expect(await client.cancelOrder({ orderID: posted.orderID })).toMatchObject({ canceled: [posted.orderID] })
      expect(await client.cancelOrder({ orderID: posted.orderID })).toMatchObject({ canceled: [] })
      await expect(client.getOrder(posted.orderID)).rejects.toThrow('order not found')
      expect(lab.polymarket.engine.orderManager.heldAt(lab.polymarket.engine.market(found.key)!, 0, price * 1e6)).toBe(
        0,
      )
    },
  )

  test('a deposit wallet made before 2026-06-29 trades too', async () => {
    const { client, account } = await trader(3, true)
    const { tokens, bid } = market(false)
    const posted = await client.createAndPostOrder(
      { tokenID: tokens[0], price: bid, size: 50, side: Side.BUY },
      {},
      OrderType.GTC,
    )
    expect(posted).toMatchObject({ success: true, status: 'live' })
    const { maker_address: maker } = await client.getOrder(posted.orderID)
    expect(walletsOf(account.address, 3).indexOf(maker as `0x${string}`)).toBe(1)
  })

  test('buying the other token is selling this one: both books show it', async () => {
    const { client } = await trader()
    const { tokens, ask } = market(false)
    const best = () => [lab.polymarket.book(tokens[0])!.asks[0]!, lab.polymarket.book(tokens[1])!.bids[0]!] as const
    const [[, before]] = best()
    await client.createAndPostOrder(
      { tokenID: tokens[1], price: round(1 - ask), size: 10, side: Side.BUY },
      {},
      OrderType.GTC,
    )
    const micros = Math.round(ask * 1e6)
    expect(best()).toEqual([
      [micros, before + 10],
      [1_000_000 - micros, before + 10],
    ])
  })

  test('rejects a foreign key, a changed order, a small one and one off the tick with the errors of the venue', async () => {
    const { client, creds } = await trader()
    const stranger = await trader()
    const { tokens, bid } = market(false)
    const order = await client.createOrder({ tokenID: tokens[0], price: bid, size: 10, side: Side.BUY }, {})
    await expect(stranger.client.postOrder(order, OrderType.GTC)).rejects.toThrow('order signer address')
    const changed = { ...order, makerAmount: String(BigInt(order.makerAmount) - 100_000n) }
    await expect(client.postOrder(changed, OrderType.GTC)).rejects.toThrow('invalid signature')
    const small = await client.createOrder({ tokenID: tokens[0], price: bid, size: 1, side: Side.BUY }, {})
    await expect(client.postOrder(small, OrderType.GTC)).rejects.toThrow('lower than the minimum: 5')
    await client.postOrder(order, OrderType.GTC)
    await expect(client.postOrder(order, OrderType.GTC)).rejects.toThrow('Duplicated')
    const wrong = new ClobClient({
      host: lab.polymarket.urls.CLOB,
      chain: 137,
      signer: client.signer!,
      creds: { ...creds, secret: Buffer.alloc(32).toString('base64') },
      throwOnError: true,
    })
    await expect(wrong.getOpenOrders()).rejects.toThrow('Unauthorized/Invalid api key')
  })

  test('faults on request: dropped after acceptance, never accepted, forgotten, rejected', async () => {
    const { client } = await trader()
    const { tokens, bid } = market(false)
    const { faults, engine } = lab.polymarket
    const order = () => client.createOrder({ tokenID: tokens[0], price: bid, size: 10, side: Side.BUY }, {})
    const open = async () => (await client.getOpenOrders()).length
    faults.order({ fault: 'drop' })
    await expect(client.postOrder(await order(), OrderType.GTC)).rejects.toThrow()
    expect(await open()).toBe(1)
    faults.order({ fault: 'vanish' })
    await expect(client.postOrder(await order(), OrderType.GTC)).rejects.toThrow()
    expect(await open()).toBe(1)
    faults.order({ fault: 'forget' })
    const forgottenOrder = await client.postOrder(await order(), OrderType.GTC)
    expect(forgottenOrder.success).toBe(true)
    expect(await open()).toBe(1)
    faults.order({ fault: 'reject' })
    await expect(client.postOrder(await order(), OrderType.GTC)).rejects.toThrow('not enough balance / allowance')
    expect(engine.orderManager.findByClientId(client.signer?.toString() ?? '', forgottenOrder.orderID)).toBeNull()
  })
})
