// Numbers on lossless messages: each sender counts its messages per partition. Brokers recognize a repeated send only from the same producer; a send
// whose answer was lost may be stored again by the next one. Readers leave out numbers they have read before, and notice missing ones. What is
// known of senders is committed with the offset, as text.
import type { IHeaders } from 'kafkajs'

const header = 'n'
/** In the text, so that it cannot be taken for a venue. */
const mark = '#'
/** Repeats follow the first copy within minutes; senders that have been silent for longest are forgotten. */
const sendersMax = 24

export const numberHeaders = (sender: string, number: number): IHeaders => ({ [header]: `${sender}:${number}` })

export class Sequence {
  /** Messages read before. */
  repeated = 0
  /** Messages that never arrived. */
  missing = 0
  /** Sender → its last number; silent for longest first. */
  private readonly last = new Map<string, number>()

  /** `text`: as written by `toString`; other parts are skipped. */
  constructor(text: string) {
    for (const part of text.split(',')) {
      if (!part.startsWith(mark)) continue
      const [sender, number] = part.slice(mark.length).split('=')
      if (sender !== undefined && Number.isSafeInteger(Number(number))) this.last.set(sender, Number(number))
    }
  }

  /** False for a message that was read before. */
  admits(headers: IHeaders | undefined): boolean {
    const found = /^(\w+):(\d{1,15})$/.exec(String(headers?.[header] ?? ''))
    if (found === null) return true
    const sender = found[1]!
    const number = Number(found[2])
    const last = this.last.get(sender)
    if (last !== undefined && number <= last) {
      this.repeated++
      return false
    }
    if (last !== undefined) this.missing += number - last - 1
    this.last.delete(sender)
    this.last.set(sender, number)
    for (const oldest of this.last.keys()) {
      if (this.last.size <= sendersMax) break
      this.last.delete(oldest)
    }
    return true
  }

  toString(): string {
    return [...this.last].map(([sender, number]) => `${mark}${sender}=${number}`).join(',')
  }
}
