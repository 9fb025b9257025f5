// Pending transactions of the lab's chain until they are mined, reverted, replaced by the sender or dropped. Listeners are notified as real
// nodes do.
import type { LabBlock, LabCall, LabChain, LabLog, LabTransaction } from './chain.ts'

export interface PendingTransaction {
  hash: string
  call: LabCall
  /** Its logs when mined. */
  logs: readonly LabLog[]
  /** `reverts`: mined without logs. `waits`: no block takes it. */
  outcome: 'settles' | 'reverts' | 'waits'
}

export interface MempoolListener {
  waiting(transaction: PendingTransaction): void
  /** Also called for each block of another branch. */
  mined(block: LabBlock): void
}

/** Above this the oldest is dropped. */
const waitingMax = 2_000

export class Mempool {
  readonly chain: LabChain
  readonly listeners = new Set<MempoolListener>()
  private readonly waiting = new Map<string, PendingTransaction>()

  constructor(chain: LabChain) {
    this.chain = chain
  }

  get size(): number {
    return this.waiting.size
  }

  /** Replaces the sender's transaction with the same nonce. `isPrivate`: no listener sees it before its block. */
  submit(transaction: PendingTransaction, { isPrivate = false }: { isPrivate?: boolean } = {}): void {
    const { from, nonce } = transaction.call
    for (const { hash, call } of this.waiting.values())
      if (call.from === from && call.nonce === nonce) this.waiting.delete(hash)
    this.waiting.set(transaction.hash, transaction)
    if (this.waiting.size > waitingMax) this.waiting.delete(this.waiting.keys().next().value!)
    if (!isPrivate) this.announce(transaction)
  }

  /** Announced again, as nodes do. */
  announce(transaction: PendingTransaction): void {
    for (const listener of this.listeners) listener.waiting(transaction)
  }

  forget(hash: string): void {
    this.waiting.delete(hash)
  }

  /** Mines the next block, as full as a block gets. */
  mine(): LabBlock {
    for (const { hash, call, logs, outcome } of [...this.waiting.values()]) {
      if (outcome === 'waits') continue
      this.waiting.delete(hash)
      if (outcome === 'settles') this.chain.send(logs, { hash, call })
      else this.chain.send([], { hash, call, isReverted: true })
    }
    const block = this.chain.mine()
    this.notify(block)
    return block
  }

  /** As on the chain, and announced as nodes announce it. */
  reorganise(depth: number, keep?: (transaction: LabTransaction) => boolean): void {
    const fork = Math.max(1, this.chain.head.number - depth)
    this.chain.reorganise(depth, keep)
    for (let number = fork + 1; number <= this.chain.head.number; number++) this.notify(this.chain.block(number)!)
  }

  private notify(block: LabBlock): void {
    for (const listener of this.listeners) listener.mined(block)
  }
}
