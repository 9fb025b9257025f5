// One connection to a lab venue: faults on the way out, a bounded queue, nothing sent to a client that does not read.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Clock, Timer } from '#core/clock'
import type { Counters } from './counters.ts'
import type { FrameFault } from './faults.ts'

/** A client this far behind is disconnected, by default: two seconds of the largest burst. */
export const SEND_QUEUE_MAX_BYTES = 64 * 1024 * 1024
/** Frames a slow venue holds back per socket before it gives up on it. */
const DELAYED_MAX = 20_000

export class LabSocket {
  /** Data frames are swallowed; acknowledgements and pings are not. */
  muted = false
  private readonly ws: WebSocket
  private readonly raw: Duplex
  private readonly clock: Clock
  private readonly counters: Counters
  private readonly delayMs: () => number
  private readonly queueMaxBytes: number
  private held: string | null = null
  private delayed: { dueMs: number; text: string }[] = []
  private timer: Timer | null = null

  constructor(options: {
    ws: WebSocket
    raw: Duplex
    clock: Clock
    counters: Counters
    delayMs: () => number
    queueMaxBytes: number
  }) {
    this.queueMaxBytes = options.queueMaxBytes
    this.ws = options.ws
    this.raw = options.raw
    this.clock = options.clock
    this.counters = options.counters
    this.delayMs = options.delayMs
  }

  get open(): boolean {
    return this.ws.readyState === this.ws.OPEN
  }

  /** Market data. The fault was decided once for all sockets that get this change. */
  data(text: string, fault: FrameFault = 'send'): void {
    if (this.muted || fault === 'drop') {
      this.counters.framesDropped++
      return
    }
    if (fault === 'hold' && this.held === null) {
      this.held = text
      return
    }
    this.control(text)
    if (fault === 'duplicate') this.control(text)
    this.release()
  }

  /** Acknowledgements, errors, pongs: never muted. */
  control(text: string): void {
    const delayMs = this.delayMs()
    if (delayMs === 0 && this.delayed.length === 0) {
      this.write(text)
      return
    }
    if (this.delayed.length >= DELAYED_MAX) {
      this.cutSlow()
      return
    }
    this.delayed.push({ dueMs: this.clock.now() + delayMs, text })
    this.timer ??= this.clock.after(delayMs, () => this.drain())
  }

  /** Sends a frame that `reorder` kept back. */
  release(): void {
    const held = this.held
    if (held === null) return
    this.held = null
    this.control(held)
  }

  ping(payload: string): void {
    if (this.open) this.ws.ping(payload)
  }

  /** Everything sent in between leaves in one write. */
  cork(): void {
    this.raw.cork()
  }

  uncork(): void {
    this.raw.uncork()
  }

  close(code: number, reason: string): void {
    this.ws.close(code, reason)
  }

  /** Without a close frame, as when a machine dies. */
  terminate(): void {
    this.ws.terminate()
  }

  dispose(): void {
    this.timer?.cancel()
    this.timer = null
    this.delayed = []
    this.held = null
  }

  private write(text: string): void {
    if (!this.open) return
    if (this.ws.bufferedAmount > this.queueMaxBytes) {
      this.cutSlow()
      return
    }
    this.counters.framesSent++
    this.ws.send(text)
  }

  private cutSlow(): void {
    this.counters.slowDisconnects++
    this.dispose()
    this.ws.terminate()
  }

  private drain(): void {
    this.timer = null
    const now = this.clock.now()
    let n = 0
    while (n < this.delayed.length && this.delayed[n]!.dueMs <= now) this.write(this.delayed[n++]!.text)
    this.delayed.splice(0, n)
    const next = this.delayed[0]
    if (next !== undefined) this.timer = this.clock.after(Math.max(1, next.dueMs - now), () => this.drain())
  }
}

/** The faults that affect open sockets, the same on every venue. */
export function socketFaults(sockets: () => Iterable<LabSocket>) {
  return {
    closeSockets({ closeFrame, code }: { closeFrame: boolean; code: number }): void {
      for (const socket of [...sockets()]) closeFrame ? socket.close(code, 'lab') : socket.terminate()
    },
    muteSockets(): void {
      for (const socket of sockets()) socket.muted = true
    },
    unmuteSockets(): void {
      for (const socket of sockets()) {
        socket.muted = false
        socket.release()
      }
    },
    broadcastRaw(text: string): void {
      for (const socket of sockets()) socket.control(text)
    },
  }
}
