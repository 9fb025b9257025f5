// Prints the young memory of a usual thread and of one that is given more.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { MessageChannel } from 'node:worker_threads'
import { LongLivedWorker } from '#workers/pool'

const filename = fileURLToPath(new URL('./churn.worker.ts', import.meta.url))
const sizes: number[] = []
for (const survivors of [undefined, 32]) {
  const worker = new LongLivedWorker({ filename, survivors })
  const { port1, port2 } = new MessageChannel()
  worker.run({ port: port2 }, [port2], () => port1.close())
  sizes.push(...((await once(port1, 'message')) as [number]))
  await worker.close()
}
process.stdout.write(JSON.stringify(sizes))
