// Tracks pending settlements, and ensures that each is published exactly twice: when it is seen, and when its outcome is known. Pure: the
// caller provides the node's answers and the time.
//
//   seen ─► waits ─► in a final block ──────────────────► confirmed | dropped (reverted)
//             │ ▲        (until then its block may leave the chain)
//             │ └── looked at: in a block that is not final, or in none
//             └─► another transaction has its place in a final block, or it is too old ─► dropped (timeout)
import type { PendingFill } from '#venues/venue'
import type { WaitingTransaction } from './transaction.ts'
import type { PendingState } from './update.ts'

/** Monotonic times, ms. */
export interface Held extends Pick<WaitingTransaction, 'hash' | 'from' | 'nonce'> {
  fills: readonly PendingFill[]
  /** Number of its first fill. */
  first: number
  /** Epoch ms. */
  seenAt: number
  seenMono: number
  /** When it is looked at next. */
  dueAt: number
  /** Its block, if known and not yet final: it is looked at once that one is. */
  block: number | null
  /** Some block was reported to contain it. */
  hasLanded: boolean
  looks: number
  /** The last look found another transaction in its place: accepted only when found again, because nodes behind one name disagree. */
  isPassedOver: boolean
}

/** A node's answer about it. `nonce`: its sender's transaction count in final blocks. */
export type TransactionState =
  | { kind: 'mined'; blockNumber: number; succeeded: boolean }
  | { kind: 'absent'; nonce: number | null }

export type Resolved = Exclude<PendingState, { status: 'pending' }>

export interface LedgerOptions {
  /** Maximum time in no block while looks succeed. */
  timeoutMs: number
  /** The same while looks fail. */
  blindTimeoutMs?: number
  transactionsMax?: number
  fillsMax?: number
}

const blindTimeoutDefaultMs = 600_000
const transactionsMaxDefault = 2_000
const fillsMaxDefault = 50_000
/** Share of the waiting ones for senders without a confirmed settlement: anyone can send transactions that no block takes. */
const strangersShare = 0.25
const provenMax = 1_000
/** Finished ones remembered, so that a node repeating one is ignored. */
const overMax = 20_000
/** Its block has usually been reported by then. */
const firstLookMs = 5_000
const lookAgainMs = { base: 2_000, cap: 16_000 }

export class PendingTradeStore {
  private readonly options: Required<LedgerOptions>
  private readonly held = new Map<string, Held>()
  private readonly over = new Set<string>()
  /** Senders of confirmed settlements, newest last. */
  private readonly proven = new Set<string>()
  private fills = 0
  private publishedFills = 0

  constructor(options: LedgerOptions) {
    this.options = {
      blindTimeoutMs: blindTimeoutDefaultMs,
      transactionsMax: transactionsMaxDefault,
      fillsMax: fillsMaxDefault,
      ...options,
    }
  }

  get size(): number {
    return this.held.size
  }

  /** Number of the newest fill. */
  get newest(): number {
    return this.publishedFills
  }

  /** It waits, or is finished. */
  knows(hash: string): boolean {
    return this.held.has(hash) || this.over.has(hash)
  }

  /** Null: its fills could not be kept until it is resolved, so they are not published. For an unknown one. */
  add(
    { hash, from, nonce }: WaitingTransaction,
    fills: readonly PendingFill[],
    at: { now: number; mono: number },
  ): Held | null {
    if (!this.hasCapacity(from, fills.length)) return null
    const held: Held = {
      hash,
      from,
      nonce,
      fills,
      first: this.publishedFills + 1,
      seenAt: at.now,
      seenMono: at.mono,
      dueAt: at.mono + firstLookMs,
      block: null,
      hasLanded: false,
      looks: 0,
      isPassedOver: false,
    }
    this.held.set(hash, held)
    this.fills += fills.length
    this.publishedFills += fills.length
    return held
  }

  /** A block was reported to contain it. `leadMs`: how long after it was seen; null: not the first report. Null: it does not wait here. */
  landed(hash: string, blockNumber: number, mono: number): { held: Held; leadMs: number | null } | null {
    const held = this.held.get(hash)
    if (held === undefined) {
      if (!this.knows(hash)) this.end(hash)
      return null
    }
    const leadMs = held.hasLanded ? null : mono - held.seenMono
    held.hasLanded = true
    held.block = blockNumber
    return { held, leadMs }
  }

  /** What to look at now, longest due first. `final`: the newest final block. */
  due(mono: number, final: number, max: number): Held[] {
    const due: Held[] = []
    for (const held of this.held.values()) {
      const isDue = held.block === null ? held.dueAt <= mono : held.block <= final
      if (isDue) due.push(held)
    }
    return due.sort((a, b) => a.dueAt - b.dueAt).slice(0, max)
  }

  /** Its outcome; null: not known yet. */
  resolve(held: Held, state: TransactionState, final: number, mono: number): Resolved | null {
    if (!this.held.has(held.hash)) return null
    if (state.kind === 'mined') {
      const { blockNumber, succeeded } = state
      held.isPassedOver = false
      held.block = blockNumber
      if (blockNumber > final) return null
      this.forget(held)
      if (succeeded) this.prove(held.from)
      return succeeded ? { status: 'confirmed', blockNumber } : { status: 'dropped', dropReason: 'reverted' }
    }
    const isPassedOver = state.nonce !== null && state.nonce > held.nonce
    const isOver = (isPassedOver && held.isPassedOver) || mono - held.seenMono >= this.options.timeoutMs
    held.isPassedOver = isPassedOver
    this.postpone(held, mono)
    if (!isOver) return null
    this.forget(held)
    return { status: 'dropped', dropReason: 'timeout' }
  }

  /** It is checked again, at growing intervals. */
  postpone(held: Held, mono: number): void {
    held.block = null
    held.dueAt = mono + Math.min(lookAgainMs.cap, lookAgainMs.base * 2 ** Math.min(held.looks++, 8))
  }

  /** Those whose looks failed for too long. */
  expire(mono: number): Held[] {
    const late = [...this.held.values()].filter(({ seenMono }) => mono - seenMono >= this.options.blindTimeoutMs)
    for (const held of late) this.forget(held)
    return late
  }

  /** The node was unavailable: its earlier reports of blocks are void. */
  lookAtAll(mono: number): void {
    for (const held of this.held.values()) Object.assign(held, { dueAt: mono, block: null })
  }

  private hasCapacity(from: string, fills: number): boolean {
    const { transactionsMax, fillsMax } = this.options
    const share = this.proven.has(from) ? 1 : strangersShare
    return this.held.size < transactionsMax * share && this.fills + fills <= fillsMax * share
  }

  private prove(from: string): void {
    this.proven.delete(from)
    this.proven.add(from)
    if (this.proven.size > provenMax) this.proven.delete(this.proven.values().next().value!)
  }

  private forget(held: Held): void {
    this.held.delete(held.hash)
    this.fills -= held.fills.length
    this.end(held.hash)
  }

  private end(hash: string): void {
    this.over.add(hash)
    if (this.over.size > overMax) this.over.delete(this.over.values().next().value!)
  }
}
