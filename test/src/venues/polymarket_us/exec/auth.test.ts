import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { authHeaders, Credentials } from '#venues/polymarket_us/exec/auth'
import { credentials } from './world.ts'

const timestamp = 1_700_000_000_000

describe('the published vectors', () => {
  it.each([
    [
      'GET',
      '/v1/orders/open',
      'IRoBip2upDBZkMRT7PBTGAhNwKQLfM1TrvDDYxlSZMgtBsEvAYt7siWpbvMOGHDD1V0qH22t+G9g8MIfEyXIBA==',
    ],
    ['POST', '/v1/orders', 'l/ry9TVLSH7BiT8MhbMrgAvrZzz61esR9V567RoRuEXADHNFk1rza0I+erHgAdQjTsT5Hke29D+9cYizzg01DA=='],
    [
      'POST',
      '/v1/order/oid/cancel',
      '1CHETejfRkClQJEnroNQmmgO3HBAz/eYriSIM0DzWm9xkaci84a4uJ2pyhHqpvAsn7cwCDMWxJOINUabp4iWBQ==',
    ],
    [
      'GET',
      '/v1/order/oid',
      'urn3OTrZECgz1be/44VcXwinvYjOKkNlFJeQ/HuHqfxfqIOPCJuauUlv88Jp1ABqB2QI88oFCyahYhVKe0WwDQ==',
    ],
    [
      'POST',
      '/v1/orders/open/cancel',
      'VuXuehtrBvl3IvdGdAYFG5Xt56Zpu3LemB6MADvxkQdcu5bUs994vCzWGc6JraFhxeTpnLP1TDLrfBh4hv2pCg==',
    ],
    [
      'GET',
      '/v1/portfolio/positions',
      'fDh4Pf4h3oaXUarkRDGWmLB1Ej0B4yV8faESdtcllDEszbO4qBvNe9TnQIE/jmRHa6MkZq9C7QYKgjug/Dx0Dg==',
    ],
    [
      'GET',
      '/v1/account/balances',
      'EL/Y2aPb2Ci/CAcrcS9Ya6nHoZLWrrjyeKC4ZOevcnk/BHx+bzuLF5vQDVUQlOuxElFwoHUZxlbFHeZxEQhaCw==',
    ],
    [
      'GET',
      '/v1/ws/private',
      'iRm0TQwqG76YaGtU18UQO81tLkw1Jyr1qqP9TjklrUuzlXe0+gQKlk/v/21RQVNUjARn4vdXy7IURJeSXeReDw==',
    ],
    [
      'GET',
      '/v1/ws/markets',
      'RPjv8kz5nw9An7FO+MV9l3iktZXvd9m4w/o+JGWarYesmixWgdUsCqolkUic1xtDLE1K7yAVZ+Re2D6Zll38CA==',
    ],
  ] as const)('%s %s', (method, path, signature) => {
    expect(authHeaders(Credentials.parse(credentials), method, path, timestamp)).toEqual({
      'Content-Type': 'application/json',
      'X-PM-Access-Key': credentials.keyId,
      'X-PM-Timestamp': '1700000000000',
      'X-PM-Signature': signature,
    })
  })

  it('match the public key of RFC 8032', () => {
    const seed = Buffer.from(credentials.secretKey, 'base64')
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
    const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
    expect(key.export({ format: 'jwk' }).x).toBe(
      Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex').toString('base64url'),
    )
    const headers = authHeaders(Credentials.parse(credentials), 'POST', '/v1/orders', timestamp)
    const signature = Buffer.from(headers['X-PM-Signature']!, 'base64')
    expect(verify(null, Buffer.from(`${timestamp}POST/v1/orders`), key, signature)).toBe(true)
  })
})

it('a 64-byte secret signs like its first 32 bytes', () => {
  const long = Buffer.concat([Buffer.from(credentials.secretKey, 'base64'), Buffer.alloc(32, 9)]).toString('base64')
  const [a, b] = [credentials.secretKey, long].map((secretKey) =>
    authHeaders(Credentials.parse({ ...credentials, secretKey }), 'GET', '/v1/order/oid', timestamp),
  )
  expect(b).toEqual(a)
})

describe('an unusable key', () => {
  it.each([
    ['no base64', 'canary*secret*77'],
    ['31 bytes', Buffer.alloc(31, 1).toString('base64')],
    ['a PEM', '-----BEGIN PRIVATE KEY-----\ncanary*secret*77\n-----END PRIVATE KEY-----'],
  ])('is rejected without being repeated: %s', (_, secretKey) => {
    const parsed = Credentials.parse({ ...credentials, secretKey })
    expect(inspect(parsed) + JSON.stringify(parsed)).not.toContain(secretKey)
    let thrown: unknown
    try {
      authHeaders(parsed, 'GET', '/v1/order/oid', timestamp)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
    expect((thrown as Error).cause).toBeUndefined()
    expect(inspect(thrown)).not.toContain('canary')
  })

  it('is rejected when its id is not allowed in a header', () => {
    const parsed = Credentials.parse({ ...credentials, keyId: 'a\r\nX-Evil: 1' })
    expect(() => authHeaders(parsed, 'GET', '/v1/order/oid', timestamp)).toThrowError(
      expect.objectContaining({ code: 'VENUE_CREDENTIAL_REJECTED' }),
    )
  })
})
