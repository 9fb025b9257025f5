// Open commands and their purposes, for protocols whose answers carry only the command's id.

/** Maximum unanswered commands remembered. */
const openMax = 10_000

export class Commands<About> {
  private lastId = 0
  private readonly open = new Map<number, About>()

  /** Returns the id for a new command with this purpose. */
  next(about: About): number {
    const id = ++this.lastId
    this.open.set(id, about)
    if (this.open.size > openMax) for (const oldest of this.open.keys()) if (this.open.delete(oldest)) break
    return id
  }

  /** What the answered command was about; undefined for an id that is unknown or already answered. */
  take(id: number): About | undefined {
    const about = this.open.get(id)
    this.open.delete(id)
    return about
  }
}
