// Who may still write: per partition the highest epoch of each venue that was read so far. What comes behind it under a lower one was said by
// a former owner. The text of it is committed with the offset, so that whoever reads the same messages again leaves out the same.

/** What may be fenced. Without an epoch nobody else could have said it. */
interface Said {
  venue?: string
  epoch?: number
}

export class Fence {
  private readonly epochs: Map<string, number>

  /** `text`: as `toString` wrote it. */
  constructor(text: string) {
    this.epochs = new Map(
      text
        .split(',')
        .filter((part) => part !== '')
        .map((part) => {
          const [venue, epoch] = part.split('=')
          return [venue!, Number(epoch)]
        }),
    )
  }

  /** False for the word of a former owner. */
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
