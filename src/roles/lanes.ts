// Creates the execution lanes of this deployment: each with its own client and sender, the operator's addresses, and the
// catalog.
import { randomBytes, randomUUID } from 'node:crypto'
import { type Config, venueVariable } from '#config'
import type { Clock } from '#core/clock'
import { FairSemaphore } from '#core/fairSemaphore'
import type { Log } from '#core/log'
import type { Catalog } from '#marketData/catalog/catalog'
import { createHttpClient } from '#net/httpClient'
import { createHttpSender } from '#net/httpSender'
import { meterSender } from '#net/meteredSender'
import { type ConditionalAdapter, type ConditionalPreview, createLaneCatalog } from '#orders/executions/index'
import { refusingClient, refusingSender } from '#paper/lane/noRequests'
import { readingPaperFills } from '#paper/lane/paperFill'
import { isPaperAccount } from '#schemas/paper'
import type { ExecutionAdapter, LaneContext, StatusLane } from '#venues/lane'
import { lanes as builtLanes, statusLanes } from '#venues/registry'
import { hasNodes, nodesOf } from '#venues/shared/evm'
import { type Budgets, openBudgets } from './budgets.ts'
import { warnMisconfiguredNodes } from './nodes.ts'

/**
 * Signing with callers' keys, and verifying their signatures. Each takes milliseconds, on a thread pool shared with file and name lookups. A
 * burst of orders waits here for at most a second.
 */
const heavyLimits = {
  inAll: 2,
  perKey: 1,
  waitingInAll: 2_048,
  waitingPerKey: 512,
  refusal: 'too many signatures are waiting to be made or checked',
}

export interface RunningLanes {
  known: ExecutionAdapter[]
  armed: Map<string, ConditionalAdapter>
  /** Why the others are not. */
  unarmed: Map<string, string>
  /** Of venues at which nothing is built. */
  status: Map<string, ConditionalPreview>
  close(): Promise<void>
}

interface LanesOptions {
  clock: Clock
  log: Log
  budgets?: Budgets
  /** Reads a venue's market as it is now; undefined where the venue is not read here. */
  currentMarket?: (venue: string) => LaneContext['catalog']['current']
}

export function openLanes(
  config: Config,
  catalog: Pick<Catalog, 'findOutcomes' | 'findMarket'> & Partial<Pick<Catalog, 'findEvents'>>,
  { clock, log, budgets = openBudgets(config), currentMarket }: LanesOptions,
): RunningLanes {
  // The fills of paper accounts are read with the lanes of the version, like all others.
  const known = Object.values(builtLanes).map(readingPaperFills)
  const sender = createHttpSender(config)
  const clients: { close(): Promise<void> }[] = [sender]
  const gate = new FairSemaphore(heavyLimits)
  const armed = new Map<string, ConditionalAdapter>()
  const unarmed = new Map<string, string>()
  const abort = new AbortController()
  const contextOf = (lane: Addressed, settings: LaneContext['settings']) => {
    const purse = 'callers'
    const http = createHttpClient({
      venue: lane.slug,
      budgets: budgets(lane.slug),
      urgent: true,
      purse,
      contactUrl: config.contactUrl,
    })
    const counted = meterSender(sender, budgets(lane.slug), purse)
    clients.push(http)
    const fixed = {
      http,
      clock,
      log: log.child({ lane: lane.slug }),
      urls: urlsOf(config, lane),
      settings,
      catalog: createLaneCatalog(catalog, lane.slug, currentMarket?.(lane.slug)),
      randomBytes: (length: number) => randomBytes(length),
      randomUuid: () => randomUUID(),
    }
    const context: ConditionalAdapter['context'] = (signal, accountId) => ({
      ...fixed,
      // A paper account has lanes of its own. If one is used here by mistake, its requests are refused.
      ...(isPaperAccount(accountId) && { http: refusingClient, paper: { accountId } }),
      sender: isPaperAccount(accountId)
        ? refusingSender
        : { send: (request) => counted.send({ ...request, account: accountId }) },
      heavy: (work) => gate.run(accountId, work),
      signal,
    })
    return { fixed, context }
  }
  const status = new Map(
    statusLanes.map((lane) => [lane.slug as string, { lane, context: contextOf(lane, {}).context }] as const),
  )
  for (const lane of known) {
    const why = disabledReason(config, lane)
    if (why !== null) {
      unarmed.set(lane.slug, why)
      continue
    }
    const { fixed, context } = contextOf(lane, settingsOf(config, lane))
    const blockedCountries = [...lane.blockedCountries, ...(config.laneCountries.get(lane.slug) ?? [])]
    const settlementOnly = config.lanes.get(lane.slug) === 'settlement' && { settlementOnly: true as const }
    armed.set(lane.slug, { lane: { ...lane, ...settlementOnly, blockedCountries }, context })
    if (lane.chain !== undefined && hasNodes(fixed)) {
      void warnMisconfiguredNodes(nodesOf(fixed, lane.slug, lane.chain.id), fixed.log, abort.signal)
    }
  }
  return {
    known,
    armed,
    unarmed,
    status,
    async close() {
      abort.abort()
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

/** Null: it is armed. */
export function disabledReason(
  config: Pick<Config, 'lanes' | 'venueSetting' | 'venues'>,
  {
    slug,
    defaultOff,
    settings = {},
    chain,
    redeem,
  }: Pick<ExecutionAdapter, 'slug' | 'defaultOff' | 'settings' | 'chain' | 'redeem'>,
): string | null {
  const setting = config.lanes.get(slug)
  if (setting === false) return `${venueVariable(slug, 'LANE')} is false`
  if (setting === 'settlement' && redeem === undefined) return 'settlement is not supported'
  // Open orders at a venue no longer served can still be cancelled, if its operator enables it.
  if (setting === undefined && !config.venues.includes(slug)) return `VENUES does not name ${slug}`
  if (setting === undefined && defaultOff === true) return `off by default: set ${venueVariable(slug, 'LANE')}=true`
  const needed = Object.entries(settings).flatMap(([name, { needed }]) => (needed === true ? [name] : []))
  const missing = [...needed, ...(chain?.needed === true ? ['RPC_URL'] : [])].filter(
    (name) => config.venueSetting(slug, name) === undefined,
  )
  if (missing.length === 0) return null
  const wanted = missing.map((name) => {
    const is = settings[name]?.is
    return venueVariable(slug, name) + (is === undefined ? '' : ` (${is})`)
  })
  return `it needs ${wanted.join(' and ')}`
}

type Addressed = Pick<ExecutionAdapter | StatusLane, 'slug' | 'urls'> & Pick<ExecutionAdapter, 'chain'>

export function urlsOf(config: Config, { slug, urls, chain }: Addressed): Record<string, string> {
  const node = chain && config.venueSetting(slug, 'RPC_URL')
  const own = Object.entries(urls).map(([name, url]) => [name, config.venueSetting(slug, `${name}_URL`) ?? url])
  return { ...Object.fromEntries(own), ...(node === undefined ? {} : { RPC: node }) }
}

export const settingsOf = (config: Config, { slug, settings = {} }: ExecutionAdapter): Record<string, string> =>
  Object.fromEntries(
    Object.keys(settings).flatMap((name) => {
      const value = config.venueSetting(slug, name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
