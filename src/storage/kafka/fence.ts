// Which process may still write: per partition, the highest epoch of each venue read so far. A later message with a lower epoch comes from a former
// owner. The fence is committed as text with the offset, so that a process that reads the same messages again skips the same ones.

/** What may be fenced. Without an epoch no other sender is possible. */
interface Said {
  venue?: string
  epoch?: number
}

export class Fence {
  private readonly epochs: Map<string, number>

  /** `text`: as written by `toString`. */
  constructor(text: string) {
    this.epochs = new Map(
      text
        .split(',')
        // Other parts of the text belong to the senders' numbers.
        .filter((part) => part !== '' && !part.startsWith('#'))
        .map((part) => {
          const [venue, epoch] = part.split('=')
          return [venue!, Number(epoch)]
        }),
    )
  }

  /** False for a message of a former owner. */
  admits(value: object): boolean {
    const { venue, epoch }: Said = value
    if (venue === undefined || epoch === undefined) return true
    const highest = this.epochs.get(venue)
    if (highest !== undefined && epoch < highest) return false
    this.epochs.set(venue, epoch)
    return true
  }

  toString(): string {
    return [...this.epochs].map(([venue, epoch]) => `${venue}=${epoch}`).join(',')
  }
}
