// Child process of the fan-out and HTTP benches: many raw TCP clients that only count what arrives.
import { connect, type Socket } from 'node:net'
import { clientFrame } from '../src/server/gateway/clientFrame.ts'

export type LoadOrder =
  | { kind: 'stream'; port: number; sockets: number; markets: number }
  | { kind: 'http'; port: number; key: string; sockets: number; requests: number }
  | { kind: 'count' }
export interface LoadReport {
  ready?: boolean
  /** Text frames since the last count. */
  frames?: number
  responses?: number
  seconds?: number
}

let frames = 0
const sendReport = (report: LoadReport): void => void process.send!(report)

/** Counts text frames of one socket across chunk borders. */
class FrameCounter {
  private skip = 0
  private head: number[] = []

  take(bytes: Buffer, from: number, length: number): void {
    let at = from
    while (at < length) {
      if (this.skip > 0) {
        const step = Math.min(this.skip, length - at)
        this.skip -= step
        at += step
        continue
      }
      this.head.push(bytes[at++]!)
      const short = this.head[1]
      if (short === undefined || (short === 126 && this.head.length < 4)) continue
      this.skip = short === 126 ? (this.head[2]! << 8) | this.head[3]! : short
      if ((this.head[0]! & 0x0f) === 1) frames++
      this.head = []
    }
  }
}

const shared = Buffer.alloc(256 * 1024)

function openStream(port: number, markets: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const counter = new FrameCounter()
    let head = ''
    const socket = connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer: shared,
        callback: (length, buffer) => {
          const bytes = buffer as Buffer
          let from = 0
          if (!head.includes('\r\n\r\n')) {
            const before = head.length
            head += bytes.toString('latin1', 0, length)
            const end = head.indexOf('\r\n\r\n')
            if (end < 0) return true
            from = end + 4 - before
            for (let market = 0; market < markets; market++) {
              const op = { op: 'subscribe', channel: 'orderbook', venue: 'test', marketId: `m${market}` }
              socket.write(clientFrame(Buffer.from(JSON.stringify(op))))
            }
            resolve(socket)
          }
          counter.take(bytes, from, length)
          return true
        },
      },
    })
    socket.on('error', reject)
    socket.write(
      'GET /v1/stream HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer good\r\n\r\n',
    )
  })
}

/** Keep-alive requests, one at a time per socket; all responses are as long as the first. */
function readHttp(port: number, key: string, sockets: number, requests: number): Promise<number> {
  const request = `GET /api/test/fetchOrderBook?outcomeId=m HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nAccept: */*\r\nUser-Agent: bench\r\n\r\n`
  let left = requests
  let answered = 0
  let size = 0
  const started = process.hrtime.bigint()
  return new Promise((resolve, reject) => {
    for (let i = 0; i < sockets; i++) {
      let got = 0
      const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request))
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        if (size === 0) {
          const text = chunk.toString('latin1')
          if (!text.startsWith('HTTP/1.1 200')) reject(new Error(text.slice(0, 200)))
          size = text.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/i.exec(text)![1])
        }
        got += chunk.length
        if (got < size) return
        got -= size
        answered++
        if (answered === requests) resolve(Number(process.hrtime.bigint() - started) / 1e9)
        if (--left >= sockets) socket.write(request)
        else socket.end()
      })
    }
  })
}

process.on('message', async (order: LoadOrder) => {
  if (order.kind === 'count') {
    sendReport({ frames })
    frames = 0
  } else if (order.kind === 'stream') {
    for (let opened = 0; opened < order.sockets; opened += 100) {
      await Promise.all(Array.from({ length: 100 }, () => openStream(order.port, order.markets)))
    }
    sendReport({ ready: true })
  } else {
    const seconds = await readHttp(order.port, order.key, order.sockets, order.requests)
    sendReport({ responses: order.requests, seconds })
  }
})
