// What is signed for PRED, and for which contract: each parent market names its own, and only the catalog knows it.
// https://pred-1.gitbook.io/pred-docs/api-reference (Orders: EIP-712 order signature)
import { type Hex, typedOrder } from '../../shared/exec/typedOrder.ts'

/** Base. */
export const chainId = 8453

/** Always. */
export const signatureType = 2

/** uint256 as decimal text. */
export type OrderMessage = {
  salt: string
  /** The Safe, the account that controls it, and nobody. */
  maker: Hex
  signer: Hex
  taker: Hex
  /** Millionths of a dollar, and of a share. */
  price: string
  quantity: string
  expiration: string
  nonce: string
  /** The child market. */
  questionId: Hex
  feeRateBps: string
  /** 0 is long, 1 short. */
  intent: 0 | 1
  signatureType: typeof signatureType
}

export const order = typedOrder({
  name: 'Pred CTF Exchange',
  version: '1',
  chainId,
  members: [
    { name: 'salt', type: 'uint256' },
    { name: 'maker', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'taker', type: 'address' },
    { name: 'price', type: 'uint256' },
    { name: 'quantity', type: 'uint256' },
    { name: 'expiration', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'questionId', type: 'bytes32' },
    { name: 'feeRateBps', type: 'uint256' },
    { name: 'intent', type: 'uint8' },
    { name: 'signatureType', type: 'uint8' },
  ],
})
