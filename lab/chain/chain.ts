// A small chain: blocks on top of each other, their logs, and reorganizations. The same seed and the same calls give the same chain.
import { createHash } from 'node:crypto'
import type { Clock } from '#core/clock'
import { createPrng, type Prng } from '../prng.ts'

/** Lower-case hex. */
export interface LabLog {
  address: string
  topics: readonly string[]
  data: string
}

export interface LabTransaction {
  hash: string
  logs: readonly LabLog[]
  /** It stays in some block whichever branch wins. */
  stays?: true
  /** What a wallet signed; absent when only its logs matter. Lower-case hex. */
  call?: LabCall
  /** It had no effect. */
  isReverted?: true
}

export interface LabCall {
  from: string
  to: string
  input: string
  nonce: number
}

type CallRequest = Omit<LabCall, 'nonce'>
/** The contract's revert data. */
interface Reverted {
  reverted: string
}

/** The behaviour of contracts. */
export interface LabMachine {
  /** Read-only. */
  call(request: CallRequest): { returned: string } | Reverted
  /** Applied permanently. */
  execute(request: CallRequest): { logs: LabLog[] } | Reverted
}

export interface LabBlock {
  number: number
  hash: string
  parentHash: string
  /** Epoch s. */
  timestamp: number
  transactions: readonly LabTransaction[]
}

export interface LabChainOptions {
  seed: string
  clock: Clock
  /** Probability that a new block belongs to another branch, which replaces some blocks before it; 0 by default. */
  reorganises?: number
  /** Maximum blocks that a branch replaces. */
  depthMax?: number
}

const blocksKept = 10_000

export class LabChain {
  /** Contract calls by `<address>:<selector>`; 0x when not set. */
  readonly calls = new Map<string, (data: string) => string>()
  /** Contracts that need more than a table of calls. */
  machine: LabMachine | null = null
  /** Blocks with this many on top are reported final; null: none is. */
  finalAfter: number | null = null
  /** Transactions that were in a block, are in none now, and never will be again. */
  readonly dropped: LabTransaction[] = []
  reorganisations = 0
  private readonly blocks: LabBlock[] = []
  private pending: LabTransaction[] = []
  /** Hashes of each wallet's transactions. */
  private readonly wallets = new Map<string, string[]>()
  private readonly random: Prng
  private readonly options: LabChainOptions
  private made = 0

  constructor(options: LabChainOptions) {
    this.options = options
    this.random = createPrng(`${options.seed}/chain`)
    this.append([])
  }

  get head(): LabBlock {
    return this.blocks.at(-1)!
  }

  block(number: number): LabBlock | undefined {
    return this.blocks[number - this.blocks[0]!.number]
  }

  /** A transaction for the next block. */
  send(logs: readonly LabLog[], more: Partial<LabTransaction> = {}): LabTransaction {
    const transaction = { hash: this.hash('transaction'), logs, ...more }
    this.pending.push(transaction)
    const { call, hash } = transaction
    if (call !== undefined) this.wallets.set(call.from, [...(this.wallets.get(call.from) ?? []), hash])
    return transaction
  }

  /** Null: in no block. */
  find(hash: string): { block: LabBlock; transaction: LabTransaction } | null {
    for (let at = this.blocks.length - 1; at >= 0; at--) {
      const block = this.blocks[at]!
      const transaction = block.transactions.find((each) => each.hash === hash)
      if (transaction !== undefined) return { block, transaction }
    }
    return null
  }

  /** A wallet's transactions in blocks up to `upTo`, oldest first. */
  callsOf(from: string, upTo: number): LabTransaction[] {
    const mine = (this.wallets.get(from) ?? []).map((hash) => this.find(hash))
    return mine.flatMap((found) => (found !== null && found.block.number <= upTo ? [found.transaction] : []))
  }

  /** Mines the next block with everything pending; before it, possibly a reorganization drawn from the seed. */
  mine(): LabBlock {
    const { reorganises = 0, depthMax = 3 } = this.options
    if (reorganises > 0 && this.random.chance(reorganises)) this.reorganise(1 + this.random.int(depthMax))
    return this.append(this.pending.splice(0))
  }

  /**
   * Replaces the last `depth` blocks by a branch that is one longer. Some of their transactions return in other blocks, some never do:
   * `keep` decides; by default the seed does.
   */
  reorganise(depth: number, keep: (transaction: LabTransaction) => boolean = () => this.random.chance(0.7)): void {
    const gone = this.blocks.splice(Math.max(1, this.blocks.length - depth))
    if (gone.length === 0) return
    this.reorganisations++
    const back: LabTransaction[] = []
    for (const transaction of gone.flatMap(({ transactions }) => transactions))
      (transaction.stays === true || keep(transaction) ? back : this.dropped).push(transaction)
    for (const _ of gone) this.append(back.splice(0, this.random.int(back.length + 1)))
    this.append(back)
  }

  /** Matching logs of a range. */
  logs(
    from: number,
    to: number,
    fits: (log: LabLog) => boolean,
  ): { block: LabBlock; transaction: LabTransaction; log: LabLog; index: number }[] {
    return this.blocks
      .filter(({ number }) => number >= from && number <= to)
      .flatMap((block) =>
        block.transactions
          .flatMap((transaction) => transaction.logs.map((log) => ({ block, transaction, log })))
          .map((row, index) => ({ ...row, index })),
      )
      .filter(({ log }) => fits(log))
  }

  private append(transactions: readonly LabTransaction[]): LabBlock {
    const before = this.blocks.at(-1)
    const block: LabBlock = {
      number: (before?.number ?? 0) + 1,
      hash: this.hash('block'),
      parentHash: before?.hash ?? `0x${'0'.repeat(64)}`,
      timestamp: Math.floor(this.options.clock.now() / 1_000),
      transactions,
    }
    this.blocks.push(block)
    if (this.blocks.length > blocksKept) this.blocks.shift()
    return block
  }

  private hash(kind: string): string {
    return `0x${createHash('sha256')
      .update(`${this.options.seed}/${kind}/${this.made++}`)
      .digest('hex')}`
  }
}
