// Child process of the bench of large reads: the connections of one key. Receiving these responses in the bench's own process would delay
// the callers that are timed.
import { type ReadLoop, readAgain, requestOf } from './hostileReads.client.ts'

export interface ReadLoadCommand {
  port: number
  path: string
  key: string
  /** Zero stops the requests. */
  connections: number
}

export interface ReadLoadReport {
  answered: number
  refused: number
}

let loops: ReadLoop[] = []
const report = (): void => {
  const sum = (of: (loop: ReadLoop) => number): number => loops.reduce((total, loop) => total + of(loop), 0)
  process.send!({ answered: sum(({ taken }) => taken.length), refused: sum(({ refused }) => refused) })
}

// The bench has ended.
process.on('disconnect', () => process.exit(0))
process.on('message', async ({ port, path, key, connections }: ReadLoadCommand) => {
  if (connections > 0)
    loops = await Promise.all(Array.from({ length: connections }, () => readAgain(port, requestOf(path, key))))
  else for (const loop of loops) loop.stop()
  report()
})
