// How much a request may still compute, and when it lets other work of the process run: in steps, so that answers do not depend on the machine.
import { setImmediate } from 'node:timers/promises'

/** Literals looked at between two turns of the event loop: some milliseconds. */
const workPerTurn = 100_000

export class Budget {
  private left: number
  private turn = workPerTurn

  constructor(left: number) {
    this.left = left
  }

  get isSpent(): boolean {
    return this.left <= 0
  }

  spend(work: number): void {
    this.left -= work
    this.turn -= work
  }

  /** For a part of the work: at most `work`, and no more than half of what is left. */
  part(work: number): Budget {
    return new BudgetPart(this, Math.min(work, this.left / 2))
  }

  /** The turn of the event loop has lasted long enough. */
  get isTurnOver(): boolean {
    return this.turn <= 0
  }

  async nextTurn(): Promise<void> {
    this.turn = workPerTurn
    await setImmediate()
  }
}

class BudgetPart extends Budget {
  private readonly whole: Budget

  constructor(whole: Budget, left: number) {
    super(left)
    this.whole = whole
  }

  override spend(work: number): void {
    super.spend(work)
    this.whole.spend(work)
  }

  override get isTurnOver(): boolean {
    return this.whole.isTurnOver
  }

  override nextTurn(): Promise<void> {
    return this.whole.nextTurn()
  }
}
