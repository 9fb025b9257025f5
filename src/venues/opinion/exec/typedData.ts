// Signing data of Opinion, and its contracts on BNB Chain. https://docs.opinion.trade/developer-guide/opinion-clob-typescript-sdk/core-concepts/order
// Addresses: the official client, @opinion-labs/opinion-clob-sdk 0.6.1.
import { ctfMembers } from '../../shared/exec/ctfOrder.ts'
import { type Hex, typedOrder } from '../../shared/exec/typedOrder.ts'

export const chainId = 56

/** The exchange is the quote token's, named by the venue; this contract holds the tokens of all of them. */
export const conditionalTokens: Hex = '0xAD1a38cEc043e70E83a3eC30443dB285ED10D774'

export const order = typedOrder({ name: 'OPINION CTF Exchange', version: '1', chainId, members: ctfMembers })

export const { hash: orderHash } = order
