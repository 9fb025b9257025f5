// One typed order covers the whole family of exchanges: vectors of supported venues and of others.
import { type Hex, keccak256, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkAmounts, hexText, makerTakerAmounts, typedOrder, Uint } from '#venues/shared/exec/typedOrder'

const zero: Hex = `0x${'0'.repeat(40)}`
const uint = (name: string) => ({ name, type: 'uint256' }) as const
const address = (name: string) => ({ name, type: 'address' }) as const
const byte = (name: string) => ({ name, type: 'uint8' }) as const

/** The struct of the first exchange, which most of its descendants keep. */
const first = [
  uint('salt'),
  address('maker'),
  address('signer'),
  address('taker'),
  uint('tokenId'),
  uint('makerAmount'),
  uint('takerAmount'),
  uint('expiration'),
  uint('nonce'),
  uint('feeRateBps'),
  byte('side'),
  byte('signatureType'),
] as const
const plainFirst = { taker: zero, expiration: '0', nonce: '0', feeRateBps: '0', side: 0, signatureType: 0 }

describe('hashes', () => {
  it('of the first struct: its type hash, and an order of Limitless', () => {
    const members = first.map(({ name, type }) => `${type} ${name}`).join(',')
    expect(keccak256(stringToHex(`Order(${members})`))).toBe(
      '0xa852566c4e14d00869b6db0220888a9090a13eccdaea03713ff0a3d27bf9767c',
    )
    const order = typedOrder({ name: 'Limitless CTF Exchange', version: '1', chainId: 8453, members: first })
    // The account of the key 0x0123…0123.
    const owner: Hex = '0x14791697260E4c9A71f18484C9f997B308e59325'
    const message = {
      ...plainFirst,
      salt: '1700000000000',
      maker: owner,
      signer: owner,
      tokenId: '19633204485790857949828516737993423758628930235371629943999544859324645414627',
      makerAmount: '6500000',
      takerAmount: '10000000',
      feeRateBps: '300',
    }
    const contract = '0x05c748E2f4DcDe0ec9Fa8DDc40DE6b867f923fa5'
    expect(order.hash(message, contract)).toBe('0x50c876ba78182b8bae695f10d28828dc6fbfd172ad4280e7907d9225d592de4f')
    const shape = order.shapeOf(z.custom<typeof message>(), hexText(40))
    const unsigned = order.unsigned(message, contract)
    expect(shape.safeParse(JSON.parse(JSON.stringify(unsigned))).success).toBe(true)
    const types = { ...order.types, Order: order.types.Order.toReversed() }
    expect(shape.safeParse({ ...unsigned, types }).success).toBe(false)
  })

  it('of the first struct on another chain, for a Safe: an order of Opinion', () => {
    const order = typedOrder({ name: 'OPINION CTF Exchange', version: '1', chainId: 56, members: first })
    const message = {
      ...plainFirst,
      salt: '1786098500146',
      maker: `0x${'cd'.repeat(20)}`,
      signer: `0x${'ab'.repeat(20)}`,
      tokenId: '28693516923723830335610225677829403677173535256277787397410382793775279999599',
      makerAmount: '5000000000000000000',
      takerAmount: '2500000000000000000',
      side: 1,
      signatureType: 2,
    } as const
    expect(order.hash(message, '0x5f45344126d6488025b0b84a3a8189f2487a7246')).toBe(
      '0x9e1be0846fdaf97358f2d710bec71aab672c5ff01b4ce4d5fada9d28dd53bd45',
    )
  })

  it('of a struct of its own: an order of Myriad', () => {
    const order = typedOrder({
      name: 'MyriadCTFExchange',
      version: '1',
      chainId: 56,
      members: [
        address('trader'),
        uint('marketId'),
        byte('outcomeId'),
        byte('side'),
        uint('amount'),
        uint('price'),
        uint('minFillAmount'),
        uint('nonce'),
        uint('expiration'),
      ],
    })
    const message = {
      trader: '0xb67f9a782d3678a0bac50c22eacbb4924fe9d4cf',
      marketId: '730',
      outcomeId: 0,
      side: 0,
      amount: '2000000000000000000',
      price: '500000000000000000',
      minFillAmount: '0',
      nonce: '1700000000000',
      expiration: '0',
    } as const
    expect(order.hash(message, '0xa0b6f8ef8EdB64f395018D1933f2273Ce9f0f16A')).toBe(
      '0x900cb9349ec8786eed36c79a50e783c314e86c942f468d6601322126ece201b8',
    )
  })
})

describe('amounts', () => {
  it.each([
    // Limitless’s own OrderBuilder: six decimals, the buyer’s cash rounded up.
    [true, '10', '6.5', 6, 'up', '6500000', '10000000'],
    [false, '10', '6.5', 6, 'down', '10000000', '6500000'],
    [true, '7.001', '2.331333', 6, 'up', '2331333', '7001000'],
    [true, '1', '0.3333333', 6, 'up', '333334', '1000000'],
    [false, '1', '0.3333333', 6, 'down', '1000000', '333333'],
    // Eighteen decimals.
    [true, '123.45', '56.2932', 18, 'up', '56293200000000000000', '123450000000000000000'],
  ] as const)('buys %s, %s shares for %s', (isBuy, shares, cash, decimals, rounding, makerAmount, takerAmount) => {
    expect(makerTakerAmounts({ isBuy, shares, cash }, { decimals, rounding })).toEqual({ makerAmount, takerAmount })
  })

  it('gives at most and takes at least the bounded amounts', () => {
    const held = { makerAmount: '100', takerAmount: '200' }
    for (const found of [held, { makerAmount: '1', takerAmount: '200' }, { makerAmount: '100', takerAmount: '201' }]) {
      expect(() => checkAmounts('polymarket', found, held)).not.toThrow()
    }
    for (const found of [{ makerAmount: '101' }, { makerAmount: '0' }, { takerAmount: '199' }]) {
      expect(() => checkAmounts('polymarket', { ...held, ...found }, held)).toThrowError(
        expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
      )
    }
  })

  it('a uint256 is a canonical decimal within range', () => {
    const most = (2n ** 256n - 1n).toString()
    expect(['0', '1', most].every((text) => Uint.safeParse(text).success)).toBe(true)
    const wrong = ['', '01', '-1', '1.0', '1e3', 'x', (2n ** 256n).toString(), '9'.repeat(60_000)]
    expect(wrong.filter((text) => Uint.safeParse(text).success)).toEqual([])
  })
})
