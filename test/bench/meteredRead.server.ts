// Child process of the metered-read bench: one real gateway with the whole pipeline in front of a live book, with or without key, rate
// limit and credits; reports the CPU time of its work.

import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createKey } from '#platform/auth/keys'
import { createPostgresKeyVerifier } from '#platform/auth/postgresVerifier'
import { CreditMeter } from '#platform/credits/meter'
import { plansWith } from '#platform/plans/plans'
import { routes } from '#roles/routes'
import { startGateway } from '#server/gateway/gateway'
import type { HttpHandler } from '#server/http/contract'
import { createCreditStore } from '#storage/postgres/credits/store'
import { createPool } from '#storage/postgres/pool'
import { createWorld, liveBook, longId } from '../src/server/http/world.ts'

export interface MeteredServerReport {
  /** Of the first message. */
  ports?: { metered: number; plain: number }
  key?: string
  path?: string
  /** User and system time since the last report, microseconds. */
  cpuUs?: number
}

const requestsPerMinute = 1_000_000_000
const creditsPerMonth = 1_000_000_000
const plans = plansWith({ free: { requestsPerMinute, creditsPerMonth } })
const levels = Array.from({ length: 13 }, (_, i): [number, number] => [0.3 - i / 100, 10 + i])
const asks = Array.from({ length: 13 }, (_, i): [number, number] => [0.4 + i / 100, 10 + i])
const ignore = () => undefined
const silent = { open: () => ({ message: ignore, drained: ignore, closed: ignore }), stop: async () => undefined }

const pool = createPool({ url: process.argv[2]!, log: silentLog })
const { apiKey } = await createKey(pool, { account: 'bench', plan: 'free', scopes: ['read'] })
const meter = new CreditMeter({ store: createCreditStore(pool), plans, clock: systemClock, log: silentLog })
const verifier = createPostgresKeyVerifier(pool, { clock: systemClock, log: silentLog })

async function serve(http: HttpHandler): Promise<number> {
  return (await startGateway({ host: '127.0.0.1', port: 0, http, stream: silent })).port
}
/** A separate world for each, so that neither warms the other's caches. */
function worldWith(options: Parameters<typeof createWorld>[0]): HttpHandler {
  const world = createWorld(options)
  world.cache.apply(liveBook('polymarket', longId, { bids: levels, asks }))
  return world.handler
}
const open = routes.map((route) => ({ ...route, access: 'public' as const }))

let cpu = process.cpuUsage()
const sendReport = (report: MeteredServerReport): void => void process.send!(report)
// The bench has ended.
process.on('disconnect', () => process.exit(0))
process.on('message', () => {
  const { user, system } = process.cpuUsage(cpu)
  cpu = process.cpuUsage()
  sendReport({ cpuUs: user + system })
})
sendReport({
  ports: {
    metered: await serve(worldWith({ verifier, plans, credits: meter })),
    plain: await serve(worldWith({ routes: open })),
  },
  key: apiKey,
  path: `/api/polymarket/fetchOrderBook?outcomeId=${longId}`,
})
