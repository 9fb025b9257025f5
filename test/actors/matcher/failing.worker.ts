// A matcher's thread that dies in its first run.
import type { MessagePort } from 'node:worker_threads'

export default function failing({ port }: { port: MessagePort }): Promise<void> {
  return new Promise((_, reject) => {
    port.on('message', (message: { kind: string }) => {
      if (message.kind === 'run') reject(new Error('out of memory'))
      else port.postMessage({ kind: 'done' })
    })
  })
}
