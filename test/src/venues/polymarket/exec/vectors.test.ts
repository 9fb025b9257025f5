// Published vectors of Polymarket: order hashes, signatures, amounts, fees settled on chain, calldata.
import { type Hex, keccak256, stringToHex, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { hmac } from '#venues/polymarket/exec/auth'
import { amountsOf, feeEstimate } from '#venues/polymarket/exec/build'
import { exchanges, type OrderMessage, orderHash, orderTypes, pusd } from '#venues/polymarket/exec/typedData'
import { takerFee } from '#venues/polymarket/fees'
import { redeemPositions } from '#venues/shared/exec/redemption'
import { account, owner, tokens } from './world.ts'

const zero: Hex = `0x${'0'.repeat(64)}`
const ones: Hex = `0x${'1'.repeat(40)}`

describe('orders', () => {
  const rows: [string, Partial<OrderMessage>, 'normal' | 'negRisk', string][] = [
    ['a', { salt: '123456789' }, 'normal', '0x32961c48ddac87ed3582f8e02097cd0eff4fcf80460306bd44b3710438dfa64c'],
    [
      'b',
      { salt: '987654321', side: 1, makerAmount: '50000000', takerAmount: '100000000' },
      'negRisk',
      '0x8b878404bd92dea2bfea9975c9fcd816ec70a57ae431cb20d67bb773744aaef3',
    ],
    [
      'c',
      { salt: '1', timestamp: '1713398500000', builder: `0x${'0'.repeat(63)}1` },
      'normal',
      '0x3df0b6f6ddfca837bc36964cae968b34ad35640b5d98f557c104da97e804e36a',
    ],
    [
      'd',
      { salt: '111111111', signatureType: 1 },
      'normal',
      '0x8f88fe2fb3448f4b8ba639992029f0a47a01a14d15b5f2bf9833516571efd279',
    ],
    [
      'e',
      { salt: '222222222', side: 1, signatureType: 2, makerAmount: '50000000', takerAmount: '100000000' },
      'negRisk',
      '0xb34248702810a1d76580234a33f942a9801c3680de54cb3ef104572a8d482190',
    ],
    [
      'f, a signature type that this lane never builds',
      { salt: '333333333', maker: ones, signer: ones, signatureType: 3 as never },
      'normal',
      '0x48cfd4c03dcee72230750e2dc5ea71048e91244c2a9fec2ed6ef790a74869596',
    ],
    [
      'g, likewise',
      { salt: '333333333', maker: ones, signer: ones, signatureType: 3 as never },
      'negRisk',
      '0x82b94b9d570fdd7b07f517ea848606a9b74029f2387fbf07d8b9c856d652e608',
    ],
  ]
  const base: OrderMessage = {
    salt: '0',
    maker: owner,
    signer: owner,
    tokenId: tokens[0],
    makerAmount: '100000000',
    takerAmount: '50000000',
    side: 0,
    signatureType: 0,
    timestamp: '1713398400000',
    metadata: zero,
    builder: zero,
  }
  it.each(rows)('order hash %s', (_, given, exchange, hash) => {
    expect(orderHash({ ...base, ...given }, exchanges[exchange])).toBe(hash)
  })

  it('the signature of a', async () => {
    expect(await account.sign({ hash: orderHash({ ...base, salt: '123456789' }, exchanges.normal) })).toBe(
      '0x89f178136333c8ebb32a19146cb891233e3202d474be6ef730c24dbc06ae4d2a0c99948a86d9b57de0f2c0bb8ec6964aa244ecf17cfa3a95b86878d0b64ad78a1b',
    )
  })

  it('the L2 signature', () => {
    const secret = Buffer.alloc(32).toString('base64')
    expect(hmac(secret, 1_000_000, 'test-sign', '/orders', '{"hash": "0x123"}')).toBe(
      'ZwAdJKvoYRlEKDkNMwd5BuwNNtg93kNaR_oU2HrfVvc=',
    )
  })

  it('redemption is redeemPositions of both index sets', () => {
    const data = redeemPositions(pusd, `0x${'ab'.repeat(32)}`)
    expect(data.slice(0, 10)).toBe(toFunctionSelector('redeemPositions(address,bytes32,bytes32,uint256[])'))
    const words = data.slice(10).match(/.{64}/g)!
    expect(words.map((word) => word.replace(/^0+/, ''))).toEqual([
      'c011a7e12a19f7b1f670d46f03b03f3342e82dfb',
      '',
      'ab'.repeat(32),
      '80',
      '2',
      '1',
      '2',
    ])
  })
})

it('the struct has the contract’s own type hash', () => {
  const members = orderTypes.Order.map(({ name, type }) => `${type} ${name}`).join(',')
  expect(keccak256(stringToHex(`Order(${members})`))).toBe(
    '0xbb86318a2138f5fa8ae32fbe8e659f8fcf13cc6ae4014a707893055433818589',
  )
})

describe('amounts', () => {
  // tests/order-builder/helpers/buildOrderCreationArgs.test.ts of clob-client-v2 (MIT): tick, price, size, cash, shares.
  it.each([
    ['0.1', 0.5, 21.04, '10520000', '21040000'],
    ['0.01', 0.56, 21.04, '11782400', '21040000'],
    ['0.001', 0.056, 21.04, '1178240', '21040000'],
    ['0.0001', 0.0056, 21.04, '117824', '21040000'],
    ['0.1', 0.7, 170, '119000000', '170000000'],
    ['0.1', 0.8, 101, '80800000', '101000000'],
    ['0.1', 0.7, 12.8205, '8974000', '12820000'],
    ['0.1', 0.3, 2435.89, '730767000', '2435890000'],
    ['0.01', 0.82, 20, '16400000', '20000000'],
  ])('tick %s: %d for %d', (tick, price, size, cash, shares) => {
    expect(amountsOf(true, price, size, tick)).toMatchObject({ makerAmount: cash, takerAmount: shares })
    expect(amountsOf(false, price, size, tick)).toMatchObject({ makerAmount: shares, takerAmount: cash })
  })
})

describe('fees', () => {
  // Taker fills settled on Polygon from 2026-09-24 to 2026-09-30, both exchanges, buys and sells: shares, price, rate, fee in base units.
  it.each([
    ['7.575758', '0.66', '0.05', 85_000],
    ['7.042251', '0.71', '0.05', 72_490],
    ['21.126758', '0.71', '0.05', 217_490],
    ['1.219511', '0.82', '0.07', 12_590],
    ['2.083334', '0.48', '0.07', 36_400],
    ['5.952381', '0.84', '0', 0],
    ['7.57', '0.65', '0.05', 86_100],
    ['7.59', '0.66', '0.05', 85_150],
    ['5', '0.31', '0.05', 53_470],
    ['5', '0.67', '0.05', 55_270],
    ['5', '0.27', '0.05', 49_270],
    ['7.04', '0.70', '0.05', 73_920],
    ['21.13', '0.70', '0.05', 221_860],
    ['5.95', '0.83', '0', 0],
    ['8.928572', '0.56', '0.05', 110_000],
    ['8.92', '0.55', '0.05', 110_380],
    ['5.149310', '0.971', '0.07', 10_140],
    ['5.14', '0.965', '0.07', 12_150],
    ['9.321429', '0.56', '0.05', 114_840],
    ['9.33', '0.55', '0.05', 115_450],
    ['8.93', '0.55', '0.05', 110_500],
  ])('%s at %s by %s, as charged', (shares, price, rate, units) => {
    const estimate = feeEstimate({ rate, exponent: 1 }, price, shares)
    expect(Number(estimate!.taker) * 1e6).toBeCloseTo(units, 6)
    expect(estimate).toMatchObject({ maker: '0', currency: 'pUSD' })
    expect(takerFee(Number(shares), Number(price), { rate: Number(rate), exponent: 1 })).toBeCloseTo(units / 1e6, 9)
  })

  // tests/client/feeCalculations.test.ts of clob-client-v2 (MIT), there not cut to five decimals.
  it.each([
    ['0.5', '100', '1.5625'],
    ['0.3', '100', '1.1025'],
    ['0.7', '100', '1.1025'],
    ['0.1', '100', '0.2025'],
    ['0.9', '100', '0.2025'],
    ['0.05', '100', '0.0564'],
    ['0.95', '100', '0.0564'],
    ['0.01', '100', '0.00245'],
    ['0.99', '100', '0.00245'],
    ['0.5', '125.5', '1.96093'],
  ])('rate 0.25 squared at %s for %s', (price, size, taker) => {
    expect(feeEstimate({ rate: '0.25', exponent: 2 }, price, size)).toMatchObject({ taker })
  })
})
