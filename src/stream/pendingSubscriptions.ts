// Subscriptions whose first answer is pending: operations on one wait for it in order, up to a bounded number.

const waitingOpsMax = 64

/** Resolves when everything requested before it in the same message has been answered; null: now. */
export type Turn = Promise<void> | null

export interface Answered<Op, Answer> {
  /** Whether it adds a subscription. */
  isNew: boolean
  settle(answer: Answer): void
  failed(cause: unknown): void
  /** Runs a waiting operation after the answer. */
  again(op: Op, turn: Turn): Turn
}

interface Waiting<Op> {
  op: Op
  turn: Turn
  answered(after: Turn): void
}

export class PendingSubscriptions<Op> {
  private readonly queues = new Map<string, Waiting<Op>[]>()
  private fresh = 0
  private closed = false

  /** Subscriptions that may result. */
  get size(): number {
    return this.fresh
  }

  /**
   * `free`: no answer is pending. `full`: too much is waiting already. Otherwise it waits, and the promise resolves when it has
   * been answered.
   */
  hold(key: string, op: Op, turn: Turn): 'free' | 'full' | Promise<void> {
    const waiting = this.queues.get(key)
    if (waiting === undefined) return 'free'
    if (waiting.length >= waitingOpsMax) return 'full'
    return new Promise((resolve) => {
      waiting.push({ op, turn, answered: (after) => resolve(after ?? undefined) })
    })
  }

  /** Returns when it has been answered. Nothing runs once it is closed. */
  track<Answer>(
    key: string,
    answer: Promise<Answer>,
    { isNew, settle, failed, again }: Answered<Op, Answer>,
  ): Promise<void> {
    const waiting: Waiting<Op>[] = []
    this.queues.set(key, waiting)
    if (isNew) this.fresh++
    const resume = (run: () => void): void => {
      if (this.closed) return
      this.queues.delete(key)
      if (isNew) this.fresh--
      run()
      for (const { op, turn, answered } of waiting) if (!this.closed) answered(again(op, turn))
    }
    return answer.then(
      (known) => resume(() => settle(known)),
      (cause: unknown) => resume(() => failed(cause)),
    )
  }

  close(): void {
    this.closed = true
    this.queues.clear()
  }
}
