import { createHmac } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { GeminiAuth } from 'pmxt-core/dist/exchanges/gemini-titan/auth.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { randomOrders } from '#test/support/randomOrders'
import { authHeaders, Credentials, nonceOf } from '#venues/gemini/exec/auth'
import { geminiLane as lane } from '#venues/gemini/exec/index'
import { payloadText, RawDigits } from '#venues/gemini/exec/payload'
import { parseExact } from '#venues/gemini/exec/wire'
import { createWorld, credentials, payloadOf, symbol } from './world.ts'

const parsed = Credentials.parse(credentials)

describe('the header vectors', () => {
  it('a cancellation contains the order id as an integer', () => {
    const text = payloadText('/v1/prediction-markets/order/cancel', 1700000000, { orderId: new RawDigits('1234567') })
    expect(text).toBe('{"request":"/v1/prediction-markets/order/cancel","nonce":1700000000,"orderId":1234567}')
    expect(authHeaders(parsed, text)).toEqual({
      'Content-Type': 'text/plain',
      'Content-Length': '0',
      'Cache-Control': 'no-cache',
      'X-GEMINI-APIKEY': credentials.apiKey,
      'X-GEMINI-PAYLOAD':
        'eyJyZXF1ZXN0IjoiL3YxL3ByZWRpY3Rpb24tbWFya2V0cy9vcmRlci9jYW5jZWwiLCJub25jZSI6MTcwMDAwMDAwMCwib3JkZXJJZCI6MTIzNDU2N30=',
      'X-GEMINI-SIGNATURE':
        '088d362e17692887d2cdede163071af52bff3a80bc20f6138f4dfffff7e4754c2f75ab4a2820f0be0562b6686b7cee78',
    })
  })

  it('a bare nonce is signed for the socket handshake', () => {
    expect(authHeaders(parsed, '1700000000')).toMatchObject({
      'X-GEMINI-PAYLOAD': 'MTcwMDAwMDAwMA==',
      'X-GEMINI-SIGNATURE':
        'a31e604fe369653eaff23be92bd76375ce53f9f066f8b0102d5673a4dbbc7ae7ceadde17bef5f6b22091a9db2861aa9e',
    })
  })

  it('the example order matches field by field', () => {
    expect(
      payloadText('/v1/prediction-markets/order', 1700000000, {
        symbol: 'GEMI-TESTEV26-AAA',
        orderType: 'limit',
        side: 'buy',
        outcome: 'yes',
        quantity: '10',
        price: '0.20',
        timeInForce: 'good-til-cancel',
      }),
    ).toBe(
      '{"request":"/v1/prediction-markets/order","nonce":1700000000,"symbol":"GEMI-TESTEV26-AAA","orderType":"limit","side":"buy","outcome":"yes","quantity":"10","price":"0.20","timeInForce":"good-til-cancel"}',
    )
  })
})

it('the nonce is unix seconds, for keys with time-based nonces', () => {
  expect(nonceOf(1_700_000_000_999)).toBe(1_700_000_000)
})

it('order ids of 18 digits survive parsing and formatting', () => {
  const text = '{"orderId":145000000000000001,"deep":[{"n":-99999999999999999999}],"small":7,"price":0.25,"text":"1e5"}'
  expect(parseExact(text)).toEqual({
    orderId: '145000000000000001',
    deep: [{ n: '-99999999999999999999' }],
    small: 7,
    price: 0.25,
    text: '1e5',
  })
  expect(parseExact('<html>')).toBeUndefined()
  expect(payloadText('/x', 1, { orderId: new RawDigits('145000000000000001') })).toContain(':145000000000000001}')
})

it('only digits are written as a raw number', () => {
  for (const text of ['', '1e5', '-1', '1.5', '1,"x":2', ' 1']) expect(() => new RawDigits(text)).toThrow()
})

it('a secret does not appear in any printed form of its holder', () => {
  const held = { credentials: Credentials.parse({ apiKey: 'canary-key-5', apiSecret: 'canary-secret-5' }) }
  expect(inspect(held, { depth: 9 }) + JSON.stringify(held)).not.toContain('canary')
  expect(JSON.stringify(Credentials.safeParse({ apiKey: 'canary-key-5', apiSecret: 7 }).error)).not.toContain('canary')
})

it('a key with characters not allowed in a header is rejected', () => {
  const bad = Credentials.parse({ ...credentials, apiKey: 'a\r\nX-Evil: 1' })
  expect(() => authHeaders(bad, '{}')).toThrowError(expect.objectContaining({ code: 'VENUE_CREDENTIAL_REJECTED' }))
})

describe('over the wire', () => {
  let world: LaneWorld
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  const orders = fc.record({
    outcome: fc.constant(symbol),
    outcomeSide: fc.constantFrom('YES', 'NO'),
    isBuy: fc.boolean(),
    price: fc.integer({ min: 1, max: 99 }).map((cents) => cents / 100),
    size: fc.integer({ min: 1, max: 1_000_000 }),
  })

  it(`${randomOrders} random orders carry exactly the official client’s payload with a fresh signature`, async () => {
    world.answer(() => ({
      text: '{"orderId":145000000000000001,"status":"open","symbol":"s","side":"buy","outcome":"yes"}',
    }))
    await fc.assert(
      fc.asyncProperty(orders, async (body) => {
        world.clock.advance(1_000)
        world.seen.length = 0
        const execution = executionOf(await buildOrder(lane, world.context, body))
        const { outcome } = await submit(lane, world.context, execution, credentials)
        expect(outcome).toMatchObject({ kind: 'accepted', venueRef: '145000000000000001' })
        const [seen] = world.seen
        // The venue’s signer puts request and nonce first, then the order fields in documented order.
        const payload = JSON.stringify({
          request: '/v1/prediction-markets/order',
          nonce: Math.floor(world.clock.now() / 1_000),
          symbol,
          orderType: 'limit',
          side: body.isBuy ? 'buy' : 'sell',
          outcome: body.outcomeSide.toLowerCase(),
          quantity: String(body.size),
          price: body.price.toFixed(2),
          timeInForce: 'good-til-cancel',
          clientOrderId: execution.clientRef,
        })
        expect(payloadOf(seen!)).toBe(payload)
        const encoded = Buffer.from(payload).toString('base64')
        expect(seen!.headers['x-gemini-payload']).toBe(encoded)
        expect(seen!.headers['x-gemini-signature']).toBe(
          createHmac('sha384', credentials.apiSecret).update(encoded).digest('hex'),
        )
        const theirs = new GeminiAuth(credentials).buildHeaders(JSON.parse(payload))
        for (const [name, value] of Object.entries(theirs)) expect(seen!.headers[name.toLowerCase()]).toBe(value)
        expect([seen!.method, seen!.path, seen!.text]).toEqual(['POST', '/v1/prediction-markets/order', ''])
        expect(seen!.headers['content-length']).toBe('0')
      }),
      { numRuns: randomOrders },
    )
  }, 60_000)
})
