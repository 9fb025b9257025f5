// A queue in front of a concurrency limit. Waiting is bounded in number and time, and parties take turns: one that sends many requests holds
// up its own, not others'.

export interface LineLimits {
  atOnce: number
  /** Concurrent places per named party, so that there is room for others. */
  atOncePerParty: number
  /** Further ones are rejected at once. */
  waitingMax: number
  patienceMs: number
}

interface Party {
  readonly atOnce: number
  inside: number
  waiting: Set<() => void>
}

export class FairQueue {
  private readonly limits: LineLimits
  private inside = 0
  private waiting = 0
  private readonly parties = new Map<string | undefined, Party>()

  constructor(limits: LineLimits) {
    this.limits = limits
  }

  /** Resolves with a function that returns the place, to be called once; null if rejected, timed out or aborted. */
  async enter(name: string | undefined, signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null
    const party = this.parties.get(name) ?? this.addParty(name)
    if (this.canAdmit(party)) this.admit(party)
    else if (!(await this.wait(name, party, signal))) return null
    return () => this.leave(name, party)
  }

  private addParty(name: string | undefined): Party {
    const { atOnce, atOncePerParty } = this.limits
    const party = { atOnce: name === undefined ? atOnce : atOncePerParty, inside: 0, waiting: new Set<() => void>() }
    this.parties.set(name, party)
    return party
  }

  /** While this holds for a newcomer, no waiting one can be admitted: places are handed on as they become free. */
  private canAdmit(party: Party): boolean {
    return this.inside < this.limits.atOnce && party.inside < party.atOnce
  }

  private admit(party: Party): void {
    this.inside++
    party.inside++
  }

  private wait(name: string | undefined, party: Party, signal: AbortSignal): Promise<boolean> {
    if (this.waiting >= this.limits.waitingMax) {
      this.forget(name, party)
      return Promise.resolve(false)
    }
    return new Promise((resolve) => {
      const end = AbortSignal.any([AbortSignal.timeout(this.limits.patienceMs), signal])
      const go = (): void => {
        party.waiting.delete(turn)
        this.waiting--
      }
      const turn = (): void => {
        end.removeEventListener('abort', left)
        go()
        this.admit(party)
        resolve(true)
      }
      const left = (): void => {
        go()
        this.forget(name, party)
        resolve(false)
      }
      end.addEventListener('abort', left, { once: true })
      party.waiting.add(turn)
      this.waiting++
    })
  }

  /**
   * The place goes to the party with the fewest inside, and within it to the longest waiting: no one can jump the
   * queue.
   */
  private leave(name: string | undefined, party: Party): void {
    this.inside--
    party.inside--
    this.forget(name, party)
    let next: Party | undefined
    for (const other of this.parties.values()) {
      if (other.waiting.size === 0 || other.inside >= other.atOnce) continue
      if (next === undefined || other.inside < next.inside) next = other
    }
    const [turn] = next?.waiting ?? []
    turn?.()
  }

  private forget(name: string | undefined, { inside, waiting }: Party): void {
    if (inside === 0 && waiting.size === 0) this.parties.delete(name)
  }
}
