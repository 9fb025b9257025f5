// The part of limitless' chain where a wallet exchanges the tokens of a resolved market for USDC: transactions to the contract of the tokens, each
// in the next block. Any wallet has as many tokens as it redeems: the payout in the log is zero.
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
import type { LimitlessListing } from './marketGenerator.ts'

const chainId = 8453
const tokens = '0xc9c98965297bc527861c898329ee280632b76e18'
const abi = parseAbi([
  'function redeemPositions(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] indexSets)',
  'event PayoutRedemption(address indexed redeemer, address indexed collateralToken, bytes32 indexed parentCollectionId, bytes32 conditionId, uint256[] indexSets, uint256 payout)',
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
export class Redemptions {
  private readonly sent = new Map<Hex, Sent>()
  private readonly core: VenueCore
  private readonly listing: LimitlessListing
  private readonly head: () => number

  constructor(core: VenueCore, listing: LimitlessListing, head: () => number) {
    this.core = core
    this.listing = listing
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
    const { args } = decodeFunctionData({ abi, data: input })
    const [collateralToken, parentCollectionId, conditionId, indexSets] = args
    const market = this.listing.markets.find((each) => each.conditionId === conditionId)
    if (market === undefined || this.core.engine.statusOf(market.key) !== 'resolved') return null
    return {
      address: tokens,
      topics: encodeEventTopics({
        abi,
        eventName: 'PayoutRedemption',
        args: { redeemer: from, collateralToken, parentCollectionId },
      }) as Hex[],
      data: encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'uint256[]' }, { type: 'uint256' }],
        [conditionId, indexSets, 0n],
      ),
    }
  }
}
