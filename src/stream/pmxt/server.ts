// Serves the older API family's socket protocol on top of our stream: the same keys, limits and books.
import type { Clock } from '#core/clock'
import { clientMessages } from '../server.ts'
import type { StreamServer } from '../socket.ts'
import { PmxtConnection } from './connection.ts'

export const olderStream = (stream: StreamServer, clock: Pick<Clock, 'monotonic'>): StreamServer => ({
  open(socket, bearer) {
    const connection = new PmxtConnection(socket, clock, clientMessages)
    // Its protocol has no message for a key: a key must be sent when connecting.
    return connection.attach(stream.open(connection, bearer ?? ''))
  },
  stop: () => stream.stop(),
})
