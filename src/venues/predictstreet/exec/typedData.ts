// What a wallet signs, for the two exchanges on ADI Chain. https://docs.adipredictstreet.com/concepts/trading/eip712-signing
// The domain version is set by the operator; the rest is published.
import { type Hex, typedStruct } from '../../shared/exec/typedOrder.ts'

/** ADI Chain. */
export const chainId = 36_900
export const domainName = 'PredictStreet'

export const exchanges = {
  binary: '0x3b32619897ae40C79b7086a0EB3F985077e7Fed7',
  negRisk: '0x65A068b3C1C3088B1B23499A6104045f2b661B3e',
} as const satisfies Record<string, Hex>

export const anyTaker: Hex = '0x0000000000000000000000000000000000000000'

export const domainOf = (version: string, verifyingContract: Hex) => ({
  name: domainName,
  version,
  chainId,
  verifyingContract,
})

/** Without the nonce that others of its family have. */
export const order = typedStruct([
  { name: 'salt', type: 'uint256' },
  { name: 'maker', type: 'address' },
  { name: 'signer', type: 'address' },
  { name: 'taker', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'makerAmount', type: 'uint256' },
  { name: 'takerAmount', type: 'uint256' },
  { name: 'expiration', type: 'uint256' },
  { name: 'feeRateBps', type: 'uint256' },
  { name: 'side', type: 'uint8' },
  { name: 'signatureType', type: 'uint8' },
])
