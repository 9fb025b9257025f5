// The lab's Pascal for its customers: keys that wallets register, batches, and what it rejects.
import { sign as signBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { base58, owner, stranger, trader } from '#test/src/venues/pascal/exec/world'

const clock = new ManualClock()
let lab: Lab['pascal']
let stop: () => Promise<void>
beforeEach(async () => {
  const started = await startLab({ clock, seed: 'door', venues: ['pascal'], ratePerSecond: 0, markets: 4 })
  lab = started.pascal
  stop = () => started.stop()
})
afterEach(() => stop())

type Answer = { status: string; data: { code?: string; orders?: object[]; items?: object[]; next_cursor?: string } }
const call = async <Body>(path: string, body?: object): Promise<Body> => {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return (await (await fetch(`${lab.urls.TRADE}/api/v1${path}`, init)).json()) as Body
}

const register = (over: object = {}, by = owner): Promise<Answer> => {
  const ts = clock.now()
  const words = ['create_trading_key', 'k', trader.address, ts + 86_400_000, 1, 3, 5_000, ts]
  const message = Buffer.from(JSON.stringify([...words, owner.address, owner.address]))
  const auth = {
    client_ts_ms: String(ts),
    recv_window_ms: '5000',
    owner: owner.address,
    signer: owner.address,
    signature: base58(signBytes(null, message, by.key)),
    ...over,
  }
  return call('/trading-keys', {
    trading_key: trader.address,
    name: 'k',
    expiration_ts_ms: String(ts + 86_400_000),
    auth,
  })
}

/** As in the venue's documentation of the permit. */
function permit(command: 1 | 2, rest: Buffer, { address } = trader, ts = clock.now()): Buffer {
  const header = Buffer.alloc(16)
  header.set([1, command, 3, 0])
  header.writeUInt32LE(5_000, 4)
  header.writeBigUInt64LE(BigInt(ts), 8)
  return Buffer.concat([header, bytesOf(owner.address), bytesOf(address), rest])
}
const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const bytesOf = (text: string): Buffer => {
  const value = [...text].reduce((sum, letter) => sum * 58n + BigInt(letters.indexOf(letter)), 0n)
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
}
const authOf = (bytes: Buffer, by = trader) => ({
  client_ts_ms: String(clock.now()),
  recv_window_ms: '5000',
  owner: owner.address,
  signer: by.address,
  signature: base58(signBytes(null, bytes, by.key)),
})

function order(id: number, over: { by?: typeof trader; price?: number; symbol?: string } = {}) {
  const { by = trader, price = 10_000, symbol = lab.listing.markets.find(({ key }) => isOpen(key))!.symbol } = over
  const rest = Buffer.alloc(152)
  rest.writeBigUInt64LE(5n, 0)
  rest.writeBigUInt64LE(BigInt(price), 8)
  rest.writeBigUInt64LE(BigInt(id), 16)
  rest.writeBigUInt64LE(2n ** 64n - 1n, 24)
  rest.write(symbol, 72)
  rest.write('dcaf53738f1d5f06164660498a75888e7f0c78ed5f1bc17be1dd1cb3ccf53ce3', 108, 'hex')
  rest[140] = 2
  const auth = authOf(permit(1, rest, by), by)
  const text = (price / 1e6).toFixed(6)
  return { client_order_id: String(id), symbol, side: 'BID', price: text, size: '5', metadata: '2', auth }
}
const isOpen = (key: string): boolean => lab.engine.statusOf(key) === 'open'

it('verifies the venue’s own registration vector', () => {
  const message =
    '["create_trading_key","api-doc-key","2KW2XRd9kwqet15Aha2oK3tYvd3nWbTFH1MBiRAv1BE1",1732140800000,1,3,5000,1731536000000,' +
    '"GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB","GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB"]'
  expect(base58(signBytes(null, Buffer.from(message), owner.key))).toBe(
    'kyc2KdqPTeEWqoK3pXR2rgPUiK4zXg9QdQffPUWk8eALpFy7uaHBEsASt7RQyVzDeubHVsPqQAHXrt8m8KZ78Ep',
  )
})

it('accepts orders of a key only after its owner’s wallet has registered it', async () => {
  const [before] = await call<Answer[]>('/orders', [order(1)])
  expect(before).toMatchObject({ status: 'error', data: { code: 'unauthorized_signer' } })
  expect((await register({}, stranger)).data.code).toBe('INVALID_SIGNATURE')
  expect((await register({ signer: trader.address })).data.code).toBe('unauthorized_signer')
  expect((await register()).status).toBe('success')
  expect(await call('/orders', [order(1)])).toMatchObject([{ status: 'success' }])
  expect(await call('/orders', [order(2, { by: stranger })])).toMatchObject([{ data: { code: 'unauthorized_signer' } }])
  const forged = { ...order(3), auth: { ...order(3).auth, signature: order(4).auth.signature } }
  expect(await call('/orders', [forged])).toMatchObject([{ data: { code: 'INVALID_SIGNATURE' } }])
  expect(lab.engine.orderManager.ordersOf(owner.address)).toHaveLength(1)
})

it('answers each command of a batch separately, and returns resting orders until they are canceled', async () => {
  lab.register(owner.address, trader.address)
  const answers = await call<Answer[]>('/orders', [order(1), order(2, { price: 10_500 }), order(1)])
  expect(answers.map(({ data }) => data.code ?? 'ok')).toEqual(['ok', 'INVALID_TICK', 'CLIENT_ORDER_ID_ALREADY_EXISTS'])
  const open = await call<Answer>(`/accounts/${owner.address}`)
  expect(open.data.orders).toMatchObject([
    { client_order_id: '1', side: 'BID', price: '0.010000', size_remaining: '5' },
  ])
  const rest = Buffer.alloc(16)
  rest[1] = 2
  rest.writeBigUInt64LE(1n, 8)
  const cancel = () => call('/cancels', [{ client_order_id: '1', metadata: '2', auth: authOf(permit(2, rest)) }])
  expect(await cancel()).toMatchObject([{ status: 'success' }])
  expect(await cancel()).toMatchObject([{ data: { code: 'ORDER_NOT_FOUND' } }])
  expect((await call<Answer>(`/accounts/${owner.address}`)).data.orders).toEqual([])
})

it('accepts a permit only within its window, and rejects an invalid batch', async () => {
  lab.register(owner.address, trader.address)
  const late = order(1)
  clock.advance(5_001)
  expect(await call('/orders', [late])).toMatchObject([{ data: { code: 'OUTSIDE_RECV_WINDOW' } }])
  for (const body of [[], {}, [{}], Array.from({ length: 51 }, (_, id) => order(id + 1))]) {
    expect(await call<Answer>('/orders', body)).toMatchObject({ status: 'error', data: { code: 'INVALID_REQUEST' } })
  }
})
