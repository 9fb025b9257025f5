import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { RpcWorker, waitingMax } from '#workers/rpcWorker'

const silent = fileURLToPath(new URL('./silent.worker.ts', import.meta.url))

it('refuses a request when too many wait, and fails those that wait when the thread is terminated', async () => {
  const worker = new RpcWorker<{ kind: 'ask' }, { kind: 'answer' }>('the thread', silent)
  const waiting = Array.from({ length: waitingMax }, () => worker.ask({ kind: 'ask' }))
  const outcomes = Promise.allSettled(waiting)
  await expect(worker.ask({ kind: 'ask' })).rejects.toThrow('the thread has 1000 requests waiting')
  worker.abort()
  expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']))
  const next = worker.ask({ kind: 'ask' })
  expect(worker.generation).toBe(2)
  const failed = expect(next).rejects.toThrow('the thread was stopped')
  await worker.stop()
  await failed
})
