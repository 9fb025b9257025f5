// A writer of history that crashes on a page of thirteen rows.
import type { MessagePort } from 'node:worker_threads'
import writeLines, { type LinesMessage } from '#workers/rowEncoderTask'

export default function faulty({ port }: { port: MessagePort }): Promise<void> {
  port.on('message', (message: LinesMessage) => {
    if (message.kind === 'write' && message.job?.limit === 13) process.exit(1)
  })
  return writeLines({ port })
}
