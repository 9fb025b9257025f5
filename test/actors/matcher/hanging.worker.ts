// A matcher's thread that never responds to its first run.
import type { MessagePort } from 'node:worker_threads'

export default function hanging({ port }: { port: MessagePort }): Promise<void> {
  return new Promise(() => {
    port.on('message', (message: { kind: string }) => {
      // Endless, like a comparison of hostile text could be.
      while (message.kind === 'run');
      port.postMessage({ kind: 'done' })
    })
  })
}
