// Requests to Glide equal those of its own client: bodies as @paywithglide/glide-js 0.13.48 sent them to the lab for the same transfer.
import { expect, it } from 'vitest'
import { optionsRequest, sessionRequest } from '#orders/bridge/glide/requests'
import type { Transfer } from '#orders/bridge/ports'
import { deposits, payer, paymentCurrency, baseUsdc as token } from './world.ts'

const transferTo = (venue: string, amount = '10'): Transfer => ({
  from: { chain: 'eip155:8453', token, address: payer },
  amount,
  to: { deposit: deposits.get(venue)!, address: payer },
})
/** `transfer(payer, units)`. */
const calldata = (units: bigint): string =>
  `0xa9059cbb000000000000000000000000${payer.slice(2)}${units.toString(16).padStart(64, '0')}`

it('a session request has the amount, and a placeholder transfer of one token for what arrives', () => {
  expect(sessionRequest(transferTo('sxbet'))).toEqual({
    payerWalletAddress: payer,
    paymentCurrency,
    paymentAmount: '10',
    paymentMethod: 'wallet',
    transaction: {
      chainId: 'eip155:4162',
      to: '0x6629Ce1Cf35Cc1329ebB4F63202F3f197b3F050B',
      input: calldata(1_000_000n),
      value: '0x0',
    },
  })
})

it('outside EVM chains the request names the transfer itself, in decimals', () => {
  expect(sessionRequest(transferTo('hyperliquid'))).toMatchObject({
    paymentAmount: '10',
    transfer: {
      chainId: 'hypercore:mainnet',
      token: '0x2000000000000000000000000000000000000000',
      recipient: payer,
      amount: '1',
    },
  })
  expect(optionsRequest(transferTo('hyperliquid', '0.000001'))).toMatchObject({ transfer: { amount: '0.000001' } })
})

it('a quote request asks for the amount to arrive, in the decimals of the token, whatever the balance of the payer', () => {
  expect(optionsRequest(transferTo('sxbet'))).toEqual({
    payerAccount: payer,
    paymentCurrencies: [paymentCurrency],
    includeInsufficientBalanceOptions: true,
    transaction: expect.objectContaining({ input: calldata(10_000_000n) }),
  })
  const { transaction } = optionsRequest(transferTo('opinion', '0.000001')) as { transaction: { input: string } }
  expect(transaction.input).toBe(calldata(10n ** 12n))
})
