// Orders signed by the venue’s own client and by `ccxt` (both MIT), for each exchange, and Kernel digests; redemptions byte by byte.
import { hashMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { buildRedeem } from '#venues/predictfun/exec/redeem'
import {
  exchanges,
  kernelDigest,
  kernelSignature,
  kindOf,
  orderHash,
  redeemers,
  usdt,
} from '#venues/predictfun/exec/typedData'
import { type CtfMessage, openTaker } from '#venues/shared/exec/ctfOrder'
import { conditionId, laneSuite, market, marketId, owner, smartWallet } from './world.ts'

const clientKey = privateKeyToAccount('0x0123456789012345678901234567890123456789012345678901234567890123')
const message = (given: Partial<CtfMessage>): CtfMessage => ({
  salt: '1',
  maker: clientKey.address,
  signer: clientKey.address,
  taker: openTaker,
  tokenId: '12345',
  makerAmount: '4000000000000000000',
  takerAmount: '10000000000000000000',
  expiration: '4102444800',
  nonce: '0',
  feeRateBps: '200',
  side: 0,
  signatureType: 0,
  ...given,
})
const first = '0xefb53bf9f05112a69c26834d1e9222d74adf9084e4404740fde3d73d10108b8a'

describe('an order', () => {
  it.each([
    [
      false,
      false,
      first,
      '0xac6d446b6c073db7c62f8dfcf5867ce5d2eb809f18dcb9d8b757a0f26221ca7e0d230b789c2d411943a68c4abd2e720778b065cf8997d0417765d72683828d651c',
    ],
    [
      true,
      false,
      '0x6e545d2955beebef874578b59e9c81a8e818325c1bc7badecef9c37a84032042',
      '0x22f76cbc45d88b61402677ff6d8d43656a6690e6f43385e57dd238247df1fef53c74a1c065871ad1325a506d8ac053d7e5db8fd7ffe432c54738d597d7b4749f1b',
    ],
    [
      false,
      true,
      '0xc11ae17af2f4c9f5d25cd952eccb0001e7df460b062a9f2e9222fe2753db890f',
      '0x6f989ca2118611af349a335156dfcf3380f926fa337b82f423718a9b321426595184ac0b63b0a20eda4f064f447914d39b3bae60a08a23c58e231bd4330d544e1b',
    ],
    [
      true,
      true,
      '0x54144414936ff2f59bc47390180ac44597a610edd6d841e0371f2fcda7403645',
      '0xa1d0d709052baffb8b52ae4d56375542a378f102ac4f117b810aa7d9cd9261471cf27011d1bee71fc58f18349c1678886854c803e9f78312369c5f53310ac1371b',
    ],
  ] as const)('negative-risk %s, yield-bearing %s', async (negRisk, isYieldBearing, hash, signature) => {
    const found = orderHash(message({}), exchanges[kindOf({ negRisk, isYieldBearing })])
    expect([found, await clientKey.sign({ hash: found })]).toEqual([hash, signature])
  })

  const anyone = `0x${'ab'.repeat(20)}` as const
  const ofCcxt = { maker: anyone, signer: anyone, expiration: '1789017900' } as const
  const tokenId = '59609662274634420713255055715470737173946398995313530846306470637882773028040'
  const other = '71111667581947966458963638272722498520811333974978184910327698120887210008877'
  const ccxtKey = privateKeyToAccount('0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef')
  it.each([
    [
      { tokenId },
      exchanges.yieldPlain,
      '0x970e19bf3a5882428453bed98b6c3920ffab70916cb2b4688b0da1aaad23933d',
      '0x9ecbc1c46714e4eaec9e1592f6612aee69c82bb0c7c38af6deafec620fcd7dfc732900b38253f0e52c53701032b321a66d1aab9656ef68e37f39c087180136bd1c',
    ],
    [
      { tokenId: other, side: 1 as const, makerAmount: '10000000000000000000', takerAmount: '6000000000000000000' },
      exchanges.plain,
      '0x8033e51e8843db677d8d087c67c97534b3451dc4b95c0fb26bfff6296a68488e',
      '0xbef5049b6aa2072cd4506949bc7ccb10b58ddafaa79d6c2560789c29daf60b0a44c03658edb1726e0521b7f6d039fde166d72f5021c576de9769868ed92447a51c',
    ],
  ] as const)('of ccxt: %o', async (given, exchange, hash, signature) => {
    const found = orderHash(message({ ...ofCcxt, ...given }), exchange)
    expect([found, await ccxtKey.sign({ hash: found })]).toEqual([hash, signature])
  })
})

describe('a smart wallet', () => {
  const wallet = `0x${'11'.repeat(20)}` as const

  it('wraps an order’s hash and its owner’s signature', async () => {
    const digest = kernelDigest(wallet, first)
    expect(digest).toBe('0xbcd5a66da517509d6774b892be7d4c6db30c94bae0c7a840950940eeef2ce10e')
    expect(kernelSignature(await clientKey.signMessage({ message: { raw: digest } })).toLowerCase()).toBe(
      '0x01845adb2c711129d4f3966735ed98a9f09fc4ce57507658a3e4d86423adfccdefbcf1b5aa32a46f754c95d9e771345b66a69f1e5157d1361286c077cb150cea79cb13605a08dfffe60581b623495e875fcb486f021b',
    )
  })

  it('wraps a message', () => {
    expect(kernelDigest(wallet, hashMessage('hello'))).toBe(
      '0x00a064bd6f108c7d2c31081ecbc9dc5018afe7050302c254125dfcfeed8fdeed',
    )
  })
})

describe('redeem', () => {
  const here = laneSuite()
  const word = (hex: string): string => hex.toLowerCase().padStart(64, '0')
  const condition = conditionId.slice(2)
  const redeem = (kind: object, body: object) => {
    here.world.outcomes.splice(0, 2, ...market({ status: 'resolved', ...kind }))
    return buildRedeem(here.world.context, { outcome: marketId, owner, ...body })
  }
  const both = `0x01b7037c${word(usdt.slice(2))}${word('')}${condition}${word('80')}${word('2')}${word('1')}${word('2')}`

  it.each([
    [{}, redeemers.plain],
    [{ isYieldBearing: true }, redeemers.yieldPlain],
  ])('redeems both sides of a standalone market, %o', async (kind, to) => {
    expect((await redeem(kind, {})).unsigned).toEqual({ to, data: both, value: '0', chainId: 56 })
    await expect(redeem(kind, { amount: '1' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it.each([
    ['YES', [word('22b1c8c1227a0000'), word('')]],
    ['NO', [word(''), word('22b1c8c1227a0000')]],
  ] as const)('redeems an amount of one side of a negative-risk market: %s', async (outcomeSide, amounts) => {
    const { unsigned, warnings } = await redeem({ negRisk: true }, { outcomeSide, amount: '2.5' })
    const data = `0xdbeccb23${condition}${word('40')}${word('2')}${amounts.join('')}`
    expect(unsigned).toMatchObject({ to: redeemers.negRisk, data })
    expect(warnings).toEqual([expect.stringMatching(/setApprovalForAll/)])
    for (const amount of [undefined, '0', `0.${'1'.repeat(19)}`]) {
      const body = { outcomeSide, ...(amount !== undefined && { amount }) }
      await expect(redeem({ negRisk: true }, body)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    }
    await expect(redeem({ negRisk: true }, { amount: '1' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('goes through a smart wallet as its own call', async () => {
    const { unsigned } = await redeem({}, { predictAccount: smartWallet })
    const call = `${redeemers.plain.slice(2).toLowerCase()}${word('')}${both.slice(2)}`
    const size = call.length / 2
    const padded = call.padEnd(Math.ceil(size / 32) * 64, '0')
    const data = `0xe9ae5c53${word('')}${word('40')}${word(size.toString(16))}${padded}`
    expect(unsigned).toEqual({ to: smartWallet, data, value: '0', chainId: 56 })
  })

  it('is rejected while the market trades', async () => {
    await expect(redeem({ status: 'active' }, {})).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})
