// Caches recent reads for a while and shares concurrent ones.
import type { Clock } from './clock.ts'
import { SingleFlight } from './singleFlight.ts'

const keysMaxDefault = 1_000

export class TtlCache<T> {
  private readonly inFlight = new SingleFlight<T>()
  /** Oldest first. */
  private readonly answers = new Map<string, { answer: T; at: number }>()
  private readonly clock: Clock
  private readonly forMs: number
  private readonly keysMax: number

  /** `keysMax`: answers cached; beyond that the oldest is evicted. */
  constructor(clock: Clock, forMs: number, { keysMax = keysMaxDefault }: { keysMax?: number } = {}) {
    this.clock = clock
    this.forMs = forMs
    this.keysMax = keysMax
  }

  async run(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.answers.get(key)
    if (known !== undefined && this.clock.monotonic() - known.at < this.forMs) return known.answer
    return this.inFlight.run(key, async () => {
      const answer = await load()
      this.answers.delete(key)
      this.answers.set(key, { answer, at: this.clock.monotonic() })
      const [oldest] = this.answers.keys()
      if (this.answers.size > this.keysMax) this.answers.delete(oldest!)
      return answer
    })
  }
}
