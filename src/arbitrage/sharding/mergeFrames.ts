// What a gateway makes of the sequencer's messages: whole logical frames in order, or the detection that it has missed something. Pure.
//
//   lost ──state──► following ──delta after delta──► …         a gap, or a new sequencer: lost again, the state is requested
import type { SurfaceFrame } from '#schemas/topics'

/** All parts of one logical frame. */
export interface SnapshotFrame {
  kind: 'delta' | 'state'
  head: SurfaceFrame
  parts: SurfaceFrame[]
}

/** `frame`: apply it. `lost`: request the state. `wait`: continue. */
export type FrameResult = { kind: 'frame'; frame: SnapshotFrame } | { kind: 'lost' } | { kind: 'wait' }

const wait: FrameResult = { kind: 'wait' }
const lost: FrameResult = { kind: 'lost' }

export class FrameStream {
  /** The sequencer followed, −1 before any. */
  term = -1
  /** The last frame passed on. */
  seq = -1
  following = false
  private gathering: SnapshotFrame | null = null

  receive(message: SurfaceFrame): FrameResult {
    // From a sequencer that was replaced by another.
    if (message.term < this.term) return wait
    if (message.term > this.term) {
      this.term = message.term
      this.following = false
      this.gathering = null
    }
    switch (message.kind) {
      case 'beat':
        // Parts of one frame are consecutive: a heartbeat between them means that the rest was lost.
        return this.following && this.gathering === null && message.seq === this.seq ? wait : this.lose()
      case 'state':
        // The state is for processes that missed something; this one did not.
        if (this.following && message.seq <= this.seq) return wait
        return this.gather(message)
      case 'delta':
        if (this.following && message.seq <= this.seq) return wait
        if (!this.following || message.prev !== this.seq) return this.lose()
        return this.gather(message)
    }
  }

  /** A frame that was passed on could not be applied. */
  lose(): FrameResult {
    this.following = false
    this.gathering = null
    return lost
  }

  private gather(message: SurfaceFrame): FrameResult {
    const { i, last } = message.part
    if (i === 1) {
      this.gathering = { kind: message.kind as 'delta' | 'state', head: message, parts: [message] }
    } else {
      const held = this.gathering
      // The beginning of a state sent to another process was missed: the next one will do.
      const fits =
        held !== null && held.kind === message.kind && held.head.seq === message.seq && held.parts.length === i - 1
      if (!fits) return message.kind === 'state' && held === null ? wait : this.lose()
      held.parts.push(message)
    }
    if (!last) return wait
    const frame = this.gathering!
    this.gathering = null
    this.following = true
    this.seq = message.seq
    return { kind: 'frame', frame }
  }
}
