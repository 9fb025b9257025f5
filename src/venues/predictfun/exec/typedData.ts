// Signing data of Predict.fun, and its contracts on BNB Chain: an exchange for each kind of market. Addresses: the official client,
// @predictdotfun/sdk 1.3.8.
import { concat, type Hex, hashMessage, hashTypedData } from 'viem'
import { ctfMembers } from '../../shared/exec/ctfOrder.ts'
import { typedOrder } from '../../shared/exec/typedOrder.ts'

export const chainId = 56

export const exchanges = {
  plain: '0x8BC070BEdAB741406F4B1Eb65A72bee27894B689',
  negRisk: '0x365fb81bd4A24D6303cd2F19c349dE6894D8d58A',
  yieldPlain: '0x6bEb5a40C032AFc305961162d8204CDA16DECFa5',
  yieldNegRisk: '0x8A289d458f5a134bA40015085A8F50Ffb681B41d',
} as const satisfies Record<string, Hex>

/** Where shares are redeemed: the token contract itself, or the adapter of negative-risk markets. */
export const redeemers = {
  plain: '0x22DA1810B194ca018378464a58f6Ac2B10C9d244',
  negRisk: '0xc3Cf7c252f65E0d8D88537dF96569AE94a7F1A6E',
  yieldPlain: '0x9400F8Ad57e9e0F352345935d6D3175975eb1d9F',
  yieldNegRisk: '0x41dCe1A4B8FB5e6327701750aF6231B7CD0B2A40',
} as const satisfies Record<string, Hex>

export const usdt: Hex = '0x55d398326f99059fF775485246999027B3197955'
const ecdsaValidator: Hex = '0x845adb2c711129d4f3966735ed98a9f09fc4ce57'

export interface MarketKind {
  negRisk: boolean
  isYieldBearing: boolean
}
export const kindOf = ({ negRisk, isYieldBearing }: MarketKind): keyof typeof exchanges =>
  isYieldBearing ? (negRisk ? 'yieldNegRisk' : 'yieldPlain') : negRisk ? 'negRisk' : 'plain'

export const order = typedOrder({ name: 'predict.fun CTF Exchange', version: '1', chainId, members: ctfMembers })

/** Also the order's id. */
export const { hash: orderHash } = order

/** What the owner of a smart wallet signs for it, by personal_sign over these bytes: Kernel's wrapping of the hash. */
export const kernelDigest = (account: Hex, hash: Hex): Hex =>
  hashTypedData({
    domain: { name: 'Kernel', version: '0.3.1', chainId, verifyingContract: account },
    types: { Kernel: [{ name: 'hash', type: 'bytes32' }] },
    primaryType: 'Kernel',
    message: { hash },
  })

/** What that signature finally covers. */
export const personalHash = (digest: Hex): Hex => hashMessage({ raw: digest })

/** In the form the smart wallet accepts: by its ECDSA validator. */
export const kernelSignature = (signature: Hex): Hex => concat(['0x01', ecdsaValidator, signature])
