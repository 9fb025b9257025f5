// Requests in Glide's own format. Pure. On an EVM chain money arrives by a token transfer that Glide sends; elsewhere the request describes
// the transfer.
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { toUnits } from '#core/decimal'
import { caip19 } from '../caip.ts'
import type { Transfer } from '../ports.ts'

/** The payment options that make `amount` arrive. Does not check whether the payer has the funds: each option states that. */
export const optionsRequest = (transfer: Transfer) => ({
  payerAccount: transfer.from.address,
  paymentCurrencies: [caip19(transfer.from)],
  includeInsufficientBalanceOptions: true,
  ...arrival(transfer, transfer.amount),
})

/** Placeholder for the arriving amount when the sent amount is fixed: Glide inserts its own figure. */
const placeholder = '1'

export const sessionRequest = (transfer: Transfer) => ({
  payerWalletAddress: transfer.from.address,
  paymentCurrency: caip19(transfer.from),
  paymentAmount: transfer.amount,
  paymentMethod: 'wallet',
  ...arrival(transfer, placeholder),
})

function arrival({ to: { deposit, address } }: Transfer, amount: string) {
  const { chain, token, decimals } = deposit
  if (decimals === null) return { transfer: { chainId: chain, token, recipient: address, amount } }
  const input = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [address as Hex, toUnits(amount, decimals)],
  })
  return { transaction: { chainId: chain, to: token, input, value: '0x0' } }
}
