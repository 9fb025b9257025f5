// Clusters and books for the benches of the surface: one question on several venues, YES and NO read from one book of twenty levels.
import type { ClusterInput } from '#arbitrage/cluster'
import type { FeeModel } from '#arbitrage/fees'
import { LiveBook } from '#core/books/liveBook'
import { createArena, SharedBooksWriter, type SlotHandle } from '#core/books/shared/index'
import type { PeerBook } from './arbitragePeer.ts'

export const benchVenues = [
  'polymarket',
  'kalshi',
  'limitless',
  'opinion',
  'myriad',
  'sxbet',
  'gemini',
  'novig',
  'xo',
  'pred',
]
const levels = 20
const at = 1_790_000_000_000

const feeOf = (venue: string): FeeModel =>
  venue === 'kalshi'
    ? { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' }
    : venue === 'polymarket' || venue === 'limitless'
      ? { kind: 'polymarket_curve', rate: 0.05, exponent: 1 }
      : { kind: 'none' }

export class BenchWorld {
  readonly arena: SharedArrayBuffer
  readonly clusters: ClusterInput[]
  readonly peerBooks = new Map<string, PeerBook>()
  readonly slots: number
  private readonly writer: SharedBooksWriter
  private readonly handles = new Map<string, SlotHandle>()
  private readonly book = new LiveBook({ venue: 'x', marketId: 'x', tickMicros: 10_000, onDirty: () => undefined })
  private state = 42
  private clock = at

  /** `sizeOf`: how many venues cluster `i` has. */
  constructor(count: number, sizeOf: (i: number) => number, withPeer = false) {
    this.clusters = Array.from({ length: count }, (_, i) => clusterOf(i, sizeOf(i)))
    this.slots = this.clusters.reduce((sum, { members }) => sum + members.length, 0)
    this.arena = createArena(this.slots)
    this.writer = new SharedBooksWriter(this.arena)
    for (const { members } of this.clusters) {
      for (const { marketId } of members) {
        this.handles.set(marketId, this.writer.allocate(marketId)!)
        const peer = this.write(marketId)
        if (withPeer) this.peerBooks.set(marketId, peer())
      }
    }
  }

  readonly slotOf = (_venue: string, bookId: string): SlotHandle => this.handles.get(bookId)!

  get bookIds(): string[] {
    return [...this.handles.keys()]
  }

  random(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0
    return this.state / 2 ** 32
  }

  /** Contracts as venues write them: whole hundredths. */
  private size(): number {
    return (100 + Math.floor(this.random() * 20_000)) / 100
  }

  /** Writes another book for this id; returns its plain form on demand. */
  write(marketId: string): () => PeerBook {
    const { book } = this
    const mid = 25 + Math.floor(this.random() * 50)
    const bids: PeerBook['bids'] = []
    const asks: PeerBook['asks'] = []
    book.beginSnapshot()
    for (let i = 0; i < levels; i++) {
      const [bid, ask] = [this.size(), this.size()]
      book.set(0, (mid - i) * 10_000, bid)
      book.set(1, (mid + 1 + i) * 10_000, ask)
      bids.push({ price: (mid - i) / 100, size: bid })
      asks.push({ price: (mid + 1 + i) / 100, size: ask })
    }
    this.clock++
    book.commit(this.clock, this.clock)
    this.writer.write(this.handles.get(marketId)!.slot, book)
    const timestamp = this.clock
    return () => ({ bids, asks, timestamp, stale: false })
  }
}

function clusterOf(i: number, size: number): ClusterInput {
  const venues = benchVenues.slice(0, size)
  return {
    clusterId: `cluster-${i}`,
    question: `Will candidate number ${i} win the general election of 2028 in the state of their residence?`,
    members: venues.map((venue) => ({
      venue,
      canonicalMarketId: `market-${i}-${venue}-0123456789abcdef`,
      marketId: `${i}-${venue}`,
      yesBook: { bookId: `${i}-${venue}`, complement: false },
      noBook: { bookId: `${i}-${venue}`, complement: true },
      polarity: 'same',
      fee: feeOf(venue),
      settlementFee: { kind: 'none' },
      similarity: 0.97,
    })),
    pairs: venues.flatMap((a, at) =>
      venues.slice(at + 1).map((b) => ({
        a,
        b,
        matchScore: 96,
        matchBand: 'verified' as const,
        matchDifferences: [{ kind: 'cutoff', detail: 'closes two hours later', points: 4 }],
        resolution: { compatible: true, reason: 'same source', auditReasons: [] },
        resolutionEquivalence: 'verified',
      })),
    ),
  }
}
