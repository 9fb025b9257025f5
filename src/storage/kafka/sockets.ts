// The sockets of every Kafka client. A half-open connection (the other side is gone, or a middlebox dropped its state) accepts requests and
// answers none. kafkajs then gives up the request but keeps the connection and sends the next one into it, forever. So a connection with an
// unanswered request that has sent nothing for some seconds is ended here; kafkajs opens another.
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ISocketFactory } from 'kafkajs'
import type { Clock, Timer } from '#core/clock'

/** Longest silence of a broker with an unanswered request. Produce and fetch requests ask for less. */
export const silentMs = 5_000
const keepAliveMs = 10_000
/** The broker answers these when the other members of the group have joined, or their sessions are over … */
const heldRequests: ReadonlySet<number> = new Set([11, 14])
/** … which takes less than this. */
export const heldMs = 20_000

export function createSocketFactory(clock: Pick<Clock, 'after'>): ISocketFactory {
  return ({ host, port, ssl, onConnect }) => {
    const socket: Socket =
      ssl === undefined || ssl === null
        ? connect({ host, port }, onConnect)
        : connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ...ssl }, onConnect)
    socket.setKeepAlive(true, keepAliveMs)
    endWhenSilent(socket, clock)
    return socket
  }
}

/** Requests and answers alike are `i32 length | bytes`; kafkajs writes one request at a time. */
function endWhenSilent(socket: Socket, clock: Pick<Clock, 'after'>): void {
  let unanswered = 0
  let held = 0
  let timer: Timer | null = null
  const answers = new FrameCounter()

  const watch = (): void => {
    timer?.cancel()
    timer = null
    if (unanswered === 0) return
    const withinMs = held > 0 ? heldMs : silentMs
    timer = clock.after(withinMs, () => socket.destroy(new Error(`the broker has not answered for ${withinMs} ms`)))
  }
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
  socket.write = (...given: unknown[]): boolean => {
    const [bytes] = given
    unanswered++
    const isHeld = Buffer.isBuffer(bytes) && bytes.length >= 6 && heldRequests.has(bytes.readInt16BE(4))
    if (isHeld) held++
    // Other requests that follow do not extend the wait for the first answer.
    if (timer === null || isHeld) watch()
    return write(...given)
  }
  socket.on('data', (bytes: Buffer) => {
    unanswered = Math.max(0, unanswered - answers.count(bytes))
    if (unanswered === 0) held = 0
    watch()
  })
  socket.on('close', () => timer?.cancel())
}

/** Counts the frames of a stream that are complete. */
class FrameCounter {
  private readonly head = Buffer.alloc(4)
  private headBytes = 0
  private bodyBytes = 0

  count(bytes: Buffer): number {
    let frames = 0
    for (let at = 0; at < bytes.length; ) {
      if (this.headBytes < 4) {
        this.head[this.headBytes++] = bytes[at++]!
        if (this.headBytes < 4) continue
        this.bodyBytes = Math.max(0, this.head.readInt32BE(0))
      } else {
        const taken = Math.min(this.bodyBytes, bytes.length - at)
        this.bodyBytes -= taken
        at += taken
      }
      if (this.bodyBytes === 0) {
        frames++
        this.headBytes = 0
      }
    }
    return frames
  }
}
