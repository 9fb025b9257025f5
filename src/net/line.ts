// A line before a door that lets so many through at once. Who waits is bounded in number and in time.

export interface LineLimits {
  atOnce: number
  /** More are turned away at once. */
  waitingMax: number
  patienceMs: number
}

export class Line {
  private readonly limits: LineLimits
  private inside = 0
  private readonly waiting = new Set<() => void>()

  constructor(limits: LineLimits) {
    this.limits = limits
  }

  /** Resolves with what gives the place back, to be called once; null for who was turned away, lost patience or left. */
  async enter(signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null
    // A place that is handed on stays counted.
    if (this.inside < this.limits.atOnce) this.inside++
    else if (!(await this.wait(signal))) return null
    return () => this.leave()
  }

  private wait(signal: AbortSignal): Promise<boolean> {
    if (this.waiting.size >= this.limits.waitingMax) return Promise.resolve(false)
    return new Promise((resolve) => {
      const end = AbortSignal.any([AbortSignal.timeout(this.limits.patienceMs), signal])
      const turn = (): void => {
        end.removeEventListener('abort', left)
        this.waiting.delete(turn)
        resolve(true)
      }
      const left = (): void => {
        this.waiting.delete(turn)
        resolve(false)
      }
      end.addEventListener('abort', left, { once: true })
      this.waiting.add(turn)
    })
  }

  /** The place goes to who waited longest: nobody slips in between. */
  private leave(): void {
    const [next] = this.waiting
    if (next === undefined) this.inside--
    else next()
  }
}
