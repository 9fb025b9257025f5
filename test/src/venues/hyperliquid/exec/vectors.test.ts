// Published signing vectors, and vectors computed with the venue’s own libraries.

import { parseSignature, recoverTypedDataAddress, serializeSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { actionHash, agentTypedData, type Hex, type Network, packed } from '#venues/hyperliquid/exec/action'
import { assetOf, coinOf, encodingOf, tokenOf } from '#venues/hyperliquid/exec/asset'

const k1 = privateKeyToAccount('0x0123456789012345678901234567890123456789012345678901234567890123')
const k2 = privateKeyToAccount('0x822e9959e022b78423eb653a62ea0020cd283e71a2a8133a6ff2aeffaf373cff')

async function signed(account: typeof k1, hash: Hex, source: Network) {
  const { r, s, yParity } = parseSignature(await account.signTypedData(agentTypedData(hash, source)))
  return [r, s, yParity + 27]
}

const limit = (a: number, b: boolean, p: string, s: string, tif: string, c?: string) => ({
  type: 'order',
  orders: [{ a, b, p, s, r: false, t: { limit: { tif } }, ...(c === undefined ? {} : { c }) }],
  grouping: 'na',
})
const cloid = '0x00000000000000000000000000000001'

describe('the official vectors', () => {
  it('hash an IOC order', () => {
    expect(actionHash({ action: limit(4, true, '1670.1', '0.0147', 'Ioc'), nonce: 1677777606040 })).toBe(
      '0x0fcbeda5ae3c4950a548021552a4fea2226858c4453571bf3f24ba017eac2908',
    )
  })

  const order = limit(1, true, '100', '100', 'Gtc')
  const withCloid = limit(1, true, '100', '100', 'Gtc', cloid)
  const dummy = { type: 'dummy', num: 100_000_000_000 }
  const schedule = { type: 'scheduleCancel' }
  const vault = '0x1719884eb866cb12b2287399b15f7db5e7d775ea'
  it.each([
    [
      'an order, mainnet',
      order,
      undefined,
      'a',
      '0xd65369825a9df5d80099e513cce430311d7d26ddf477f5b3a33d2806b100d78e',
      '0x2b54116ff64054968aa237c20ca9ff68000f977c93289157748a3162b6ea940e',
      28,
    ],
    [
      'an order, testnet',
      order,
      undefined,
      'b',
      '0x82b2ba28e76b3d761093aaded1b1cdad4960b3af30212b343fb2e6cdfa4e3d54',
      '0x6b53878fc99d26047f4d7e8c90eb98955a109f44209163f52d8dc4278cbbd9f5',
      27,
    ],
    [
      'a client order id, mainnet',
      withCloid,
      undefined,
      'a',
      '0x041ae18e8239a56cacbc5dad94d45d0b747e5da11ad564077fcac71277a946e3',
      '0x3c61f667e747404fe7eea8f90ab0e76cc12ce60270438b2058324681a00116da',
      27,
    ],
    [
      'a client order id, testnet',
      withCloid,
      undefined,
      'b',
      '0xeba0664bed2676fc4e5a743bf89e5c7501aa6d870bdb9446e122c9466c5cd16d',
      '0x7f3e74825c9114bc59086f1eebea2928c190fdfbfde144827cb02b85bbe90988',
      28,
    ],
    [
      'a vault and a number beyond 32 bits',
      dummy,
      vault,
      'a',
      '0x003c548db75e479f8012acf3000ca3a6b05606bc2ec0c29c50c515066a326239',
      '0x4d402be7396ce74fbba3795769cda45aec00dc3125a984f2a9f23177b190da2c',
      28,
    ],
    [
      'scheduleCancel without a time',
      schedule,
      undefined,
      'a',
      '0x6cdfb286702f5917e76cd9b3b8bf678fcc49aec194c02a73e6d4f16891195df9',
      '0x6557ac307fa05d25b8d61f21fb8a938e703b3d9bf575f6717ba21ec61261b2a0',
      27,
    ],
  ] as const)('sign %s', async (_, action, vaultAddress, source, r, s, v) => {
    expect(await signed(k1, actionHash({ action, nonce: 0, vaultAddress }), source)).toEqual([r, s, v])
  })
})

describe('the library’s own vectors', () => {
  const action = limit(0, true, '30000', '0.1', 'Gtc')
  const nonce = 1234567890
  const vaultAddress = '0x1234567890123456789012345678901234567890'
  it.each([
    ['base', {}, '0x25367e0dba84351148288c2233cd6130ed6cec5967ded0c0b7334f36f957cc90'],
    ['with a vault', { vaultAddress }, '0x214e2ea3270981b6fd18174216691e69f56872663139d396b10ded319cb4bb1e'],
    ['with an expiry', { expiresAfter: nonce }, '0xc30b002ba3775e4c31c43c1dfd3291dfc85c6ae06c6b9f393991de86cad5fac7'],
    [
      'with both',
      { vaultAddress, expiresAfter: nonce },
      '0x2d62412aa0fc57441b5189841d81554a6a9680bf07204e1454983a9ca44f0744',
    ],
  ] as const)('hash %s', (_, more, hash) => {
    expect(actionHash({ action, nonce, ...more })).toBe(hash)
  })

  it('sign the base case', async () => {
    expect(await signed(k2, actionHash({ action, nonce }), 'a')).toEqual([
      '0x61078d8ffa3cb591de045438a1ae2ed299b271891d1943a33901e7cfb3a31ed8',
      '0x0e91df4f9841641d3322dad8d932874b74d7e082cdb5b533f804964a6963aef9',
      28,
    ])
  })
})

describe('HIP-4 vectors', () => {
  const first = limit(100002200, true, '0.35', '50', 'Gtc')
  const modify = {
    type: 'batchModify',
    modifies: [{ oid: 480264497594, order: limit(100005160, true, '0.36', '50', 'Gtc').orders[0] }],
  }
  it.each([
    [
      'buy',
      first,
      1712345678000,
      '0x04e679ac2f9fc12edab827e7209d52e46b63a54403fa67e62cc151ed5971901a',
      '0xdfd7b9e1c32d311317e6b7aecc6668d56ac2ad2e73cf10e0ae7d8a3c6daf8c3a',
      '0x4f17e521bb6ba8eed471cb679a78f223a90d147784e53848adf974633bbe9399',
      28,
    ],
    [
      'sell IOC with a client order id',
      limit(100005161, false, '0.6125', '40', 'Ioc', cloid),
      1712345678001,
      '0x52b00e9a0016843283538ebda98bb6327a6e25f85766cceaa57ea7c151079cb9',
      '0x768f934b8a2c620814723926021f8c3bc2c78e8e7fc7cf79edcd1f35561e6da0',
      '0x5dcf2fe5f361439b6d80b5903095bf41e5ba2a1d27680007c759363f48a2442e',
      28,
    ],
    [
      'post only',
      limit(100005160, true, '0.35', '50', 'Alo'),
      1712345678002,
      '0x75d2dd7b4094a227caab034cdb4167613776cb2c6dc5f15b3c91577a53b11c5d',
      '0x6f634051ff36021139b3db19adf03a38703d0bf179bad5553b35558738030a72',
      '0x54cd60d5d451712e8a258ee14dd9a7de0e5db1a0bb4429797b43e68efdcc842b',
      27,
    ],
    [
      'cancel',
      { type: 'cancel', cancels: [{ a: 100001720, o: 480264497594 }] },
      1783249421740,
      '0x0414394fea0681080c562dbb1328c4054d67d4b9c16a3324b361c8abd071509f',
      '0x54319d2d94a73d3007c42a37765964f1c11199594845e1adc0ac1c12d68a4ef8',
      '0x392f2afb9682b0ab1f7f30d96894836bf12db4e250cabe87292fd6c6068579d1',
      28,
    ],
    [
      'cancel by client order id',
      { type: 'cancelByCloid', cancels: [{ asset: 100005161, cloid }] },
      1712345678003,
      '0x523c29fbc12a45eecfb32fab405ec5b02540ba81ff43baef2d2474f59a2de144',
      '0xa24988e4e7227273fa4010c54d87c7731980a974ee43518a8d457d7c9fcbb316',
      '0x3962b77238ffff82e237fabee2e55e9e7e824d60b71ae4ab24193634d82db185',
      28,
    ],
    [
      'batch modify',
      modify,
      1712345678004,
      '0x374545b4fc54ace289b963f5bf132d750f0aa8523c79aee1da88b3e0c629638e',
      '0x7c033d20e547618e2a72c6931458b08c08d1be9a7f7497e68b201107055f461a',
      '0x084cd83418ff36d9e2ffa3c359a7950fa79ad08214811e43be62e7a7ac978654',
      28,
    ],
    [
      'split an outcome',
      { type: 'userOutcome', splitOutcome: { outcome: 516, amount: '25' } },
      1712345678005,
      '0xe22eb087db843074a2db77a2aa9181b71fc3cd87e253a9c006adc10dbb7eea4d',
      '0xafbfefe581c1aa849ecbe4911f9ae18d63689ad006219eb83d141abbb295c19e',
      '0x30e6b49c210d94643b84f0ac04bffa57359f81c0fce98d93399b337343e28855',
      28,
    ],
  ] as const)('%s', async (_, action, nonce, hash, r, s, v) => {
    expect(actionHash({ action, nonce })).toBe(hash)
    expect(await signed(k1, hash, 'a')).toEqual([r, s, v])
  })

  it('FrontendMarket packs into 87 bytes', () => {
    const action = limit(100005160, true, '0.35', '50', 'FrontendMarket')
    expect((packed(action).length - 2) / 2).toBe(87)
    expect(actionHash({ action, nonce: 1712345678000 })).toBe(
      '0xb1326e8fc384f433fc462a79ca16e7c28f7b778da1d659c9f0873add8f8e498d',
    )
  })

  it('the first order packs into these 76 bytes', () => {
    expect(packed(first)).toBe(
      '0x83a474797065a56f72646572a66f72646572739186a161ce05f5e998a162c3a170a4302e3335a173a23530a172c2a17481a56c696d697481a3746966a3477463a867726f7570696e67a26e61',
    )
  })

  it('outcome 516 has these names, and the asset of outcome 220 YES is the library’s', () => {
    const [yes, no] = [encodingOf(516, 'YES'), encodingOf(516, 'NO')]
    expect([yes, no]).toEqual([5160, 5161])
    expect([assetOf(yes), coinOf(yes), tokenOf(yes)]).toEqual([100005160, '#5160', '+5160'])
    expect([assetOf(no), coinOf(no), tokenOf(no)]).toEqual([100005161, '#5161', '+5161'])
    expect(assetOf(encodingOf(220, 'YES'))).toBe(100002200)
  })
})

// Request bodies that another library sent to the venue in 2026 (ccxt, MIT: ts/src/test/static/request/prediction/hyperliquid.json).
it('two recorded bodies were signed by their wallet over the hashes that we compute', async () => {
  const order = limit(100001720, true, '0.1', '10', 'Gtc')
  const signers = await Promise.all(
    [
      {
        action: { type: 'cancel', cancels: [{ a: 100001720, o: 480264497594 }] },
        nonce: 1783249421740,
        r: '0x4564058bb6ad2d4e4c757b8f6c49ad76b184cb50c1ea3e40111a4f385e967fa6',
        s: '0x5085fbbb412d9338f4b0db463159ea5bef3d9ca2b3d7445ed45b0f270ab08837',
      } as const,
      {
        action: { ...order, builder: { b: '0x6530512a6c89c7cfcebc3ba7fcd9ada5f30827a6', f: 0 } },
        nonce: 1784720562071,
        r: '0x158a82d795e23e835b3df0d81dbbfa4dc632d4f9d7b52edb47aabf0c42a23b0f',
        s: '0x31de108b0ba020b522aa40bdb2229bc98df27187a91a4d4682dc304f75cc5ef8',
      } as const,
    ].map(({ action, nonce, r, s }) =>
      recoverTypedDataAddress({
        ...agentTypedData(actionHash({ action, nonce }), 'a'),
        signature: serializeSignature({ r, s, yParity: 1 }),
      }),
    ),
  )
  // That library’s test wallet. Addresses are hashed in lower case, whatever their case in the request.
  expect(signers).toEqual(Array(2).fill('0xb67f9a782D3678a0BAC50C22eacbb4924Fe9D4cF'))
})
