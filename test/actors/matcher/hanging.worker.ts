// A matcher's thread that never answers its first run.
import type { MessagePort } from 'node:worker_threads'

export default function hanging({ port }: { port: MessagePort }): Promise<void> {
  return new Promise(() => {
    port.on('message', (message: { kind: string }) => {
      // Endless, as a comparison of hostile text would be.
      while (message.kind === 'run');
      port.postMessage({ kind: 'done' })
    })
  })
}
