// A thread that answers no request, and ends when it is asked to.
import type { MessagePort } from 'node:worker_threads'

export default function silent({ port }: { port: MessagePort }): Promise<void> {
  return new Promise((resolve) => {
    port.on('message', ({ kind }: { kind: string }) => {
      if (kind !== 'stop') return
      port.close()
      resolve()
    })
  })
}
