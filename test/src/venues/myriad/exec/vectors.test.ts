// Vectors of the venue’s order book and contracts: an order and its signature from a recorded request (ccxt, MIT), a throwaway order, and
// calldata from the documentation. Selectors and hashes were computed independently of this program.
import { recoverAddress, toFunctionSelector } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { claimCalldata, poolAbi, redeemCalldatas, tradeCalldata } from '#venues/myriad/exec/contracts'
import { exchange, type OrderMessage, order, orderHash } from '#venues/myriad/exec/typedData'

const trader = '0xb67f9a782d3678a0bac50c22eacbb4924fe9d4cf'
const recorded: OrderMessage = {
  trader,
  marketId: '730',
  outcomeId: 0,
  side: 0,
  amount: '2000000000000000000',
  price: '500000000000000000',
  minFillAmount: '0',
  nonce: '1700000000000',
  expiration: '0',
}

it('a recorded order: its hash, and its signature is by its trader', async () => {
  const hash = '0x900cb9349ec8786eed36c79a50e783c314e86c942f468d6601322126ece201b8'
  expect(orderHash(recorded)).toBe(hash)
  const signature =
    '0xdb503f38a9ea6b940e59f95bc8255057cd1788bf47fb7021f3c5d982d456e36b48e8165867f1e4ccb0f1d09d6852700bc1a26a5973a35bffde5e3142fc586baa1c'
  expect((await recoverAddress({ hash, signature })).toLowerCase()).toBe(trader)
})

it('an order of a throwaway key: hash and signature', async () => {
  const wallet = privateKeyToAccount(`0x${'0123456789'.repeat(6)}0123`)
  const message: OrderMessage = {
    ...recorded,
    trader: wallet.address,
    outcomeId: 1,
    side: 1,
    amount: '2500000000000000000',
    price: '370000000000000000',
    nonce: '1700000000001',
    expiration: '1900000000',
  }
  expect(orderHash(message)).toBe('0xa4ba71b1194e6a06da45e0ad44f747a744f5f23db1cc62d4c558d858689e7032')
  expect(await wallet.signTypedData(order.unsigned(message, exchange) as never)).toBe(
    '0x2a636b6b1d03a247d99327e6df30ff350fd5f1af5ffff3a7f54d83466e7925371ddf7f18908a1a053f43ddf40806fcf360266439508f962962a4b789ac16714d1b',
  )
})

const word = (number: bigint): string => number.toString(16).padStart(64, '0')

it('calldata of trades: the example of the documentation, and the selectors of the contract', () => {
  const shares = 0x5cf581ebb20ffaa2dn
  const value = 0x55de6a779bbac0000n
  expect(tradeCalldata({ isBuy: true, marketId: 8999n, outcomeId: 1n, value, shares })).toBe(
    `0x1281311d${word(0x2327n)}${word(1n)}${word(shares)}${word(value)}`,
  )
  expect(tradeCalldata({ isBuy: false, marketId: 8999n, outcomeId: 1n, value, shares })).toBe(
    `0x3620875e${word(0x2327n)}${word(1n)}${word(value)}${word(shares)}`,
  )
})

it('calldata of claims and redemptions', () => {
  expect(claimCalldata(549n, null)).toBe(`0x677bd9ff${word(549n)}`)
  expect(claimCalldata(549n, 1n)).toBe(`0xec93f0f5${word(549n)}${word(1n)}`)
  expect(redeemCalldatas(730n, false)).toContain(`0xa2e78653${word(730n)}`)
  expect(redeemCalldatas(730n, true)).toEqual([`0x71f321a9${word(730n)}`])
})

it('the ABI equals the contract’s, function by function', () => {
  const selectors = { buy: '0x1281311d', sell: '0x3620875e', claimWinnings: '0x677bd9ff' }
  for (const [name, selector] of Object.entries({ ...selectors, claimVoidedOutcomeShares: '0xec93f0f5' })) {
    expect([name, toFunctionSelector(poolAbi.find((each) => each.name === name)!)]).toEqual([name, selector])
  }
  // Argument names, because their order alone distinguishes minimum from maximum.
  const names = poolAbi.map(({ name, inputs }) => [name, ...inputs.map((input) => input.name)].join(' '))
  expect(names).toEqual([
    'buy marketId outcomeId minOutcomeSharesToBuy value',
    'sell marketId outcomeId value maxOutcomeSharesToSell',
    'claimWinnings marketId',
    'claimVoidedOutcomeShares marketId outcomeId',
  ])
})
