import { constants, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { rsaPem } from '#test/support/rsaPem'
import { Credentials, checkCredentials, signedHeaders } from '#venues/kalshi/exec/auth'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const pkcs1 = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
const now = 1_703_123_456_789
const given = (privateKeyPem: string, apiKeyId = 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c') =>
  Credentials.parse({ apiKeyId, privateKeyPem })
let turns = 0
/** Signatures started so far: `turns`. */
const context = {
  clock: new ManualClock(now),
  async heavy<T>(work: () => T | Promise<T>): Promise<T> {
    turns++
    return work()
  },
}
const sign = (credentials: Credentials, path = '/x') => signedHeaders(context, credentials, 'GET', path)
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
    ['an indented PEM with other line ends', pkcs8.replaceAll('\n', '\r\n  ')],
    ['a PEM without line ends', pkcs1.replaceAll('\n', '')],
    ['a PEM after other text', `Bag Attributes\n${pkcs8}`],
  ])('is RSA-PSS, SHA-256, salt of 32, over the text of the published example: %s', async (_, pem) => {
    const headers = await sign(given(pem), '/trade-api/v2/portfolio/balance')
    expect(headers).toMatchObject({
      'KALSHI-ACCESS-KEY': 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c',
      'KALSHI-ACCESS-TIMESTAMP': '1703123456789',
    })
    const signature = headers['KALSHI-ACCESS-SIGNATURE']!
    expect(verifies('1703123456789GET/trade-api/v2/portfolio/balance', signature)).toBe(true)
    expect(verifies('1703123456789GET/trade-api/v2/portfolio/balance', signature, 20)).toBe(false)
    expect(verifies('1703123456789POST/trade-api/v2/portfolio/balance', signature)).toBe(false)
  })

  it('differs each time', async () => {
    const signed = async () => (await sign(given(pkcs8)))['KALSHI-ACCESS-SIGNATURE']
    expect(await signed()).not.toBe(await signed())
  })
})

describe('an unusable key', () => {
  const pemOf = (key: KeyObject, options: Record<string, string> = {}) =>
    key.export({ type: 'pkcs8', format: 'pem', ...options } as never).toString()
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
  const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey
  const sealed = { cipher: 'aes-256-cbc', passphrase: 'p' }
  it.each([
    ['no PEM', 'canary-pem', /not a readable PEM/],
    ['a public key', publicKey.export({ type: 'spki', format: 'pem' }).toString(), /not an RSA private key/],
    ['another kind of key', pemOf(elliptic), /not an RSA private key/],
    ['a SEC1 EC key', elliptic.export({ type: 'sec1', format: 'pem' }).toString(), /not an RSA private key/],
    ['a PSS-only key', pemOf(pss), /not an RSA private key/],
    ['an encrypted key', pemOf(privateKey, sealed), /is encrypted/],
    ['encrypted PKCS#1 key', privateKey.export({ type: 'pkcs1', format: 'pem', ...sealed }).toString(), /is encrypted/],
    ['a small key', pemOf(small), /2048 to 4096 bits/],
    ['half a key', `${pkcs8.slice(0, 900)}\n-----END PRIVATE KEY-----\n`, /not a readable PEM/],
    ['many short lines', pkcs8.replaceAll(/([A-Za-z0-9+/]{8})(?=[A-Za-z0-9+/])/g, '$1\n'), /not a readable PEM/],
  ])('is rejected without being repeated: %s', async (_, pem, why) => {
    const before = turns
    for (const attempt of [() => sign(given(pem)), async () => checkCredentials(given(pem))]) {
      const thrown: unknown = await attempt().then(
        () => null,
        (error: unknown) => error,
      )
      expect(thrown).toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED', message: expect.stringMatching(why) })
      expect((thrown as Error).cause).toBeUndefined()
      for (const line of pem.split('\n').filter((text) => text.length > 8))
        expect(inspect(thrown, { showHidden: true })).not.toContain(line)
    }
    expect(turns).toBe(before)
  })

  it('is rejected when its id is not allowed in a header', async () => {
    await expect(sign(given(pkcs8, 'a\r\nX-Evil: 1'))).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
  })
})

