// The lab's order entry. There is no official client; the headers follow the documentation and are checked with its vectors.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { getJson } from '../clients.ts'

let lab: Lab
const clock = new ManualClock()
beforeAll(async () => {
  lab = await startLab({ clock, seed: 'orders', venues: ['gemini'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())
beforeEach(() => lab.gemini.faults.recover())

const base = '/v1/prediction-markets'

function headersOf(payload: string, { apiKey, apiSecret }: { apiKey: string; apiSecret: string }) {
  const encoded = Buffer.from(payload).toString('base64')
  return {
    'X-GEMINI-APIKEY': apiKey,
    'X-GEMINI-PAYLOAD': encoded,
    'X-GEMINI-SIGNATURE': createHmac('sha384', apiSecret).update(encoded).digest('hex'),
    'Content-Type': 'text/plain',
    'Cache-Control': 'no-cache',
  }
}

const seconds = () => Math.floor(clock.now() / 1_000)

async function send(path: string, payload: string, key = lab.gemini.credentials) {
  const response = await fetch(`${lab.gemini.urls.REST}${path}`, { method: 'POST', headers: headersOf(payload, key) })
  const text = await response.text()
  // Only for reading: ids of 18 digits are checked in the text.
  return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> }
}
const call = (path: string, fields: object = {}, key = lab.gemini.credentials, nonce: number = seconds()) =>
  send(path, JSON.stringify({ request: path, nonce, ...fields }), key)

const cancel = (orderId: string) =>
  send(`${base}/order/cancel`, `{"request":"${base}/order/cancel","nonce":${seconds()},"orderId":${orderId}}`)

function market(isFine = false) {
  const { listing, engine, book } = lab.gemini
  const { symbol } = listing.contracts.find(
    ({ key, symbol: name, limits }) =>
      (limits !== null) === isFine && engine.statusOf(key) === 'open' && (book(name)!.bids[0]?.[0] ?? 0) > 200_000,
  )!
  const { bids, asks } = book(symbol)!
  return { symbol, bid: bids[0]![0], ask: asks[0]![0] }
}
const cents = (micros: number) => (micros / 1e6).toFixed(2)
const order = (over: object = {}) => ({
  symbol: market().symbol,
  orderType: 'limit',
  side: 'buy',
  outcome: 'yes',
  quantity: '10',
  price: cents(market().bid),
  timeInForce: 'good-til-cancel',
  ...over,
})
const idIn = (text: string): string => /"orderId":(\d+)/.exec(text)![1]!

describe('an instrument with its own limits', () => {
  test('states them, and accepts tenths of a cent and hundredths of a contract', async () => {
    const { symbol } = market(true)
    const { listing } = lab.gemini
    const event = listing.bySymbol.get(symbol)!.event
    const { body } = await getJson(`${lab.gemini.urls.REST}${base}/events/${event.ticker}`)
    const { contracts } = body as unknown as { contracts: Record<string, unknown>[] }
    expect(contracts.find(({ instrumentSymbol }) => instrumentSymbol === symbol)).toMatchObject({
      quantityIncrement: '0.01',
      quantityMinimum: '1.00',
      priceIncrement: '0.001',
      priceMinimum: '0.001',
    })
    const placed = await call(`${base}/order`, order({ symbol, price: '0.013', quantity: '2.57' }))
    expect(placed.body).toMatchObject({ price: '0.013', quantity: '2.57', remainingQuantity: '2.57' })
    const words = async (over: object) => (await call(`${base}/order`, order({ symbol, ...over }))).body.error
    expect(await words({ price: '0.0135' })).toBe('LimitPriceOffTick')
    expect(await words({ price: '0.02', quantity: '0.57' })).toBe('InvalidQuantity')
    expect(await words({ price: '0.02', quantity: '1.005' })).toBe('InvalidQuantity')
  })

  test('has none otherwise, and accepts whole contracts in cents', async () => {
    const { symbol } = market()
    const words = async (over: object) => (await call(`${base}/order`, order({ symbol, ...over }))).body.error
    expect(await words({ price: '0.013' })).toBe('LimitPriceOffTick')
    expect(await words({ quantity: '1.5' })).toBe('InvalidQuantity')
  })
})

describe('authentication', () => {
  test('the published vector: the check below verifies these headers', () => {
    const payload = '{"request":"/v1/prediction-markets/order/cancel","nonce":1700000000,"orderId":1234567}'
    expect(headersOf(payload, { apiKey: 'k', apiSecret: 'test-secret' })['X-GEMINI-SIGNATURE']).toBe(
      '088d362e17692887d2cdede163071af52bff3a80bc20f6138f4dfffff7e4754c2f75ab4a2820f0be0562b6686b7cee78',
    )
  })

  test('rejects a wrong secret, an unknown key, a payload for another path, a body, and missing headers', async () => {
    const { credentials, urls } = lab.gemini
    const path = `${base}/orders/active`
    const reason = async (answer: Promise<{ status: number; body: Record<string, unknown> }>) => {
      const { status, body } = await answer
      return [status, body.result, body.reason]
    }
    const wrong = { ...credentials, apiSecret: 'wrong' }
    expect(await reason(call(path, {}, wrong))).toEqual([400, 'error', 'InvalidSignature'])
    expect(await reason(call(path, {}, { ...credentials, apiKey: 'account-nobody' }))).toEqual([
      400,
      'error',
      'InvalidSignature',
    ])
    const misdirected = send(path, JSON.stringify({ request: `${base}/order`, nonce: seconds() }))
    expect(await reason(misdirected)).toEqual([400, 'error', 'EndpointMismatch'])
    const bare = await fetch(`${urls.REST}${path}`, { method: 'POST' })
    expect([bare.status, await bare.json()]).toMatchObject([400, { reason: 'MissingApikeyHeader' }])
  })

  test('a time-based nonce is valid within thirty seconds and may be repeated; a counted one must increase', async () => {
    const path = `${base}/orders/active`
    const status = async (nonce: number, key = lab.gemini.credentials) => (await call(path, {}, key, nonce)).body.reason
    expect(await status(seconds())).toBeUndefined()
    expect(await status(seconds())).toBeUndefined()
    expect(await status(seconds() - 29)).toBeUndefined()
    expect(await status(seconds() - 32)).toBe('InvalidNonce')
    expect(await status(seconds() + 32)).toBe('InvalidNonce')
    const rising = lab.gemini.issueKey({ nonce: 'rising' })
    expect(await status(seconds(), rising)).toBe('InvalidNonce')
    expect(await status(clock.now() + 1, rising)).toBeUndefined()
    expect(await status(clock.now() + 1, rising)).toBe('InvalidNonce')
  })

  test('cancels the orders of a key that requires a heartbeat and sends none', async () => {
    const key = lab.gemini.issueKey({ heartbeat: true })
    await call(`${base}/order`, order(), key)
    const open = () =>
      lab.gemini.engine.orderManager.ordersOf(key.apiKey).filter(({ status }) => status === 'open').length
    clock.advance(20_000)
    expect((await call('/v1/heartbeat', {}, key)).body).toEqual({ result: 'ok' })
    clock.advance(20_000)
    expect(open()).toBe(1)
    clock.advance(10_000)
    expect(open()).toBe(0)
  })
})

describe('order entry', () => {
  test('rests an order in the public book, lists it, and cancels it once by its integer id', async () => {
    const { symbol, bid } = market()
    const best = async () =>
      (await getJson(`${lab.gemini.urls.REST}/v1/book/${symbol}`)).body.bids as { price: string; amount: string }[]
    const [before] = await best()
    const clientOrderId = crypto.randomUUID()
    const placed = await call(`${base}/order`, order({ clientOrderId }))
    const id = idIn(placed.text)
    expect(id).toMatch(/^\d{18}$/)
    expect(placed.body).toMatchObject({ status: 'open', clientOrderId, filledQuantity: '0', price: cents(bid) })
    expect(Number((await best())[0]!.amount)).toBe(Number(before!.amount) + 10)
    const active = await call(`${base}/orders/active`, { symbol, limit: 100, offset: 0 })
    expect(active.text).toContain(`"orderId":${id},`)
    const gone = await cancel(id)
    expect(gone.body).toMatchObject({ result: 'ok' })
    expect((await cancel(id)).body).toMatchObject({ error: 'OrderNotFound' })
    const history = await call(`${base}/orders/history`, { status: 'cancelled', symbol })
    expect((history.body.orders as object[])[0]).toMatchObject({ clientOrderId, status: 'cancelled' })
  })

  test('fills a crossing order at the resting price; NO is the other side of the one book', async () => {
    const { bid, ask } = market()
    expect((await call(`${base}/order`, order({ price: cents(ask), quantity: '1' }))).body).toMatchObject({
      status: 'filled',
      filledQuantity: '1',
      avgExecutionPrice: (ask / 1e6).toFixed(4),
    })
    const no = order({ outcome: 'no', price: cents(1e6 - bid), quantity: '1' })
    expect((await call(`${base}/order`, no)).body).toMatchObject({
      status: 'filled',
      outcome: 'no',
      avgExecutionPrice: ((1e6 - bid) / 1e6).toFixed(4),
    })
  })

  test('rejects with the errors of the venue', async () => {
    const { ask } = market()
    const refused = async (over: object) => {
      const { status, body } = await call(`${base}/order`, order(over))
      return [status, body.error]
    }
    expect(await refused({ price: '0.405' })).toEqual([400, 'LimitPriceOffTick'])
    expect(await refused({ price: '1.20' })).toEqual([400, 'InvalidPrice'])
    expect(await refused({ quantity: '1.5' })).toEqual([400, 'InvalidQuantity'])
    expect(await refused({ quantity: '90000000' })).toEqual([400, 'InsufficientFunds'])
    expect(await refused({ symbol: 'GEMI-NOSUCH-A' })).toEqual([400, 'UnknownInstrument'])
    expect(await refused({ price: cents(ask), timeInForce: 'maker-or-cancel' })).toEqual([
      400,
      'MakerOrCancelWouldTake',
    ])
    const whole = { price: cents(ask), timeInForce: 'fill-or-kill', quantity: '100000' }
    expect(await refused(whole)).toEqual([400, 'FillOrKillWouldNotFill'])
    const twice = { clientOrderId: crypto.randomUUID() }
    expect(await refused(twice)).toEqual([200, undefined])
    expect(await refused(twice)).toEqual([400, 'DuplicateOrder'])
  })

  test('lists events with the symbols of books and orders; an unknown symbol is an error', async () => {
    const { symbol } = market()
    const { body } = await getJson(`${lab.gemini.urls.REST}${base}/events?status=active&limit=500`)
    const events = body.data as { ticker: string; status: string; contracts: { instrumentSymbol: string }[] }[]
    expect(events.every(({ status }) => status === 'active')).toBe(true)
    const event = events.find(({ contracts }) => contracts.some((row) => row.instrumentSymbol === symbol))!
    expect((await getJson(`${lab.gemini.urls.REST}${base}/events/${event.ticker}`)).body).toEqual(event)
    expect(await getJson(`${lab.gemini.urls.REST}/v1/book/GEMI-NOSUCH`)).toMatchObject({ status: 400 })
  })

  test('faults on request: dropped after acceptance, never accepted, forgotten, rejected', async () => {
    const { faults, engine, credentials } = lab.gemini
    const known = (id: string) => engine.orderManager.findByClientId(credentials.apiKey, id) !== null
    for (const [fault, taken] of [
      ['drop', true],
      ['vanish', false],
    ] as const) {
      const clientOrderId = crypto.randomUUID()
      faults.order({ fault })
      await expect(call(`${base}/order`, order({ clientOrderId }))).rejects.toThrow()
      expect(known(clientOrderId)).toBe(taken)
    }
    faults.order({ fault: 'forget' })
    const forgottenOrder = await call(`${base}/order`, order())
    expect((await cancel(idIn(forgottenOrder.text))).body).toMatchObject({ error: 'OrderNotFound' })
    faults.order({ fault: 'reject' })
    expect((await call(`${base}/order`, order())).body).toMatchObject({ error: 'InsufficientFunds' })
    faults.http({ status: 429, count: 1 })
    expect((await call(`${base}/order`, order())).body).toMatchObject({ reason: 'RateLimit' })
  })
})
