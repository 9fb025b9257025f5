// Every TCP connection that this process begins, as reported by the platform, whichever library connects.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

export interface DialTrace {
  /** `address:port` of every attempt, names already resolved. */
  dialled: string[]
  stop(): void
}

export function traceDials(): DialTrace {
  const dialled: string[] = []
  const onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (ip: string, port: number) => dialled.push(`${ip}:${port}`))
  }
  subscribe('net.client.socket', onSocket)
  return { dialled, stop: () => unsubscribe('net.client.socket', onSocket) }
}
