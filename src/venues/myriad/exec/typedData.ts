// Signing data of the order book, and its contracts on BNB Smart Chain, the only network that has it.
// https://docs.myriad.markets/builders/myriad-order-book/order-book-api, https://docs.myriad.markets/builders/contract-addresses
import { type Hex, typedOrder } from '../../shared/exec/typedOrder.ts'

export const chainId = 56

/** The contract an order is signed for, and which needs approval for what it gives. */
export const exchange = '0xa0b6f8ef8EdB64f395018D1933f2273Ce9f0f16A' satisfies Hex
/** Holds the outcome tokens and pays for them. */
export const conditionalTokens = '0x6413734f92248D4B29ae35883290BD93212654Dc' satisfies Hex
/** The payment token of a negative-risk market's outcome tokens. */
export const wrappedCollateral = '0x9F124ce59D8De0274574949400640a2677067ACC' satisfies Hex

export const order = typedOrder({
  name: 'MyriadCTFExchange',
  version: '1',
  chainId,
  members: [
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
})

/** uint256 as decimal text; amount, price and the minimum fill in 1e-18. */
export interface OrderMessage {
  trader: Hex
  marketId: string
  outcomeId: 0 | 1
  /** 0 buys, 1 sells. */
  side: 0 | 1
  amount: string
  price: string
  minFillAmount: string
  nonce: string
  /** Unix seconds; 0: good till cancelled. */
  expiration: string
}

/** The venue's id of the order. */
export const orderHash = (message: OrderMessage): Hex => order.hash(message, exchange)
