// A thread that leaves garbage and some that stays, and reports how large its young memory has become, in MB.

import { getHeapSpaceStatistics } from 'node:v8'
import type { MessagePort } from 'node:worker_threads'

export default function churn({ port }: { port: MessagePort }): void {
  let kept: object[] = []
  for (let each = 0; each < 4_000_000; each++) {
    if (kept.push({ each }) === 400_000) kept = []
  }
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  port.postMessage((young?.space_size ?? 0) / 2 ** 20)
  port.close()
}
