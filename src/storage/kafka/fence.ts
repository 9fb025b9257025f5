// Which process may still write: per partition, the highest epoch of each venue, or of each of its parts, read so far. A later message with a lower
// epoch comes from a former owner. The fence is committed as text with the offset, so that a process that reads the same messages again skips
// the same ones.
//
//   `kalshi=1790000000000`     `polymarket@2=mub0bshs:mub0bsht`: of its two parts, in base 36; empty where none was read
import { OwnerEpochs } from '#core/ownerEpochs'
import { listParts } from '#schemas/parts'

/** What may be fenced. Without an epoch no other sender is possible. */
interface Fenced {
  venue?: string
  epoch?: number
  part?: string
}

const partsMark = '@'

export class Fence {
  private readonly owners = new OwnerEpochs()

  /** `text`: as written by `toString`. */
  constructor(text: string) {
    for (const entry of text.split(',')) {
      // The other parts of the text are the numbers of senders (sequence.ts).
      if (entry === '' || entry.startsWith('#')) continue
      const [name, epochs] = entry.split('=') as [string, string]
      const [venue, count] = name.split(partsMark) as [string, string?]
      if (count === undefined) this.owners.take(venue, { epoch: Number(epochs) })
      else
        for (const [index, epoch] of epochs.split(':').entries())
          if (epoch !== '')
            this.owners.take(venue, { epoch: Number.parseInt(epoch, 36), part: `${index + 1}/${count}` })
    }
  }

  /** False for a message of a former owner. */
  admits(value: object): boolean {
    const { venue, epoch, part }: Fenced = value
    if (venue === undefined || epoch === undefined) return true
    return this.owners.take(venue, { epoch, part }) !== 'former'
  }

  toString(): string {
    return [...this.owners]
      .map(([venue, count, epochs]) => {
        if (count === 1) return `${venue}=${epochs.get('')}`
        return `${venue}${partsMark}${count}=${listParts(count)
          .map((part) => epochs.get(part)?.toString(36) ?? '')
          .join(':')}`
      })
      .join(',')
  }
}
