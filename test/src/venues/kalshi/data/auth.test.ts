import { constants, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { signedHeaders } from '#venues/kalshi/data/auth'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const pkcs1 = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
const clock = new ManualClock(1_703_123_456_789)
const of = (credentials: Record<string, string> | null) => ({ venue: 'kalshi', credentials, clock }) as const
const verifies = (text: string, signature: string, saltLength: number) =>
  verify(
    'sha256',
    Buffer.from(text),
    { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength },
    Buffer.from(signature, 'base64'),
  )

test.each([
  ['PKCS#8', pkcs8],
  ['PKCS#1', pkcs1],
  ['a PEM on one line', pkcs8.replaceAll('\n', '\\n')],
])('signs timestamp, method and path with %s: RSA-PSS, SHA-256, salt of 32', (_form, PRIVATE_KEY_PEM) => {
  const headers = signedHeaders(of({ API_KEY_ID: 'key', PRIVATE_KEY_PEM }), 'GET', '/trade-api/ws/v2')!
  expect(headers).toMatchObject({ 'KALSHI-ACCESS-KEY': 'key', 'KALSHI-ACCESS-TIMESTAMP': '1703123456789' })
  const signature = headers['KALSHI-ACCESS-SIGNATURE']!
  expect(verifies('1703123456789GET/trade-api/ws/v2', signature, 32)).toBe(true)
  expect(verifies('1703123456789GET/trade-api/ws/v2', signature, 20)).toBe(false)
  expect(verifies('1703123456789POST/trade-api/ws/v2', signature, 32)).toBe(false)
})

test('without a key there are no headers', () => {
  expect(signedHeaders(of(null), 'GET', '/x')).toBeNull()
  expect(signedHeaders(of({ API_KEY_ID: 'key', PRIVATE_KEY_PEM: '' }), 'GET', '/x')).toBeNull()
})

test('an unreadable key is rejected without revealing any part of it', () => {
  const secret = 'not-a-pem-but-secret'
  try {
    signedHeaders({ ...of({ API_KEY_ID: 'key', PRIVATE_KEY_PEM: secret }), venue: 'kalshi-demo' }, 'GET', '/x')
    expect.fail('an invalid key was accepted')
  } catch (error) {
    expect(error).toBeInstanceOf(Fault)
    expect(error).toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED', exchange: 'kalshi-demo' })
    expect(`${(error as Fault).stack}${JSON.stringify(error)}${(error as Fault).cause}`).not.toContain(secret)
  }
})
