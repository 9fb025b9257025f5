// Changes of the account's own orders: a snapshot of what is in flight, then every change.
import type { ClientOp, OrdersFrame, ServerFrame } from './frames.ts'
import { Subscription, type Wire } from './subscription.ts'

type Data = OrdersFrame['data']
type Snapshot = Extract<Data, { kind: 'snapshot' }>
export type OrderState = Snapshot['executions'][number]
export type ConditionalState = Snapshot['conditionals'][number]

export type OrdersEvent =
  /**
   * Everything in flight, with its parts combined. After `behind` and `gap`, an order that was known and is missing here has ended: read it
   * over HTTP, and the fills since the last one.
   */
  | {
      type: 'snapshot'
      reason: Snapshot['reason']
      executions: OrderState[]
      conditionals: ConditionalState[]
      truncated: boolean
    }
  | ({ type: 'execution' } & Omit<Extract<Data, { kind: 'execution' }>, 'kind'>)
  | ({ type: 'fill' } & Omit<Extract<Data, { kind: 'fill' }>, 'kind'>)
  | ({ type: 'conditional' } & Omit<Extract<Data, { kind: 'conditional' }>, 'kind'>)
  /** A part of a snapshot was missed; it is requested again. */
  | { type: 'gap'; reason: string }

const inFlight: ReadonlySet<string> = new Set(['submitted', 'acked'])
const living: ReadonlySet<string> = new Set(['armed', 'triggered', 'firing'])

export class OrdersSubscription extends Subscription<OrdersEvent> {
  private readonly byId = new Map<string, OrderState>()
  private readonly conditionalsById = new Map<string, ConditionalState>()
  private parts: Snapshot[] = []

  constructor(wire: Wire) {
    super('orders', wire)
  }

  /** In flight, by execution id. */
  get executions(): ReadonlyMap<string, OrderState> {
    return this.byId
  }

  /** Open conditional orders, by id. */
  get conditionals(): ReadonlyMap<string, ConditionalState> {
    return this.conditionalsById
  }

  protected subscribeMessage(): ClientOp {
    return { op: 'subscribeOrders' }
  }

  protected unsubscribeMessage(): ClientOp {
    return { op: 'unsubscribeOrders' }
  }

  protected received(frame: ServerFrame) {
    if (frame.type !== 'orders') return
    const { data } = frame
    switch (data.kind) {
      case 'snapshot':
        return this.snapshot(data)
      case 'execution':
        keep(this.byId, data.execution.executionId, data.execution, inFlight)
        break
      case 'conditional':
        keep(this.conditionalsById, data.conditional.id, data.conditional, living)
    }
    const { kind: type, ...rest } = data
    this.emit({ type, ...rest } as OrdersEvent)
  }

  protected forget(): void {
    this.byId.clear()
    this.conditionalsById.clear()
    this.parts = []
  }

  private snapshot(data: Snapshot) {
    const { i, n } = data.part
    if (i === 1) this.parts = []
    if (i !== this.parts.length + 1) {
      this.emit({ type: 'gap', reason: `part ${i} of ${n} came out of order` })
      return this.resubscribe()
    }
    this.parts.push(data)
    if (i < n) return
    const { parts } = this
    this.forget()
    this.resetBackoff()
    const executions = parts.flatMap((part) => part.executions)
    const conditionals = parts.flatMap((part) => part.conditionals)
    for (const execution of executions) this.byId.set(execution.executionId, execution)
    for (const conditional of conditionals) this.conditionalsById.set(conditional.id, conditional)
    const truncated = parts.some((part) => part.truncated)
    this.emit({ type: 'snapshot', reason: data.reason, executions, conditionals, truncated })
  }
}

function keep<T extends { status: string }>(
  map: Map<string, T>,
  id: string,
  value: T,
  kept: ReadonlySet<string>,
): void {
  if (kept.has(value.status)) map.set(id, value)
  else map.delete(id)
}
