// What a wallet signs: the struct of the first CTF exchange, for the contract that each market names.
// https://docs.limitless.exchange/developers/eip712-signing
import { type Hex, typedOrder } from '../../shared/exec/typedOrder.ts'

/** Base. */
export const chainId = 8453

export const usdc: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const conditionalTokens: Hex = '0xC9c98965297Bc527861c898329Ee280632B76e18'

export const publicTaker: Hex = '0x0000000000000000000000000000000000000000'

export const order = typedOrder({
  name: 'Limitless CTF Exchange',
  version: '1',
  chainId,
  members: [
    { name: 'salt', type: 'uint256' },
    { name: 'maker', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'taker', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'makerAmount', type: 'uint256' },
    { name: 'takerAmount', type: 'uint256' },
    { name: 'expiration', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'feeRateBps', type: 'uint256' },
    { name: 'side', type: 'uint8' },
    { name: 'signatureType', type: 'uint8' },
  ],
})
