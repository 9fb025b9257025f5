// Which senders of a venue are its owners now: for each part, the one with the highest known epoch, all of the same division into parts.
// Epochs of a new division are above all earlier ones, so a message of another division is either newer than everything known, or void.
import { countParts } from '#schemas/parts'

export interface Sender {
  epoch: number
  /** Absent: it feeds the whole venue. */
  part?: string | undefined
}

/**
 * `known`: an owner that has sent before. `joined`: the first one of its part. `replaced`: it takes the place of another one of its part.
 * `divided`: it takes the place of all others, since the venue is now divided in another way. `former`: void.
 */
export type SenderState = 'known' | 'joined' | 'replaced' | 'divided' | 'former'

interface Division {
  count: number
  /** By part; of a whole venue under ''. */
  epochs: Map<string, number>
}

export class OwnerEpochs {
  private readonly venues = new Map<string, Division>()

  take(venue: string, { epoch, part }: Sender): SenderState {
    const division = this.venues.get(venue)
    if (division === undefined) {
      this.begin(venue, epoch, part)
      return 'joined'
    }
    const { epochs } = division
    const known = epochs.get(part ?? '')
    if (known !== undefined) {
      if (epoch <= known) return epoch === known ? 'known' : 'former'
      epochs.set(part ?? '', epoch)
      return 'replaced'
    }
    if (division.count !== countParts(part)) {
      if (epoch <= Math.max(...epochs.values())) return 'former'
      this.begin(venue, epoch, part)
      return 'divided'
    }
    epochs.set(part ?? '', epoch)
    return 'joined'
  }

  /** Into how many parts the venue is divided; null: no owner is known. */
  countParts(venue: string): number | null {
    return this.venues.get(venue)?.count ?? null
  }

  /** Venue → part (of a whole venue: '') → epoch. */
  *[Symbol.iterator](): Generator<[venue: string, count: number, epochs: ReadonlyMap<string, number>], void, void> {
    for (const [venue, { count, epochs }] of this.venues) yield [venue, count, epochs]
  }

  private begin(venue: string, epoch: number, part: string | undefined): void {
    this.venues.set(venue, { count: countParts(part), epochs: new Map([[part ?? '', epoch]]) })
  }
}
