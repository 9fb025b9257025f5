// A venue's prices without an order book: a pool's price, from its contract or its REST row. As everywhere in a manifest, absence means no support.
import type { AbiEvent } from 'viem'
import type { ChainNode } from '#net/chainNode'
import type { Market } from '#schemas/market'
import type { OptionPrice } from '#schemas/optionPrices'
import type { ChainEvent, VenueContext } from './venueContext.ts'

export interface PricedChoice {
  /** The venue's own index. */
  index: number
  label: string | null
}

/** The unit of reading, shared by all subscribers. */
export interface PricedPool {
  /** Unique per pool of the venue. */
  key: string
  /** As the venue writes it. */
  address: string
  /** Empty when it has ended: then it has no price. */
  choices: readonly PricedChoice[]
  /** The contract whose logs signal price changes, in lower case; null: it is polled. */
  contract: string | null
}

export interface OptionPrices {
  /** Subscribers must supply the market's address. */
  needsAddress?: true
  /** Missing operator configuration without which no price can be read, as text; null when complete. */
  missing?(context: Pick<VenueContext, 'urls'>): string | null
  /** Pure: the event or the market that an id names; null for ids that are not this venue's. */
  rowsOf(marketId: string): { eventId: string } | { marketId: string } | null
  /**
   * Pure: the pool of a market whose rows (for an event, all of them) are in `markets`. `not_found`: they do not match this id. `order_book`: it
   * trades in an order book, whose prices are its own.
   */
  poolOf(
    marketId: string,
    markets: readonly Market[],
    context: Pick<VenueContext, 'urls'>,
  ): PricedPool | 'not_found' | 'order_book'
  /** Of pools with a contract. */
  chain?: PriceChain
  /** Of pools without. */
  poll?: PricePoll
}

export interface PriceChain {
  /** The required `eth_chainId` of every node. */
  chainId: number
  /** Blocks on top that make a block final. */
  confirmations: number
  /** Events that change prices. */
  events: readonly AbiEvent[]
  /** Pure: whether a log of the pool's contract is about this pool. */
  concerns(pool: PricedPool, event: ChainEvent): boolean
  /** At one block, in the order of the pools. Choices that the contract does not price are left out. */
  fetch(node: ChainNode, pools: readonly PricedPool[], at: number): Promise<OptionPrice[][]>
}

export interface PricePoll {
  /** By this process, for all its pools together: the rest of the venue's allowance is left to the books. */
  readsPerMinute: number
  /** Empty when the venue reports none. */
  fetch(context: VenueContext, pool: PricedPool): Promise<OptionPrice[]>
}
