// The lanes of paper accounts: one for every lane of this version of which the deployment serves the venue, whether or not it is armed for
// live accounts.
import { randomBytes, randomUUID } from 'node:crypto'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { Catalog } from '#marketData/catalog/catalog'
import { type ConditionalAdapter, createLaneCatalog } from '#orders/executions/index'
import type { PaperTrading } from '#paper/accounts/ports'
import { createPaperLane, refusingClient, refusingSender } from '#paper/lane/index'
import type { ExecutionAdapter } from '#venues/lane'
import { lanes } from '#venues/registry'
import { settingsOf, urlsOf } from './lanes.ts'

export interface PaperLanesOptions {
  config: Config
  catalog: Pick<Catalog, 'findOutcomes' | 'findMarket'>
  trading: PaperTrading
  clock: Clock
  log: Log
}

export function openPaperLanes({ config, catalog, trading, clock, log }: PaperLanesOptions) {
  const opened = new Map<string, ConditionalAdapter>()
  for (const lane of Object.values(lanes)) {
    if (!config.venues.includes(lane.slug)) continue
    const fixed = {
      http: refusingClient,
      sender: refusingSender,
      clock,
      log: log.child({ lane: lane.slug, paper: true }),
      urls: urlsOf(config, { slug: lane.slug, urls: lane.urls }),
      settings: { ...paperSettingsOf(lane), ...settingsOf(config, lane) },
      catalog: createLaneCatalog(catalog, lane.slug),
      // No signature is made or checked.
      heavy: async <T>(work: () => T | Promise<T>) => work(),
      randomBytes: (length: number) => randomBytes(length),
      randomUuid: () => randomUUID(),
    }
    const context: ConditionalAdapter['context'] = (signal, accountId) => ({ ...fixed, signal, paper: { accountId } })
    opened.set(lane.slug, { lane: createPaperLane(lane, trading), context })
  }
  return opened
}

const paperSettingsOf = ({ settings = {} }: ExecutionAdapter): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, { onPaper }]) =>
      onPaper === undefined ? [] : [[name, onPaper] as const],
    ),
  )
