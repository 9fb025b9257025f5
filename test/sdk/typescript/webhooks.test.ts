// The client's verification against the program's own signatures.
import { expect, it } from 'vitest'
import { newSecret, sign, signStandard } from '#platform/webhooks/index'
import { verifyWebhook } from '#sdk/typescript/src/webhooks'

const secret = newSecret()
const body = '{"executionId":"e","status":"filled"}'
const at = 1_700_000_000
const now = () => at * 1_000
const headersOf = (over: Record<string, string | undefined> = {}) => ({
  'X-Service-Event': 'execution.status.changed',
  'X-Service-Timestamp': String(at),
  'X-Service-Signature': sign(secret, at, body),
  'X-Service-Delivery': 'd1',
  ...over,
})

it('verifies a delivery of the program, from any kind of headers, as text or as bytes', async () => {
  const delivery = { id: 'd1', event: 'execution.status.changed', signedAt: new Date(now()), payload: JSON.parse(body) }
  expect(await verifyWebhook(body, headersOf(), secret, { now })).toEqual(delivery)
  expect(
    await verifyWebhook(new TextEncoder().encode(body), new Headers(headersOf()), [newSecret(), secret], { now }),
  ).toEqual(delivery)
})

it('verifies the example of the documentation', async () => {
  const signature = '8c0efdbba44536c53f0db90a2d46e4e542613af512e00c9f1fa0c7cd2bb70537'
  const headers = { 'x-service-timestamp': '1700000000', 'x-service-signature': signature }
  const { payload } = await verifyWebhook('{"event":"execution.status.changed"}', headers, 'test-secret', { now })
  expect(payload).toEqual({ event: 'execution.status.changed' })
})

it.each<[string, string, Record<string, string | undefined>, number]>([
  ['another body', `${body} `, {}, at],
  ['an invalid signature', body, { 'X-Service-Signature': 'zz' }, at],
  ['a truncated signature', body, { 'X-Service-Signature': sign(secret, at, body).slice(0, 32) }, at],
  ['no signature', body, { 'X-Service-Signature': undefined }, at],
  ['no timestamp', body, { 'X-Service-Timestamp': undefined }, at],
  ['an invalid timestamp', body, { 'X-Service-Timestamp': '1e9' }, at],
  ['another timestamp', body, { 'X-Service-Timestamp': String(at + 1) }, at],
  ['a signature by another secret', body, { 'X-Service-Signature': sign(newSecret(), at, body) }, at],
  ['one too old', body, {}, at + 301],
  ['one from the future', body, {}, at - 301],
  ['a signature by an empty secret', body, { 'X-Service-Signature': sign('', at, body) }, at],
])('refuses %s', async (_, raw, over, seconds) => {
  const verifying = verifyWebhook(raw, headersOf(over), [secret, ''], { now: () => seconds * 1_000 })
  await expect(verifying).rejects.toMatchObject({ name: 'WebhookVerificationError' })
})

it('verifies Standard Webhooks headers by the key inside the secret', async () => {
  // The test vector of the published libraries.
  const published = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const raw = '{"test": 2432232314}'
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v2,nothing v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const then = { now: () => 1_614_265_330_000 }
  expect(await verifyWebhook(raw, headers, published, then)).toMatchObject({
    id: headers['webhook-id'],
    payload: { test: 2_432_232_314 },
  })
  const verifying = verifyWebhook(raw, { ...headers, 'webhook-id': 'msg_other' }, published, then)
  await expect(verifying).rejects.toThrow('the signature does not match the body')
})

it('verifies both of the program’s signatures, also while an older secret signs too', async () => {
  const fresh = newSecret()
  const standard = {
    'webhook-id': 'd1',
    'webhook-timestamp': String(at),
    'webhook-signature': signStandard([fresh, secret], 'd1', at, body),
  }
  for (const known of [fresh, secret]) {
    const delivery = await verifyWebhook(body, { ...headersOf(), ...standard }, known, { now })
    expect(delivery).toMatchObject({ id: 'd1', event: 'execution.status.changed' })
  }
  // A captured delivery cannot be replayed under another name in an unsigned header.
  const renamed = { ...headersOf({ 'X-Service-Delivery': 'd2' }), ...standard }
  expect(await verifyWebhook(body, renamed, fresh, { now })).toMatchObject({ id: 'd1' })
  // If one is removed in transit, the other still verifies, by the secret that signs first.
  expect(await verifyWebhook(body, headersOf(), [secret], { now })).toMatchObject({ id: 'd1' })
  await expect(verifyWebhook(body, { ...headersOf(), ...standard }, newSecret(), { now })).rejects.toThrow('signature')
})