describe('a key with numbers that would block the processor', () => {
  const jwk = privateKey.export({ format: 'jwk' })
  const number = (name: 'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi') => Buffer.from(jwk[name]!, 'base64url')
  const good = {
    version: Buffer.of(0),
    ...{ n: number('n'), e: number('e'), d: number('d'), p: number('p'), q: number('q') },
    ...{ dp: number('dp'), dq: number('dq'), qi: number('qi') },
  }
  const odd = (bytes: number) => Buffer.alloc(bytes, 0xff)
  const pemOf = (given: Partial<typeof good> & { more?: Buffer }) => {
    const { more, ...numbers } = { ...good, ...given }
    return rsaPem([...Object.values(numbers), ...(more ? [more] : [])])
  }

  it('the test encoder matches OpenSSL, and the valid key signs', async () => {
    expect(pemOf({})).toBe(pkcs1)
    expect((await sign(given(pemOf({}))))['KALSHI-ACCESS-SIGNATURE']).toBeDefined()
  })

  it.each([
    ['a modulus of 24,000 bits', { n: odd(3_000) }],
    ['a modulus of 4,104 bits', { n: odd(513) }],
    ['a modulus of 2,047 bits', { n: Buffer.concat([Buffer.of(0x7f), odd(255)]) }],
    ['an exponent longer than the modulus', { d: odd(1_500) }],
    ['a public exponent as long as the modulus', { e: odd(256) }],
    ['a prime longer than half the modulus', { p: odd(256) }],
    ['a remainder longer than half the modulus', { dp: odd(256), dq: odd(256) }],
    ['an inverse longer than half the modulus', { qi: odd(200) }],
    ['no primes', { p: Buffer.of(0), q: Buffer.of(0) }],
    ['an even modulus', { n: Buffer.concat([number('n').subarray(0, -1), Buffer.of(2)]) }],
    ['primes of another key', { p: odd(128), q: odd(128) }],
    ['more than two primes', { version: Buffer.of(1) }],
    ['a tenth number', { more: Buffer.of(3) }],
  ])('is rejected before any calculation with it: %s', async (_, numbers) => {
    const before = turns
    expect(() => checkCredentials(given(pemOf(numbers)))).toThrowError(
      expect.objectContaining({ code: 'VENUE_CREDENTIAL_REJECTED' }),
    )
    await expect(sign(given(pemOf(numbers)))).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
    expect(turns).toBe(before)
  })

  it('is rejected when its lengths are wrong or it is truncated, at any position', () => {
    const der = Buffer.from(pkcs1.split('\n').slice(1, -2).join(''), 'base64')
    for (let at = 0; at < der.length; at += 7) {
      const bent = Buffer.from(der)
      bent[at] = bent[at]! ^ 0xff
      for (const text of [bent, der.subarray(0, at)].map((bytes) => bytes.toString('base64').padEnd(64, 'A'))) {
        const pem = `-----BEGIN RSA PRIVATE KEY-----\n${text}\n-----END RSA PRIVATE KEY-----`
        try {
          checkCredentials(given(pem))
        } catch (error) {
          expect(error).toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
        }
      }
    }
  })

  it('a text longer than any valid key is rejected unread', () => {
    expect(Credentials.safeParse({ apiKeyId: 'a', privateKeyPem: 'x'.repeat(8_001) }).success).toBe(false)
  })
})

it('a key pair does not appear in any printed form of its holder', () => {
  const held = { credentials: given(pkcs8, 'canary-key') }
  const text = inspect(held, { depth: 9, showHidden: true }) + JSON.stringify(held)
  expect(text).not.toContain('canary')
  expect(text).not.toContain(pkcs8.split('\n')[1])
})
