// Makes a worker fail on demand: a command in shared memory, checked in each of its iterations.
import { workerData } from 'node:worker_threads'

export function sabotage(): () => void {
  // piscina passes its own value next to the given one.
  const given: unknown = Array.isArray(workerData) ? workerData[1] : workerData
  const orders = new Int32Array(given as SharedArrayBuffer)
  return () => {
    const order = Atomics.exchange(orders, 0, 0)
    if (order === 1) throw new Error('sabotage')
    if (order === 3) process.exit(3)
    if (order === 4) Atomics.wait(orders, 1, 0, 1_200)
    if (order === 2) for (;;) Atomics.add(orders, 1, 1)
  }
}
