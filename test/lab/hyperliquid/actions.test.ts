// The signed payload of the lab's actions, checked with published vectors and with hashes from the venue's library.
import { describe, expect, test } from 'vitest'
import { Action, connectionIdOf, Signed, signerOf } from '#lab/hyperliquid/actions'

const k1 = '0x14791697260e4c9a71f18484c9f997b308e59325'
const one = `0x${'1'.padStart(32, '0')}`
const limit = (tif: string) => ({ limit: { tif } })
const order = (row: object) => ({ type: 'order', orders: [row], grouping: 'na' })

const rows: [string, object, number, string, string, string, 27 | 28][] = [
  [
    'an order',
    order({ a: 100002200, b: true, p: '0.35', s: '50', r: false, t: limit('Gtc') }),
    1712345678000,
    '0x04e679ac2f9fc12edab827e7209d52e46b63a54403fa67e62cc151ed5971901a',
    '0xdfd7b9e1c32d311317e6b7aecc6668d56ac2ad2e73cf10e0ae7d8a3c6daf8c3a',
    '0x4f17e521bb6ba8eed471cb679a78f223a90d147784e53848adf974633bbe9399',
    28,
  ],
  [
    'an order with a client order id and another member order',
    {
      grouping: 'na',
      orders: [{ c: one, t: limit('Ioc'), r: false, s: '40', p: '0.6125', b: false, a: 100005161 }],
      type: 'order',
    },
    1712345678001,
    '0x52b00e9a0016843283538ebda98bb6327a6e25f85766cceaa57ea7c151079cb9',
    '0x768f934b8a2c620814723926021f8c3bc2c78e8e7fc7cf79edcd1f35561e6da0',
    '0x5dcf2fe5f361439b6d80b5903095bf41e5ba2a1d27680007c759363f48a2442e',
    28,
  ],
  [
    'a cancellation by an id above 2^32',
    { type: 'cancel', cancels: [{ a: 100001720, o: 480264497594 }] },
    1783249421740,
    '0x0414394fea0681080c562dbb1328c4054d67d4b9c16a3324b361c8abd071509f',
    '0x54319d2d94a73d3007c42a37765964f1c11199594845e1adc0ac1c12d68a4ef8',
    '0x392f2afb9682b0ab1f7f30d96894836bf12db4e250cabe87292fd6c6068579d1',
    28,
  ],
  [
    'a cancellation by client order id',
    { type: 'cancelByCloid', cancels: [{ asset: 100005161, cloid: one }] },
    1712345678003,
    '0x523c29fbc12a45eecfb32fab405ec5b02540ba81ff43baef2d2474f59a2de144',
    '0xa24988e4e7227273fa4010c54d87c7731980a974ee43518a8d457d7c9fcbb316',
    '0x3962b77238ffff82e237fabee2e55e9e7e824d60b71ae4ab24193634d82db185',
    28,
  ],
  [
    'a batch of modifications',
    {
      type: 'batchModify',
      modifies: [
        { oid: 480264497594, order: { a: 100005160, b: true, p: '0.36', s: '50', r: false, t: limit('Gtc') } },
      ],
    },
    1712345678004,
    '0x374545b4fc54ace289b963f5bf132d750f0aa8523c79aee1da88b3e0c629638e',
    '0x7c033d20e547618e2a72c6931458b08c08d1be9a7f7497e68b201107055f461a',
    '0x084cd83418ff36d9e2ffa3c359a7950fa79ad08214811e43be62e7a7ac978654',
    28,
  ],
]

describe('the signature of an action', () => {
  test.each(rows)('%s', async (_name, action, nonce, connectionId, r, s, v) => {
    const signed = Signed.parse({ action, nonce, signature: { r, s, v } })
    expect(connectionIdOf(signed)).toBe(connectionId)
    expect(await signerOf(signed)).toBe(k1)
    expect(await signerOf({ ...signed, nonce: nonce + 1 })).not.toBe(k1)
  })

  test('r and s without leading zeros, as another library prints them, are the same signature', async () => {
    const [, action, nonce, , r, s, v] = rows[4]!
    const short = `0x${s.slice(2).replace(/^0+/, '')}`
    expect(short.length).toBeLessThan(s.length)
    expect(await signerOf(Signed.parse({ action, nonce, signature: { r, s: short, v } }))).toBe(k1)
  })

  test('vault and expiry are part of the hash', () => {
    const action = Action.parse(order({ a: 0, b: true, p: '30000', s: '0.1', r: false, t: limit('Gtc') }))
    const nonce = 1234567890
    const vaultAddress = '0x1234567890123456789012345678901234567890'
    const hashes = [{}, { vaultAddress }, { expiresAfter: nonce }, { vaultAddress, expiresAfter: nonce }] as const
    expect(hashes.map((given) => connectionIdOf({ action, nonce, ...given }))).toEqual([
      '0x25367e0dba84351148288c2233cd6130ed6cec5967ded0c0b7334f36f957cc90',
      '0x214e2ea3270981b6fd18174216691e69f56872663139d396b10ded319cb4bb1e',
      '0xc30b002ba3775e4c31c43c1dfd3291dfc85c6ae06c6b9f393991de86cad5fac7',
      '0x2d62412aa0fc57441b5189841d81554a6a9680bf07204e1454983a9ca44f0744',
    ])
  })
})
