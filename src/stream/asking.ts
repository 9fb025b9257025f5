// Subscriptions whose first answer is out: what is said of one meanwhile waits for it, in order, a bounded number of operations.

const waitingOpsMax = 64

/** When what was asked before it in the same message has been answered; null: now. */
export type Turn = Promise<void> | null

export interface Answered<Op, Answer> {
  /** Whether it will be one more subscription. */
  isNew: boolean
  settle(answer: Answer): void
  failed(cause: unknown): void
  /** What waited, one by one, behind the answer. */
  again(op: Op, turn: Turn): Turn
}

interface Waiting<Op> {
  op: Op
  turn: Turn
  answered(after: Turn): void
}

export class Asking<Op> {
  private readonly asked = new Map<string, Waiting<Op>[]>()
  private fresh = 0
  private closed = false

  /** Subscriptions that may come of it. */
  get size(): number {
    return this.fresh
  }

  /** `free`: nothing is out for it. `full`: too much waits already. Else it waits, and this is when it will have been answered. */
  hold(key: string, op: Op, turn: Turn): 'free' | 'full' | Promise<void> {
    const waiting = this.asked.get(key)
    if (waiting === undefined) return 'free'
    if (waiting.length >= waitingOpsMax) return 'full'
    return new Promise((resolve) => {
      waiting.push({ op, turn, answered: (after) => resolve(after ?? undefined) })
    })
  }

  /** Returns when it has been answered. Nothing runs any more once it is closed. */
  ask<Answer>(
    key: string,
    answer: Promise<Answer>,
    { isNew, settle, failed, again }: Answered<Op, Answer>,
  ): Promise<void> {
    const waiting: Waiting<Op>[] = []
    this.asked.set(key, waiting)
    if (isNew) this.fresh++
    const resume = (run: () => void): void => {
      if (this.closed) return
      this.asked.delete(key)
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
    this.asked.clear()
  }
}
