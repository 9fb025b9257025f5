// Orders of recorded requests of `ccxt` (MIT) and their digests; a redemption byte by byte.

import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { buildRedeem } from '#venues/opinion/exec/redeem'
import { conditionalTokens, orderHash } from '#venues/opinion/exec/typedData'
import { type CtfMessage, openTaker } from '#venues/shared/exec/ctfOrder'
import { conditionId, laneSuite, market, marketId, owner, usdt } from './world.ts'

const key = privateKeyToAccount('0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef')
const exchange = '0x5f45344126d6488025b0b84a3a8189f2487a7246'
const message = (given: Partial<CtfMessage>): CtfMessage => ({
  salt: '1',
  maker: `0x${'cd'.repeat(20)}`,
  signer: `0x${'ab'.repeat(20)}`,
  taker: openTaker,
  tokenId: '28693516923723830335610225677829403677173535256277787397410382793775279999599',
  makerAmount: '0',
  takerAmount: '0',
  expiration: '0',
  nonce: '0',
  feeRateBps: '0',
  side: 0,
  signatureType: 2,
  ...given,
})

describe('the digest', () => {
  it.each([
    [
      {
        salt: '1786098500146',
        makerAmount: '5000000000000000000',
        takerAmount: '2500000000000000000',
        side: 1 as const,
      },
      '0x9e1be0846fdaf97358f2d710bec71aab672c5ff01b4ce4d5fada9d28dd53bd45',
      '0x887a77789075891410ecdffcd82b822b9522ddb982e99f41197d3a06cdc2843712afa2658ec5576dfd56917761f325daaf728df1ee304d425c79f77e16441f9b1c',
    ],
    [
      { salt: '1786098500184', makerAmount: '2000000000000000000' },
      '0x0cade2f841667a63e29b8dbfccb955ee9aa2aff81a9283510583590a68556f01',
      '0x2a52c8a4e96ad6d227e7ab58d8766b97995f1c409c349a1dab93a99ff84fb6a826f5c39933a75767a2ceca3fbf78a0c8238a65bc0f5a2535198bdcda784393b91c',
    ],
    [
      { salt: '1785581371733', makerAmount: '2500000000000000000', takerAmount: '5000000000000000000' },
      '0xb99132b6b70760402cccbf3bbbd504e71e840708cdabfde9d81686a9b8a5a72b',
      null,
    ],
  ])('of %o', async (given, digest, signature) => {
    const hash = orderHash(message(given), exchange)
    expect(hash).toBe(digest)
    if (signature !== null) expect(await key.sign({ hash })).toBe(signature)
  })
})

describe('redeem', () => {
  const here = laneSuite()

  it('is redeemPositions of both sides, for the token of the market', async () => {
    here.world.outcomes.splice(0, 2, ...market('resolved'))
    const built = await buildRedeem(here.world.context, { outcome: marketId, owner })
    const word = (hex: string) => hex.toLowerCase().padStart(64, '0')
    const data = `0x01b7037c${word(usdt.slice(2))}${word('')}${conditionId}${word('80')}${word('2')}${word('1')}${word('2')}`
    expect(built).toMatchObject({
      unsigned: { to: conditionalTokens, data, value: '0', chainId: 56 },
      terms: null,
      notionalUsd: null,
      owner,
      warnings: [expect.stringMatching(/Safe/)],
    })
  })

  it('is rejected while the market trades', async () => {
    await expect(buildRedeem(here.world.context, { outcome: marketId, owner })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })
})
