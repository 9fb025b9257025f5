// What waits for a block of the lab's chain, and what becomes of it: it is mined, does nothing there, is replaced by another of its sender's, or is
// forgotten. Who listens hears of it as nodes tell it.
import type { LabBlock, LabCall, LabChain, LabLog, LabTransaction } from './chain.ts'

export interface LabWaiting {
  hash: string
  call: LabCall
  /** What it leaves when it is mined. */
  logs: readonly LabLog[]
  /** `reverts`: it is mined and leaves nothing. `waits`: no block takes it. */
  fate: 'settles' | 'reverts' | 'waits'
}

export interface MempoolListener {
  waiting(transaction: LabWaiting): void
  /** Also each block of another branch. */
  mined(block: LabBlock): void
}

/** The oldest is forgotten then. */
const waitingMax = 2_000

export class Mempool {
  readonly chain: LabChain
  readonly listeners = new Set<MempoolListener>()
  private readonly waiting = new Map<string, LabWaiting>()

  constructor(chain: LabChain) {
    this.chain = chain
  }

  get size(): number {
    return this.waiting.size
  }

  /** Takes the place of what its sender sent under the same nonce. `isPrivate`: nobody hears of it before its block. */
  submit(transaction: LabWaiting, { isPrivate = false }: { isPrivate?: boolean } = {}): void {
    const { from, nonce } = transaction.call
    for (const { hash, call } of this.waiting.values())
      if (call.from === from && call.nonce === nonce) this.waiting.delete(hash)
    this.waiting.set(transaction.hash, transaction)
    if (this.waiting.size > waitingMax) this.waiting.delete(this.waiting.keys().next().value!)
    if (!isPrivate) this.announce(transaction)
  }

  /** Told again, as nodes do. */
  announce(transaction: LabWaiting): void {
    for (const listener of this.listeners) listener.waiting(transaction)
  }

  forget(hash: string): void {
    this.waiting.delete(hash)
  }

  /** The next block, with all that a block takes. */
  mine(): LabBlock {
    for (const { hash, call, logs, fate } of [...this.waiting.values()]) {
      if (fate === 'waits') continue
      this.waiting.delete(hash)
      if (fate === 'settles') this.chain.send(logs, { hash, call })
      else this.chain.send([], { hash, call, isReverted: true })
    }
    const block = this.chain.mine()
    this.tell(block)
    return block
  }

  /** As the chain's, told as nodes tell it. */
  reorganise(depth: number, keep?: (transaction: LabTransaction) => boolean): void {
    const fork = Math.max(1, this.chain.head.number - depth)
    this.chain.reorganise(depth, keep)
    for (let number = fork + 1; number <= this.chain.head.number; number++) this.tell(this.chain.block(number)!)
  }

  private tell(block: LabBlock): void {
    for (const listener of this.listeners) listener.mined(block)
  }
}
