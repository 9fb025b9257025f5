// What a venue offers of prices that no order book makes: a pool's price, from its contract or its REST row. Absence is the capability, as everywhere
// in a manifest.
import type { AbiEvent } from 'viem'
import type { ChainNode } from '#net/chainNode'
import type { Market } from '#schemas/market'
import type { OptionPrice } from '#schemas/optionPrices'
import type { ChainEvent, VenueContext } from './venue.ts'

export interface PricedChoice {
  /** As the venue counts it. */
  index: number
  label: string | null
}

/** What is read at once, however many ask for it. */
export interface PricedPool {
  /** One of its own for each pool of the venue. */
  key: string
  /** As the venue writes it. */
  address: string
  /** None where it is over: then it has no price. */
  choices: readonly PricedChoice[]
  /** Whose logs tell that its prices change, in lower case; null: it is asked again and again. */
  contract: string | null
}

export interface OptionPrices {
  /** Whoever subscribes must say the market's address. */
  needsAddress?: true
  /** What the operator has not configured and no price can be read without, in words; null when all is there. */
  missing?(context: Pick<VenueContext, 'urls'>): string | null
  /** Pure: the event or the market that an id names; null where nothing of this venue is called so. */
  rowsOf(marketId: string): { eventId: string } | { marketId: string } | null
  /**
   * Pure: the pool of a market whose rows (of an event all) stand in `markets`. `not_found`: they are not of this id. `order_book`: it is traded in
   * one, whose prices are its own.
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
  /** What `eth_chainId` of every node must be. */
  chainId: number
  /** Blocks on top of which one is taken for final. */
  confirmations: number
  /** Those that change prices. */
  events: readonly AbiEvent[]
  /** Pure: whether a log of the pool's contract is about this pool. */
  concerns(pool: PricedPool, event: ChainEvent): boolean
  /** At one block, in the order of the pools. What the contract does not price is left out. */
  fetch(node: ChainNode, pools: readonly PricedPool[], at: number): Promise<OptionPrice[][]>
}

export interface PricePoll {
  /** By this process, of all its pools together: the rest of the venue's allowance is the books'. */
  readsPerMinute: number
  /** None where the venue says none. */
  fetch(context: VenueContext, pool: PricedPool): Promise<OptionPrice[]>
}
