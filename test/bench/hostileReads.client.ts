// Clients of the bench of large reads: each sends a request, waits for its response and sends the next.
import { connect, type Socket } from 'node:net'

export interface ReadLoop {
  /** Milliseconds of each response since this was last cleared. */
  taken: number[]
  /** Responses other than 200. */
  refused: number
  stop(): void
}

export function requestOf(path: string, key: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`)
}

/** `pauseMs` between a response and the next request. */
export async function readAgain(port: number, request: Buffer, pauseMs = 0): Promise<ReadLoop> {
  const socket = await open(port)
  let sentAt = 0
  let left = 0
  let head = ''
  let stopped = false
  const sendRequest = (): void => {
    sentAt = performance.now()
    if (!stopped) socket.write(request)
  }
  const loop: ReadLoop = {
    taken: [],
    refused: 0,
    stop() {
      stopped = true
      socket.destroy()
    },
  }
  socket.on('data', (chunk: Buffer) => {
    if (left > 0) left -= chunk.byteLength
    else {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      left = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (head.length - end - 4)
      if (!head.startsWith('HTTP/1.1 200')) loop.refused++
      head = ''
    }
    if (left > 0) return
    loop.taken.push(performance.now() - sentAt)
    if (pauseMs === 0) sendRequest()
    else setTimeout(sendRequest, pauseMs)
  })
  sendRequest()
  return loop
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
