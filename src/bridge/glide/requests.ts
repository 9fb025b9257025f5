// What Glide is asked, in its own words. Pure. On an EVM chain money arrives by a token's own transfer, which Glide sends; elsewhere it is told
// of the transfer itself.
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { toUnits } from '#lib/decimal'
import { caip19 } from '../caip.ts'
import type { Transfer } from '../ports.ts'

/** The ways to pay so that `amount` arrives. Whether the payer has it is the payer's matter: each option says so. */
export const optionsRequest = (transfer: Transfer) => ({
  payerAccount: transfer.from.address,
  paymentCurrencies: [caip19(transfer.from)],
  includeInsufficientBalanceOptions: true,
  ...arrival(transfer, transfer.amount),
})

/** Stands for what arrives where the amount that is sent is fixed: Glide puts its own figure there. */
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
