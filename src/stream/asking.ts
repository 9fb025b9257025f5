// Subscriptions whose first answer is out: what is said of one meanwhile waits for it, in order, a bounded number of operations.

const waitingOpsMax = 64

export interface Answered<Op, Answer> {
  settle(answer: Answer): void
  failed(cause: unknown): void
  /** What waited, one by one, behind the answer. */
  again(op: Op): void
}

export class Asking<Op> {
  private readonly waiting = new Map<string, Op[]>()
  private closed = false

  get size(): number {
    return this.waiting.size
  }

  /** `free`: nothing is out for it. `full`: too much waits already. */
  hold(key: string, op: Op): 'free' | 'held' | 'full' {
    const waiting = this.waiting.get(key)
    if (waiting === undefined) return 'free'
    if (waiting.length >= waitingOpsMax) return 'full'
    waiting.push(op)
    return 'held'
  }

  /** Nothing runs any more once it is closed. */
  ask<Answer>(key: string, answer: Promise<Answer>, { settle, failed, again }: Answered<Op, Answer>): void {
    this.waiting.set(key, [])
    const resume = (run: () => void): void => {
      if (this.closed) return
      const waiting = this.waiting.get(key) ?? []
      this.waiting.delete(key)
      run()
      for (const op of waiting) if (!this.closed) again(op)
    }
    answer.then(
      (known) => resume(() => settle(known)),
      (cause: unknown) => resume(() => failed(cause)),
    )
  }

  close(): void {
    this.closed = true
    this.waiting.clear()
  }
}
