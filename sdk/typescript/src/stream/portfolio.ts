// The account's own positions: a snapshot, then every change, by `seq`.
import type { ClientOp, PortfolioFrame, ServerFrame } from './frames.ts'
import { Subscription, type Wire } from './subscription.ts'

type Data = PortfolioFrame['data']
type Snapshot = Extract<Data, { kind: 'snapshot' }>
type Change = Extract<Data, { kind: 'change' }>
export type PortfolioPosition = Snapshot['positions'][number]
export type PortfolioTotals = Snapshot['summary'][number]

export type PortfolioEvent =
  /** Everything that is open, with its parts combined. */
  | ({ type: 'snapshot' } & Omit<Snapshot, 'kind' | 'part'>)
  | ({ type: 'change' } & Omit<Change, 'kind'>)
  /** A change or a part of a snapshot was missed; everything is requested again. */
  | { type: 'gap'; reason: string }

/** The key of a position in `positions`. */
export const positionKey = ({
  venue,
  marketId,
  outcomeId,
}: Pick<PortfolioPosition, 'venue' | 'marketId' | 'outcomeId'>): string => JSON.stringify([venue, marketId, outcomeId])

/** The key of a row in `summary`. */
export const totalsKey = ({ venue, currency }: Pick<PortfolioTotals, 'venue' | 'currency'>): string =>
  JSON.stringify([venue, currency])

export class PortfolioSubscription extends Subscription<PortfolioEvent> {
  private readonly byKey = new Map<string, PortfolioPosition>()
  private readonly totalsByKey = new Map<string, PortfolioTotals>()
  private parts: Snapshot[] = []
  /** Of the last frame; null: no snapshot is complete. */
  private seq: number | null = null

  constructor(wire: Wire) {
    super('portfolio', wire)
  }

  /** Open positions, by `positionKey`. */
  get positions(): ReadonlyMap<string, PortfolioPosition> {
    return this.byKey
  }

  /** Totals by venue and currency, by `totalsKey`. */
  get summary(): ReadonlyMap<string, PortfolioTotals> {
    return this.totalsByKey
  }

  protected subscribeMessage(): ClientOp {
    return { op: 'subscribePortfolio' }
  }

  protected unsubscribeMessage(): ClientOp {
    return { op: 'unsubscribePortfolio' }
  }

  protected received(frame: ServerFrame) {
    if (frame.type !== 'portfolio') return
    const { data } = frame
    if (data.kind === 'snapshot') return this.snapshot(data)
    return this.change(data)
  }

  protected forget(): void {
    this.byKey.clear()
    this.totalsByKey.clear()
    this.parts = []
    this.seq = null
  }

  private snapshot(data: Snapshot) {
    const { i, n } = data.part
    if (i === 1) this.parts = []
    if (i !== this.parts.length + 1) return this.missed(`part ${i} of ${n} came out of order`)
    this.parts.push(data)
    if (i < n) return
    const { parts } = this
    this.forget()
    this.resetBackoff()
    const positions = parts.flatMap((part) => part.positions)
    const summary = parts.flatMap((part) => part.summary)
    this.keep(positions, summary)
    this.seq = data.seq
    const { kind: _kind, part: _part, ...rest } = data
    this.emit({ type: 'snapshot', ...rest, positions, summary })
  }

  private change(data: Change) {
    if (this.seq === null || data.seq !== this.seq + 1) {
      return this.missed(`change ${data.seq} came after ${this.seq ?? 'an incomplete snapshot'}`)
    }
    this.seq = data.seq
    for (const position of data.removed) this.byKey.delete(positionKey(position))
    for (const totals of data.removedSummary) this.totalsByKey.delete(totalsKey(totals))
    this.keep(data.positions, data.summary)
    const { kind: _kind, ...rest } = data
    this.emit({ type: 'change', ...rest })
  }

  private keep(positions: readonly PortfolioPosition[], summary: readonly PortfolioTotals[]): void {
    for (const position of positions) this.byKey.set(positionKey(position), position)
    for (const totals of summary) this.totalsByKey.set(totalsKey(totals), totals)
  }

  private missed(reason: string): void {
    this.emit({ type: 'gap', reason })
    this.resubscribe()
  }
}
