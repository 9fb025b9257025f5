// The tape's engine as it answers a connection of its own: readers of long replays may hold all the others.
import { request } from 'undici'
import type { Probe } from '../probe.ts'

/** `storeUrl`: with user, password and database where there are some. */
export function probeEngine(storeUrl: string): Probe {
  const url = new URL('/ping', storeUrl)
  url.username = ''
  url.password = ''
  return {
    part: 'engine',
    async ask(signal) {
      const { statusCode, body } = await request(url, { signal, reset: true })
      await body.dump()
      if (statusCode !== 200) throw new Error(`the engine answered ${statusCode}`)
    },
    close: async () => undefined,
  }
}
