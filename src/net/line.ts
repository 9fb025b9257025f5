// A line before a door that lets so many through at once. Who waits is bounded in number and in time, and parties take turns: one that sends
// a crowd holds up its own people, not somebody else's one.

export interface LineLimits {
  atOnce: number
  /** Inside at once of one named party, so that there is room for others. */
  atOncePerParty: number
  /** More are turned away at once. */
  waitingMax: number
  patienceMs: number
}

interface Party {
  readonly atOnce: number
  inside: number
  waiting: Set<() => void>
}

export class Line {
  private readonly limits: LineLimits
  private inside = 0
  private waiting = 0
  private readonly parties = new Map<string | undefined, Party>()

  constructor(limits: LineLimits) {
    this.limits = limits
  }

  /** Resolves with what gives the place back, to be called once; null for who was turned away, lost patience or left. */
  async enter(name: string | undefined, signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null
    const party = this.parties.get(name) ?? this.meet(name)
    if (this.hasRoomFor(party)) this.letIn(party)
    else if (!(await this.wait(name, party, signal))) return null
    return () => this.leave(name, party)
  }

  private meet(name: string | undefined): Party {
    const { atOnce, atOncePerParty } = this.limits
    const party = { atOnce: name === undefined ? atOnce : atOncePerParty, inside: 0, waiting: new Set<() => void>() }
    this.parties.set(name, party)
    return party
  }

  /** While this holds of somebody who comes, nobody who waits may be let in: places are handed on as they get free. */
  private hasRoomFor(party: Party): boolean {
    return this.inside < this.limits.atOnce && party.inside < party.atOnce
  }

  private letIn(party: Party): void {
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
        this.letIn(party)
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

  /** The place goes to the party with the fewest inside, and there to who waited longest: nobody slips in between. */
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
