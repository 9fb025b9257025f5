// How long the oldest frame of one socket has been waiting in the program. Byte counts do not show it: the kernel buffers megabytes first.

interface Mark {
  /** Position in the socket's byte stream up to which this mark reaches. */
  end: number
  /** When the first byte of this mark was written, on the monotonic clock. */
  at: number
}

/** Marks are at least this far apart, so a socket holds at most (slow limit / grain) of them. Ages are exact to one grain. */
const grainMs = 1_000

export class Backlog {
  private written = 0
  private marks: Mark[] = []

  /** Handed over `bytes` on the wire; `buffered` of everything handed over still waits. */
  wrote(bytes: number, buffered: number, now: number): void {
    this.written += bytes
    if (buffered === 0) {
      if (this.marks.length > 0) this.marks = []
      return
    }
    const newest = this.marks[this.marks.length - 1]
    if (newest === undefined || now - newest.at >= grainMs) this.marks.push({ end: this.written, at: now })
    else newest.end = this.written
  }

  /** Age of the oldest waiting byte, 0 when none waits. */
  ageMs(buffered: number, now: number): number {
    if (buffered === 0) this.marks = []
    const drained = this.written - buffered
    while (this.marks.length > 0 && this.marks[0]!.end <= drained) this.marks.shift()
    const oldest = this.marks[0]
    return oldest === undefined ? 0 : now - oldest.at
  }
}

/** A server frame's header: two bytes, more for longer payloads (RFC 6455 5.2); servers do not mask. */
export const wireBytes = (payload: number): number => payload + (payload < 126 ? 2 : payload < 65_536 ? 4 : 10)
