import { constants, generateKeyPairSync, verify } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Credentials, signedHeaders } from '#venues/kalshi/exec/auth'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const pkcs1 = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
const now = 1_703_123_456_789
const given = (privateKeyPem: string, apiKeyId = 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c') =>
  Credentials.parse({ apiKeyId, privateKeyPem })
const verifies = (text: string, signature: string, saltLength = 32) =>
  verify(
    'sha256',
    Buffer.from(text),
    { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength },
    Buffer.from(signature, 'base64'),
  )

describe('the signature', () => {
  it.each([
    ['PKCS#8', pkcs8],
    ['PKCS#1', pkcs1],
    ['a PEM on one line', pkcs8.replaceAll('\n', '\\n')],
  ])('is RSA-PSS, SHA-256, salt of 32, over the published example’s text: %s', (_, pem) => {
    const headers = signedHeaders(given(pem), 'GET', '/trade-api/v2/portfolio/balance', now)
    expect(headers).toMatchObject({
      'KALSHI-ACCESS-KEY': 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c',
      'KALSHI-ACCESS-TIMESTAMP': '1703123456789',
    })
    const signature = headers['KALSHI-ACCESS-SIGNATURE']!
    expect(verifies('1703123456789GET/trade-api/v2/portfolio/balance', signature)).toBe(true)
    expect(verifies('1703123456789GET/trade-api/v2/portfolio/balance', signature, 20)).toBe(false)
    expect(verifies('1703123456789POST/trade-api/v2/portfolio/balance', signature)).toBe(false)
  })

  it('is another one each time', () => {
    const signed = () => signedHeaders(given(pkcs8), 'GET', '/x', now)['KALSHI-ACCESS-SIGNATURE']
    expect(signed()).not.toBe(signed())
  })
})

describe('a key that cannot sign', () => {
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  it.each([
    ['no PEM', 'canary-pem'],
    ['a public key', publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    ['another kind of key', elliptic.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ])('is refused without being repeated: %s', (_, pem) => {
    let thrown: unknown
    try {
      signedHeaders(given(pem), 'GET', '/x', now)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
    expect((thrown as Error).cause).toBeUndefined()
    for (const line of pem.split('\n').filter((text) => text.length > 8))
      expect(inspect(thrown, { showHidden: true })).not.toContain(line)
  })

  it('is refused when its id cannot stand in a header', () => {
    expect(() => signedHeaders(given(pkcs8, 'a\r\nX-Evil: 1'), 'GET', '/x', now)).toThrowError(
      expect.objectContaining({ code: 'VENUE_CREDENTIAL_REJECTED' }),
    )
  })
})

it('a pair is in no printed form of what holds it', () => {
  const held = { credentials: given(pkcs8, 'canary-key') }
  const text = inspect(held, { depth: 9, showHidden: true }) + JSON.stringify(held)
  expect(text).not.toContain('canary')
  expect(text).not.toContain(pkcs8.split('\n')[1])
})
