// Commands that were sent and what each was for, for protocols whose answers name only their command.

/** Of commands that nobody answered so many are remembered. */
const openMax = 10_000

export class Commands<About> {
  private lastId = 0
  private readonly open = new Map<number, About>()

  /** The id for a command about this. */
  next(about: About): number {
    const id = ++this.lastId
    this.open.set(id, about)
    if (this.open.size > openMax) for (const oldest of this.open.keys()) if (this.open.delete(oldest)) break
    return id
  }

  /** What the answered command was about; undefined for an id that is none of ours, or was answered. */
  take(id: number): About | undefined {
    const about = this.open.get(id)
    this.open.delete(id)
    return about
  }
}
