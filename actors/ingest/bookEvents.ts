// Book events that the actor has not seen yet. At most one message about them waits in the mailbox, however many there are: an actor takes
// one message per turn of the event loop, and hundreds of broken books must not delay the news that their socket is back.
import type { BookMessage } from './messages.ts'

export class BookEvents {
  private waiting: BookMessage[] = []
  /** The newest pending kind of each book: a repetition adds nothing. */
  private readonly newest = new Map<string, BookMessage['kind']>()
  private isAnnounced = false
  private readonly announce: () => void

  /** `announce`: something is pending; called once until `take`. */
  constructor(announce: () => void) {
    this.announce = announce
  }

  push(message: BookMessage): void {
    if (this.newest.get(message.bookId) === message.kind) return
    this.newest.set(message.bookId, message.kind)
    this.waiting.push(message)
    if (this.isAnnounced) return
    this.isAnnounced = true
    this.announce()
  }

  take(): readonly BookMessage[] {
    const messages = this.waiting
    this.waiting = []
    this.newest.clear()
    this.isAnnounced = false
    return messages
  }
}
