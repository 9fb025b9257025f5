// A thread that does nothing but notice when it was not scheduled: the pause that the machine itself causes. Any message requests the
// longest pause since the previous one, in milliseconds; `p99` requests the 99th percentile.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parentPort } from 'node:worker_threads'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
parentPort!.on('message', (query: unknown) => {
  parentPort!.postMessage((query === 'p99' ? delay.percentile(99) : delay.max) / 1e6)
  delay.reset()
})
