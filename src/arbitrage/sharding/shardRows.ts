// The rows of each compute process, and which of them apply: of two that have the same row the one that owns the cluster, so that a
// hand-over leaves no gap and a late message of the former owner changes nothing. No timer, no bus.
//
//   unknown ──begin…end──► complete ──a number is missing──► incomplete ──begin…end──► complete
import type { SurfaceRows } from '#schemas/topics'
import type { FilteredRow } from '../filter.ts'
import { PublishedRows } from '../publishedRows.ts'
import { clusterOfKey, hasPriority } from './rendezvousHash.ts'
import { readRows } from './rowBatch.ts'

interface HeldRow {
  facts: FilteredRow
  bytes: Buffer
}

interface Member {
  rows: Map<string, HeldRow>
  /** Number of its last message; NaN once one was missed. */
  n: number
  /** All its rows are here, with every change since. */
  complete: boolean
  /** While it sends all its rows: those received so far. Rows not among them at the end are gone. */
  receivedKeys: Set<string> | null
  computedAt: number
}

export class ShardRows {
  /** The rows that apply; `commit` it once it was published. */
  readonly merged = new PublishedRows()
  private readonly members = new Map<string, Member>()

  /** False when something was lost or no complete state was received yet: all rows must be requested from the member. */
  take(message: SurfaceRows): boolean {
    const { memberId, n, whole, computedAt } = message
    let member = this.members.get(memberId)
    if (whole === 'begin' || whole === 'only') {
      member ??= { rows: new Map(), n, complete: false, receivedKeys: null, computedAt }
      this.members.set(memberId, member)
      member.receivedKeys = new Set()
      member.complete = false
    } else if (member === undefined) {
      return false
    } else if (n !== member.n + 1) {
      // A duplicate, or a gap.
      if (n <= member.n) return true
      member.complete = false
      member.n = Number.NaN
      return false
    }
    member.n = n
    member.computedAt = computedAt
    this.apply(member, message)
    if (whole === 'end' || whole === 'only') this.finish(member)
    return true
  }

  complete(memberId: string): boolean {
    return this.members.get(memberId)?.complete === true
  }

  /** Its rows are no longer valid. */
  drop(memberId: string): void {
    const member = this.members.get(memberId)
    if (member === undefined) return
    this.members.delete(memberId)
    for (const key of member.rows.keys()) this.settle(key)
  }

  /** When the oldest of the current rows were computed; null while there is no member. */
  get computedAt(): number | null {
    let oldest: number | null = null
    for (const { computedAt } of this.members.values())
      oldest = oldest === null ? computedAt : Math.min(oldest, computedAt)
    return oldest
  }

  get ids(): string[] {
    return [...this.members.keys()]
  }

  private apply(member: Member, message: SurfaceRows): void {
    for (const { key, facts, body, from, size } of readRows(message)) {
      // Copied: the message's bytes are a slice of a whole fetch.
      member.rows.set(key, { facts, bytes: Buffer.from(body.subarray(from, from + size)) })
      member.receivedKeys?.add(key)
      this.settle(key)
    }
    for (const key of message.removes) {
      member.receivedKeys?.delete(key)
      if (member.rows.delete(key)) this.settle(key)
    }
  }

  private finish(member: Member): void {
    const { receivedKeys } = member
    member.receivedKeys = null
    member.complete = true
    if (receivedKeys === null) return
    for (const key of [...member.rows.keys()]) {
      if (receivedKeys.has(key)) continue
      member.rows.delete(key)
      this.settle(key)
    }
  }

  /** Of those that have the row, the first for its cluster provides it. */
  private settle(key: string): void {
    const clusterId = clusterOfKey(key)
    let owner: string | null = null
    let row: HeldRow | null = null
    for (const [id, { rows }] of this.members) {
      const candidate = rows.get(key)
      if (candidate === undefined || (owner !== null && !hasPriority(id, owner, clusterId))) continue
      owner = id
      row = candidate
    }
    if (row === null) this.merged.remove(key)
    else this.merged.put(key, row.facts, row.bytes, row.bytes.length)
  }
}
