// Authorization at the lab's order book: the order's signer, recovered from first principles, as the exchange's contract does.
import { type Hex, hashTypedData, isAddressEqual, recoverAddress } from 'viem'
import { z } from 'zod'

const domain = {
  name: 'MyriadCTFExchange',
  version: '1',
  chainId: 56,
  verifyingContract: '0xa0b6f8ef8EdB64f395018D1933f2273Ce9f0f16A',
} as const

const types = {
  Order: [
    { name: 'trader', type: 'address' },
    { name: 'marketId', type: 'uint256' },
    { name: 'outcomeId', type: 'uint8' },
    { name: 'side', type: 'uint8' },
    { name: 'amount', type: 'uint256' },
    { name: 'price', type: 'uint256' },
    { name: 'minFillAmount', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiration', type: 'uint256' },
  ],
} as const

const Digits = z.string().regex(/^\d{1,78}$/)
const bit = z.union([z.literal(0), z.literal(1)])

export const SignedOrder = z.strictObject({
  trader: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  marketId: Digits,
  outcomeId: bit,
  side: bit,
  amount: Digits,
  price: Digits,
  minFillAmount: Digits.default('0'),
  nonce: Digits,
  expiration: Digits,
})
export type SignedOrder = z.infer<typeof SignedOrder>

export const Signature = z.string().regex(/^0x[0-9a-fA-F]{130}$/)

/** The venue's id of the order. */
export const hashOf = ({ trader, outcomeId, side, ...numbers }: SignedOrder): Hex =>
  hashTypedData({
    domain,
    types,
    primaryType: 'Order',
    message: {
      trader: trader as Hex,
      outcomeId,
      side,
      marketId: BigInt(numbers.marketId),
      amount: BigInt(numbers.amount),
      price: BigInt(numbers.price),
      minFillAmount: BigInt(numbers.minFillAmount),
      nonce: BigInt(numbers.nonce),
      expiration: BigInt(numbers.expiration),
    },
  })

export async function isSignedBy(hash: Hex, signature: string, trader: string): Promise<boolean> {
  const signer = await recoverAddress({ hash, signature: signature as Hex }).catch(() => null)
  return signer !== null && isAddressEqual(signer, trader as Hex)
}
