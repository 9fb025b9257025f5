// Makes the execution lanes of this deployment: each with its own client and sender, the operator's addresses, and the catalog.
import { randomBytes, randomUUID } from 'node:crypto'
import type { Catalog } from '#catalog/catalog'
import type { Config } from '#config'
import { type ArmedLane, createLaneCatalog } from '#executions/index'
import type { Clock } from '#lib/clock'
import { FairGate } from '#lib/fairGate'
import type { Log } from '#lib/log'
import { countSends } from '#net/countedSender'
import { createHttpClient } from '#net/httpClient'
import { createHttpSender } from '#net/httpSender'
import type { Lane } from '#venues/lane'
import { lanes as builtLanes } from '#venues/registry'
import { type Budgets, openBudgets } from './budgets.ts'

/**
 * Signatures with callers' keys, and checks of theirs. They take milliseconds each, on a pool of threads that files and names share. A burst of
 * orders waits here for a second at most.
 */
const heavyLimits = { inAll: 2, perKey: 1, waitingInAll: 2_048, waitingPerKey: 512 }

export interface RunningLanes {
  known: Lane[]
  armed: Map<string, ArmedLane>
  close(): Promise<void>
}

export function openLanes(
  config: Config,
  catalog: Pick<Catalog, 'findOutcomes' | 'findMarket'>,
  { clock, log, budgets = openBudgets(config) }: { clock: Clock; log: Log; budgets?: Budgets },
): RunningLanes {
  const known = Object.values(builtLanes)
  const sender = createHttpSender()
  const clients: { close(): Promise<void> }[] = [sender]
  const gate = new FairGate(heavyLimits)
  const armed = new Map<string, ArmedLane>()
  for (const lane of known.filter(({ slug, defaultOff }) => config.lanes.get(slug) ?? defaultOff !== true)) {
    const purse = 'callers'
    const http = createHttpClient({ venue: lane.slug, budgets: budgets(lane.slug), urgent: true, purse })
    const counted = countSends(sender, budgets(lane.slug), purse)
    clients.push(http)
    const fixed = {
      http,
      clock,
      log: log.child({ lane: lane.slug }),
      urls: Object.fromEntries(
        Object.entries(lane.urls).map(([name, url]) => [name, config.venueSetting(lane.slug, `${name}_URL`) ?? url]),
      ),
      catalog: createLaneCatalog(catalog, lane.slug),
      randomBytes: (length: number) => randomBytes(length),
      randomUuid: () => randomUUID(),
    }
    const context: ArmedLane['context'] = (signal, accountId) => ({
      ...fixed,
      sender: { send: (request) => counted.send({ ...request, account: accountId }) },
      heavy: (work) => gate.run(accountId, work),
      signal,
    })
    const blockedCountries = [...lane.blockedCountries, ...(config.laneCountries.get(lane.slug) ?? [])]
    armed.set(lane.slug, { lane: { ...lane, blockedCountries }, context })
  }
  return {
    known,
    armed,
    async close() {
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}
