// One connection to a node, from its opening to its end: checks that it is on the right chain and forwards whole transactions, and sends
// requests to it.
import { z } from 'zod'
import type { Clock } from '#core/clock'
import type { TransactionState } from '#marketData/pendingTrades/index'
import { RpcRefusal } from '#net/rpc'
import type { OpenSocket } from '#net/socket'
import { SocketRpc } from '#net/socketRpc'

export interface Head {
  number: number
  /** Epoch ms, on the node's chain. */
  timestampMs: number
}

export interface NodeEvents {
  /** It is on the right chain and delivers from now on. */
  ready(): void
  /** A pending transaction, as the node sent it. */
  waiting(body: unknown): void
  /** A settlement's log. `data`: lower-case hex. */
  settled(log: { hash: string; blockNumber: number; data: string }): void
  head(head: Head): void
  /** Called exactly once. */
  ended(reason: string): void
}

export interface NodeSessionOptions {
  url: string
  venue: string
  chainId: number
  /** Contracts whose logs report settlements, and their first topics. */
  contracts: readonly string[]
  topics: readonly string[]
  openSocket: OpenSocket
  clock: Clock
  events: NodeEvents
}

const Quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/i)
  .transform((hex) => Number.parseInt(hex, 16))
const Hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .transform((hex) => hex.toLowerCase())
const Subscription = z.string().min(1).max(256)
const NewHead = z.object({ number: Quantity, timestamp: Quantity })
const dataCharsMax = 2_000
const Log = z.object({
  transactionHash: Hash,
  blockNumber: Quantity,
  data: z
    .string()
    .max(dataCharsMax)
    .transform((hex) => hex.toLowerCase()),
  removed: z.boolean().optional(),
})
const Receipt = z.object({ transactionHash: Hash, blockNumber: Quantity, status: z.enum(['0x0', '0x1']) }).nullable()

export class NodeSession {
  private readonly options: NodeSessionOptions
  private readonly rpc: SocketRpc
  private readonly subscriptions = new Map<string, (result: unknown) => void>()
  private isEnded = false

  constructor(options: NodeSessionOptions) {
    this.options = options
    const { url, venue: exchange, openSocket, clock } = options
    this.rpc = new SocketRpc({
      url,
      exchange,
      openSocket,
      clock,
      events: {
        opened: () => void this.begin().catch((error: unknown) => this.end(reasonOf(error))),
        notified: (subscription, result) => this.subscriptions.get(subscription)?.(result),
        closed: (reason) => this.end(reason),
      },
    })
  }

  /** Unreadable frames. */
  get unread(): number {
    return this.rpc.unread
  }

  /** Number of the newest final block; null: the node reports none. Throws when it does not respond. */
  async finalBlock(): Promise<number | null> {
    const block = await this.rpc.call('eth_getBlockByNumber', ['finalized', false]).catch((error: unknown) => {
      if (isRefusal(error)) return null
      throw error
    })
    return block === null ? null : NewHead.pick({ number: true }).parse(block).number
  }

  /**
   * The status of a transaction. `final`: the block as of which the sender's transactions are counted. Throws when the node does not
   * respond.
   */
  async transactionStatus({ hash, from }: { hash: string; from: string }, final: number): Promise<TransactionState> {
    const receipt = Receipt.parse(await this.rpc.call('eth_getTransactionReceipt', [hash]))
    if (receipt !== null) {
      if (receipt.transactionHash !== hash) throw new Error('a receipt of another transaction')
      return { kind: 'mined', blockNumber: receipt.blockNumber, succeeded: receipt.status === '0x1' }
    }
    const count = 'eth_getTransactionCount'
    const nonce = await this.rpc.call(count, [from, `0x${final.toString(16)}`]).catch((error: unknown) => {
      // It may have pruned that block's state.
      if (isRefusal(error)) return null
      throw error
    })
    return { kind: 'absent', nonce: nonce === null ? null : Quantity.parse(nonce) }
  }

  close(): void {
    this.end('closed by us')
  }

  private async begin(): Promise<void> {
    const { chainId, contracts, topics, events } = this.options
    const nodeChainId = Quantity.parse(await this.rpc.call('eth_chainId', []))
    if (nodeChainId !== chainId) throw new Error(`the node is on chain ${nodeChainId}, expected ${chainId}`)
    await this.listen(['newHeads'], (result) => this.head(result))
    await this.listen(['logs', { address: contracts, topics: [topics] }], (result) => this.log(result))
    await this.listen(['newPendingTransactions', true], (result) => {
      if (typeof result === 'string') this.end('the node sends only hashes of pending transactions')
      else events.waiting(result)
    })
    if (!this.isEnded) events.ready()
  }

  private async listen(params: readonly unknown[], onResult: (result: unknown) => void): Promise<void> {
    this.subscriptions.set(Subscription.parse(await this.rpc.call('eth_subscribe', params)), onResult)
  }

  private head(result: unknown): void {
    const head = NewHead.safeParse(result)
    if (head.success && !this.isEnded)
      this.options.events.head({ number: head.data.number, timestampMs: head.data.timestamp * 1_000 })
  }

  private log(result: unknown): void {
    const log = Log.safeParse(result)
    if (!log.success || log.data.removed === true || this.isEnded) return
    const { transactionHash: hash, blockNumber, data } = log.data
    this.options.events.settled({ hash, blockNumber, data })
  }

  private end(reason: string): void {
    if (this.isEnded) return
    this.isEnded = true
    this.rpc.close()
    this.options.events.ended(reason)
  }
}

const isRefusal = (error: unknown): error is RpcRefusal => error instanceof RpcRefusal

/** For the log. A node's own text stays out of it: providers repeat keys in it. */
export function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'the node sent an invalid response'
  if (isRefusal(error)) return `the node refuses a call, with ${error.rpcCode}`
  return error instanceof Error ? error.message : 'unknown'
}
