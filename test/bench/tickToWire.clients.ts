// Subscribers of the tick-to-wire bench: raw TCP clients, because a WebSocket library would cost more per frame than the measured server.
import { connect, type Socket } from 'node:net'
import { clientFrame } from '#test/src/server/gateway/clientFrame'

export const token = '71321045679252212594626385532706912750332728571942532289631379312455583992563'

const readBuffer = Buffer.alloc(256 * 1024)

export interface Subscriber {
  socket: Socket
  first: Promise<void>
  onFrames: (chunk: Buffer) => void
}

export async function subscribe(url: string, count: number): Promise<Subscriber[]> {
  const port = Number(new URL(url).port)
  const op = Buffer.from(
    JSON.stringify({ op: 'subscribe', channel: 'orderbook', venue: 'polymarket', marketId: token }),
  )
  return Promise.all(
    Array.from({ length: count }, async () => {
      let subscriber: Subscriber | null = null
      let first: () => void = () => undefined
      let upgraded: () => void = () => undefined
      const ready = new Promise<void>((resolve) => {
        upgraded = resolve
      })
      // Reads share one buffer: 64 KiB allocated per read would make garbage collection part of the measurement.
      const callback = (bytes: number, buffer: Uint8Array): boolean => {
        upgraded()
        const chunk = (buffer as Buffer).subarray(0, bytes)
        if (chunk.includes('"data":')) first()
        subscriber?.onFrames(chunk)
        return true
      }
      const socket = connect({ port, host: '127.0.0.1', onread: { buffer: readBuffer, callback } })
      socket.setNoDelay(true)
      socket.write(
        `GET /v1/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\nAuthorization: Bearer bench\r\n\r\n`,
      )
      await ready
      const seen = new Promise<void>((resolve) => {
        first = resolve
      })
      subscriber = { socket, first: seen, onFrames: () => undefined }
      socket.write(clientFrame(op))
      return subscriber
    }),
  )
}
