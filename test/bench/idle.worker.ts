// A thread that does nothing but notice when it was not let run: what the machine itself adds to a pause. Any message asks for the longest
// pause since the last one, in milliseconds; `p99` for the one that 99 of 100 did not exceed.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parentPort } from 'node:worker_threads'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
parentPort!.on('message', (asked: unknown) => {
  parentPort!.postMessage((asked === 'p99' ? delay.percentile(99) : delay.max) / 1e6)
  delay.reset()
})
