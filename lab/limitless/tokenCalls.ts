// The part of limitless' chain where a wallet exchanges tokens with their contract: sets for USDC and back, and those of a resolved market for
// what they pay. Each transaction is in the next block. Every wallet has enough USDC; tokens are those of its orders and of earlier exchanges.
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  keccak256,
  parseAbi,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem'
import type { VenueCore } from '../restVenue.ts'
import type { LimitlessListing, LimitlessMarket } from './marketGenerator.ts'
import { heldMarkets } from './positions.ts'
import type { TokenChanges, Tokens } from './tokenChanges.ts'

const chainId = 8453
const tokens = '0xc9c98965297bc527861c898329ee280632b76e18'
const abi = parseAbi([
  'function redeemPositions(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] indexSets)',
  'function splitPosition(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] partition, uint256 amount)',
  'function mergePositions(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] partition, uint256 amount)',
  'event PayoutRedemption(address indexed redeemer, address indexed collateralToken, bytes32 indexed parentCollectionId, bytes32 conditionId, uint256[] indexSets, uint256 payout)',
  'event PositionSplit(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)',
  'event PositionsMerge(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)',
])

export interface Sent {
  hash: Hex
  from: Hex
  to: Hex
  input: Hex
  nonce: number
  block: number
  /** Null: it was reverted. */
  log: { address: string; topics: Hex[]; data: Hex } | null
}

/** `head`: number of the newest block. */
export class TokenCalls {
  private readonly sent = new Map<Hex, Sent>()
  private readonly core: VenueCore
  private readonly listing: LimitlessListing
  private readonly changes: TokenChanges
  private readonly head: () => number

  constructor(core: VenueCore, listing: LimitlessListing, changes: TokenChanges, head: () => number) {
    this.core = core
    this.listing = listing
    this.changes = changes
    this.head = head
  }

  /** A wallet's transactions in blocks up to `block`. */
  count(wallet: string, block: number): number {
    const from = wallet.toLowerCase()
    return [...this.sent.values()].filter((each) => each.from === from && each.block <= block).length
  }

  /** Null: there is no such transaction. */
  find(hash: string): Sent | null {
    return this.sent.get(hash.toLowerCase() as Hex) ?? null
  }

  /** In no block yet: null as well. */
  mined(hash: string): Sent | null {
    const found = this.find(hash)
    return found !== null && found.block <= this.head() ? found : null
  }

  /** Throws what a node answers. */
  async send(raw: Hex): Promise<Hex> {
    const serializedTransaction = raw as TransactionSerialized
    const signed = parseTransaction(serializedTransaction)
    const from = (await recoverTransactionAddress({ serializedTransaction })).toLowerCase() as Hex
    const { to, data: input = '0x', nonce = 0 } = signed
    if (signed.chainId !== chainId) throw new Error('invalid chain id for signer')
    if (to == null) throw new Error('insufficient funds for gas * price + value')
    const hash = keccak256(raw)
    if (this.sent.has(hash)) throw new Error('already known')
    const next = this.count(from, Number.POSITIVE_INFINITY)
    if (nonce < next) throw new Error(`nonce too low: next nonce ${next}, tx nonce ${nonce}`)
    if (nonce > next) throw new Error(`nonce too high: next nonce ${next}, tx nonce ${nonce}`)
    const call = { hash, from, to: to.toLowerCase() as Hex, input, nonce, block: this.head() + 1 }
    this.sent.set(hash, { ...call, log: this.run(call) })
    return hash
  }

  private run({ from, to, input }: Pick<Sent, 'from' | 'to' | 'input'>): Sent['log'] {
    if (to !== tokens) return null
    const { functionName, args } = decodeFunctionData({ abi, data: input })
    const [collateralToken, parentCollectionId, conditionId, indexSets] = args
    const market = this.listing.markets.find((each) => each.conditionId === conditionId)
    if (market === undefined) return null
    if (functionName === 'redeemPositions') {
      const payout = this.redeem(from, market)
      if (payout === null) return null
      return {
        address: tokens,
        topics: encodeEventTopics({
          abi,
          eventName: 'PayoutRedemption',
          args: { redeemer: from, collateralToken, parentCollectionId },
        }) as Hex[],
        data: encodeAbiParameters(
          [{ type: 'bytes32' }, { type: 'uint256[]' }, { type: 'uint256' }],
          [conditionId, indexSets, payout],
        ),
      }
    }
    const [, , , , amount] = args
    const isSplit = functionName === 'splitPosition'
    const isPartition = indexSets.length === 2 && indexSets[0] === 1n && indexSets[1] === 2n
    if (!isPartition || !this.exchange(from, market, isSplit ? amount : -amount)) return null
    return {
      address: tokens,
      topics: encodeEventTopics({
        abi,
        eventName: isSplit ? 'PositionSplit' : 'PositionsMerge',
        args: { stakeholder: from, parentCollectionId, conditionId },
      }) as Hex[],
      data: encodeAbiParameters(
        [{ type: 'address' }, { type: 'uint256[]' }, { type: 'uint256' }],
        [collateralToken, indexSets, amount],
      ),
    }
  }

  /** False: the wallet has too few tokens. */
  private exchange(wallet: Hex, market: LimitlessMarket, sets: bigint): boolean {
    const { yes, no } = this.held(wallet, market)
    if (yes + sets < 0n || no + sets < 0n) return false
    this.changes.add(wallet, market.slug, { yes: sets, no: sets })
    return true
  }

  /** What all tokens of the market pay; null: it is not resolved. */
  private redeem(wallet: Hex, market: LimitlessMarket): bigint | null {
    if (this.core.engine.statusOf(market.key) !== 'resolved') return null
    const { yes, no } = this.held(wallet, market)
    this.changes.add(wallet, market.slug, { yes: -yes, no: -no })
    return this.core.engine.market(market.key)!.result === 'yes' ? yes : no
  }

  private held(wallet: Hex, { slug }: LimitlessMarket): Tokens {
    const orders = this.core.engine.orderManager.ordersOf(wallet.toLowerCase())
    const row = heldMarkets(orders, this.listing, this.changes.of(wallet)).find(({ market }) => market.slug === slug)
    return { yes: BigInt(row?.tokensBalance.yes ?? 0), no: BigInt(row?.tokensBalance.no ?? 0) }
  }
}
