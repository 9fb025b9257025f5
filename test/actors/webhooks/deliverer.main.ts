// A process that delivers, and stops at a named point until it is killed.

import { start } from '#actors/system'
import { spawnDeliveries } from '#actors/webhooks/deliveryActor'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createPinnedSender } from '#net/ipPinnedSender'
import { createGuard, createSecretBox } from '#platform/webhooks/index'
import { webhookEvents } from '#schemas/webhooks'
import { createPool } from '#storage/postgres/pool'
import { createDeliveryStore } from '#storage/postgres/webhooks/store'

const [databaseUrl, allowed, stopAt] = process.argv.slice(2) as [string, string, string]
const point = async (name: string): Promise<void> => {
  if (name !== stopAt) return
  process.stdout.write(`at ${name}\n`)
  await new Promise(() => setInterval(() => undefined, 1_000))
}
const store = createDeliveryStore(createPool({ url: databaseUrl, log: silentLog, connectionsMax: 4 }))
const sender = createPinnedSender()
spawnDeliveries(start(), {
  store: {
    ...store,
    async fanOut(given) {
      await point('beforeFanOut')
      const fanned = await store.fanOut(given)
      if (fanned.taken > 0) await point('afterFanOut')
      return fanned
    },
    async claim(given) {
      const claimed = await store.claim(given)
      if (claimed.length > 0) await point('afterClaim')
      return claimed
    },
    async mark(mark) {
      await point('beforeMark')
      const marked = await store.mark(mark)
      await point('afterMark')
      return marked
    },
  },
  attempt: {
    guard: createGuard({ resolve: async () => [], allowed: new Set([allowed]) }),
    sender: {
      async post(request) {
        await point('beforeSend')
        return sender.post(request)
      },
    },
    box: createSecretBox(Buffer.alloc(32, 3)),
    clock: systemClock,
  },
  deliverable: webhookEvents,
  clock: systemClock,
  log: silentLog,
})
