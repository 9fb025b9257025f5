// What was read a moment ago is the answer for whoever asks for the same now; while it is being read all of them wait for the one answer.
import type { Clock } from '#lib/clock'
import { Coalesce } from '#lib/coalesce'

/** Questions remembered; beyond that all are forgotten. */
const keysMax = 1_000

export class Recent<T> {
  private readonly asking = new Coalesce<T>()
  private readonly answers = new Map<string, { answer: T; at: number }>()
  private readonly clock: Clock
  private readonly forMs: number

  constructor(clock: Clock, forMs: number) {
    this.clock = clock
    this.forMs = forMs
  }

  async run(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.answers.get(key)
    if (known !== undefined && this.clock.monotonic() - known.at <= this.forMs) return known.answer
    return this.asking.run(key, async () => {
      const answer = await ask()
      if (this.answers.size >= keysMax) this.answers.clear()
      this.answers.set(key, { answer, at: this.clock.monotonic() })
      return answer
    })
  }
}
