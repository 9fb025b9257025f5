// A table of rows that the service sends in parts: a snapshot, then changes. Incomplete states are never shown.
import type { ArbitrageRow, ClientOp, ServerFrame, StructureRow } from './frames.ts'
import { Subscription, type Wire } from './subscription.ts'

export interface RowsEvent<Row> {
  type: 'rows'
  kind: 'snapshot' | 'delta'
  seq: number
  /** New or changed rows; in a snapshot all rows. */
  upserts: Row[]
  /** Ids of removed rows; in a snapshot those that were held before and are not in it. */
  removes: string[]
  /** Null: nothing was computed yet. */
  computedAt: string | null
}

/** Something was missed: the rows are discarded, and a snapshot is requested. */
export interface SurfaceGapEvent {
  type: 'gap'
  reason: string
}

export interface SurfaceData<Row> {
  kind: 'snapshot' | 'delta'
  seq: number
  computedAt: string | null
  part: { i: number; n: number }
  rows?: Row[]
  upserts?: Row[]
  removes?: string[]
}

type Accepted<Row> = RowsEvent<Row> | SurfaceGapEvent | null

/** Rows by id, as of one `seq`. */
export class SurfaceState<Row> {
  readonly rows = new Map<string, Row>()
  private readonly idOf: (row: Row) => string
  private seq: number | null = null
  /** The result of a frame in several parts. */
  private parts: SurfaceData<Row>[] = []

  constructor(idOf: (row: Row) => string) {
    this.idOf = idOf
  }

  /** Null while parts are missing. */
  accept(data: SurfaceData<Row>): Accepted<Row> {
    const { kind, seq, part } = data
    const first = this.parts[0]
    // A new snapshot repairs whatever was missed before it.
    if (kind === 'snapshot' && part.i === 1) this.parts = []
    else if (first !== undefined && (first.seq !== seq || first.kind !== kind))
      return this.gap(`frame ${first.seq} ended after ${this.parts.length} of ${first.part.n} parts`)
    if (part.i !== this.parts.length + 1) return this.gap(`part ${part.i} of frame ${seq} came out of order`)
    if (kind === 'delta' && this.seq === null) return this.gap('a delta came before any snapshot')
    if (kind === 'delta' && seq <= this.seq!) return this.gap(`frame ${seq} came after ${this.seq}`)
    this.parts.push(data)
    return part.i === part.n ? this.apply(data) : null
  }

  forget(): void {
    this.rows.clear()
    this.seq = null
    this.parts = []
  }

  private apply({ kind, seq, computedAt }: SurfaceData<Row>): RowsEvent<Row> {
    const { parts, rows } = this
    this.parts = []
    this.seq = seq
    const upserts = parts.flatMap((part) => part.rows ?? part.upserts ?? [])
    const kept = new Set(upserts.map(this.idOf))
    const removes =
      kind === 'snapshot' ? [...rows.keys()].filter((id) => !kept.has(id)) : parts.flatMap((part) => part.removes ?? [])
    for (const id of removes) rows.delete(id)
    for (const row of upserts) rows.set(this.idOf(row), row)
    return { type: 'rows', kind, seq, upserts, removes, computedAt }
  }

  private gap(reason: string): SurfaceGapEvent {
    this.forget()
    return { type: 'gap', reason }
  }
}

export type ArbitrageOptions = Omit<Extract<ClientOp, { op: 'subscribeArbitrage' }>, 'op'>
export type StructuresOptions = Omit<Extract<ClientOp, { op: 'subscribeStructures' }>, 'op'>

class SurfaceSubscription<Row> extends Subscription<RowsEvent<Row> | SurfaceGapEvent> {
  private readonly held: SurfaceState<Row>
  private readonly subscribe: ClientOp
  private readonly unsubscribe: ClientOp

  constructor(
    key: 'arbitrage' | 'structures',
    wire: Wire,
    idOf: (row: Row) => string,
    ops: { subscribe: ClientOp; unsubscribe: ClientOp },
  ) {
    super(key, wire)
    this.held = new SurfaceState(idOf)
    this.subscribe = ops.subscribe
    this.unsubscribe = ops.unsubscribe
  }

  /** By id. Also empty while nothing is known: `isLive` and the events distinguish the two. */
  get rows(): ReadonlyMap<string, Row> {
    return this.held.rows
  }

  protected subscribeMessage(): ClientOp {
    return this.subscribe
  }

  protected unsubscribeMessage(): ClientOp {
    return this.unsubscribe
  }

  protected received(frame: ServerFrame): void {
    if (frame.type !== this.key) return
    const accepted = this.held.accept((frame as unknown as { data: SurfaceData<Row> }).data)
    if (accepted === null) return
    this.emit(accepted)
    if (accepted.type === 'rows') this.resetBackoff()
    else this.resubscribe()
  }

  protected forget(): void {
    this.held.forget()
  }
}

export class ArbitrageSubscription extends SurfaceSubscription<ArbitrageRow> {
  constructor(wire: Wire, options: ArbitrageOptions) {
    const ops = {
      subscribe: { op: 'subscribeArbitrage', ...options },
      unsubscribe: { op: 'unsubscribeArbitrage' },
    } as const
    super('arbitrage', wire, ({ clusterId }) => clusterId, ops)
  }
}

export class StructuresSubscription extends SurfaceSubscription<StructureRow> {
  constructor(wire: Wire, options: StructuresOptions) {
    const ops = {
      subscribe: { op: 'subscribeStructures', ...options },
      unsubscribe: { op: 'unsubscribeStructures' },
    } as const
    super('structures', wire, ({ id }) => id, ops)
  }
}
