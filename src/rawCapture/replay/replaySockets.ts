// The sockets of a replay: the connections that an ingest opens are given the events of the captured ones, in the order of their opening.
import type { OpenSocket, SocketEvents } from '#net/socket'
import type { EventLine } from '../lines.ts'
import { bytesOf } from '../lines.ts'

type SocketLine = Extract<EventLine, { socket: number }>

/** Events that wait for the ingest to open the connection. */
const waitingMax = 50_000

interface Bound {
  events: SocketEvents
  isClosed: boolean
}

export class ReplaySockets {
  /** Frames for which no connection was open. */
  unplayed = 0
  /** Frames given to the ingest. */
  frames = 0
  private readonly bound = new Map<number, Bound>()
  /** Captured and not yet opened by the ingest, in order. */
  private readonly captured: number[] = []
  /** Opened by the ingest before the captured one appeared. */
  private readonly early: Bound[] = []
  private readonly waiting = new Map<number, SocketLine[]>()
  private readonly later: (run: () => void) => void

  /** `later`: runs when the caller has returned. */
  constructor(later: (run: () => void) => void) {
    this.later = later
  }

  readonly open: OpenSocket = (_url, _headers, events) => {
    const mine: Bound = { events, isClosed: false }
    const socket = this.captured.shift()
    if (socket === undefined) this.early.push(mine)
    // Its owner must have the connection before its first event.
    else this.later(() => this.bind(socket, mine))
    return {
      send: () => undefined,
      bufferedBytes: () => 0,
      close: () => {
        if (mine.isClosed) return
        mine.isClosed = true
        const i = this.early.indexOf(mine)
        if (i >= 0) this.early.splice(i, 1)
        events.closed('closed by us')
      },
    }
  }

  /** The capture has a new connection. */
  connect(socket: number): void {
    const mine = this.early.shift()
    if (mine === undefined) this.captured.push(socket)
    else this.bound.set(socket, mine)
  }

  /** It was open when the capture began. */
  connectOpen(socket: number): void {
    this.waiting.set(socket, [{ type: 'open', socket }])
    this.captured.push(socket)
  }

  take(line: SocketLine): void {
    const mine = this.bound.get(line.socket)
    if (mine !== undefined) {
      this.deliver(mine, line)
      return
    }
    const lines = this.waiting.get(line.socket) ?? []
    this.waiting.set(line.socket, lines)
    if (lines.length < waitingMax) lines.push(line)
    else this.unplayed++
  }

  /** The captured connection has ended. One that the ingest has not opened here by now is passed over. */
  ended(socket: number): void {
    const i = this.captured.indexOf(socket)
    if (i < 0) return
    this.captured.splice(i, 1)
    this.unplayed += framesIn(this.waiting.get(socket) ?? [])
    this.waiting.delete(socket)
  }

  /** Frames that still wait for a connection. */
  get left(): number {
    let left = 0
    for (const lines of this.waiting.values()) left += framesIn(lines)
    return left
  }

  private bind(socket: number, mine: Bound): void {
    this.bound.set(socket, mine)
    const lines = this.waiting.get(socket) ?? []
    this.waiting.delete(socket)
    for (const line of lines) this.deliver(mine, line)
  }

  private deliver(mine: Bound, line: SocketLine): void {
    const { events } = mine
    if (mine.isClosed) {
      if (line.type === 'frame') this.unplayed++
    } else if (line.type === 'open') events.opened()
    else if (line.type === 'frame') {
      this.frames++
      events.frame(bytesOf(line))
    } else {
      mine.isClosed = true
      events.closed(line.reason)
    }
  }
}

const framesIn = (lines: readonly SocketLine[]): number => lines.filter(({ type }) => type === 'frame').length
