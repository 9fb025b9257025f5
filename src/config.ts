// The only reader of the environment. Every invalid variable is reported at once; nothing else in the program touches process.env. Larger families of
// variables are read in config/.
import { isIP } from 'node:net'
import { z } from 'zod'
import { arbitrage } from '#config/arbitrage'
import { bridge } from '#config/bridge'
import { conditional } from '#config/conditional'
import { cors } from '#config/cors'
import { contactUrl, countries, flag, list, socketUrl, webUrl, whole } from '#config/envReaders'
import { feeds } from '#config/feeds'
import { geofence } from '#config/geofence'
import { history } from '#config/history'
import { ingestParts } from '#config/ingestParts'
import { kafka, missingForKafka } from '#config/kafka'
import { type LaneArming, laneArming, readOfLanes, venueVariable } from '#config/lanes'
import { olderStream } from '#config/olderStream'
import { operations } from '#config/operations'
import { paper } from '#config/paper'
import { plans } from '#config/plans'
import { rawCapture } from '#config/rawCapture'
import { retention } from '#config/retention'
import { judge, missingForJudge } from '#config/secondOpinion'
import { onePort } from '#config/singlePort'
import { tracing } from '#config/tracing'
import { webhooks } from '#config/webhooks'
import { builtVenues, sandboxVenues } from '#schemas/venues'

export type { LaneArming }
export { venueVariable }

export const roles = ['ingest', 'tape', 'compute', 'gateway', 'jobs'] as const
export type Role = (typeof roles)[number]
export const postgresRoles: readonly Role[] = ['ingest', 'compute', 'gateway', 'jobs']
export const tapeRoles: readonly Role[] = ['tape', 'gateway']

const hostName = /^(?!-)[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?$/
const broker = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/

const isBroker = (text: string): boolean => {
  const port = Number(broker.exec(text)?.[2])
  return port >= 1 && port <= 65_535
}

const Variables = z.object({
  PORT: whole(8080, 0, 65_535),
  HOST: z
    .string()
    .refine((host) => isIP(host) !== 0 || hostName.test(host), 'must be an address or the name of a host')
    .default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('.data'),
  ROLES: z
    .string()
    .default('all')
    .transform((text, context) => list(roles, text, context)),
  VENUES: z
    .string()
    .default('all')
    .transform((text, context) => list<string>(builtVenues, text, context, sandboxVenues)),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  CLICKHOUSE_URL: webUrl.optional(),
  KAFKA_BROKERS: z
    .string()
    .optional()
    .transform((text) =>
      text
        ?.split(',')
        .map((broker) => broker.trim())
        .filter((broker) => broker !== ''),
    )
    .refine(
      (brokers) => brokers === undefined || (brokers.length > 0 && brokers.every(isBroker)),
      'must be a comma list of host:port',
    ),
  ...kafka.shape,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Milliseconds between two fan-out ticks. */
  CROSSBOOK_TICK_MS: whole(2, 1, 100),
  /** How many of a venue's most active markets are always watched and taped. */
  CROSSBOOK_PINNED_MARKETS: whole(50, 0, 5_000),
  /** An upstream subscription without readers is kept this long. */
  CROSSBOOK_IDLE_UNWATCH_MS: whole(30_000, 0, 3_600_000),
  CROSSBOOK_CATALOG_INTERVAL_MS: whole(300_000, 1_000, 86_400_000),
  /** Longest wait between two runs of the matcher; new catalog rows and operators' verdicts do not wait for it. */
  CROSSBOOK_MATCHER_INTERVAL_MS: whole(300_000, 1_000, 86_400_000),
  /** Markets that the matcher compares, some 9 KB each: with more of them, the most active ones of each venue. */
  CROSSBOOK_MATCHER_MARKETS: whole(250_000, 1_000, 2_000_000),
  CROSSBOOK_BOOK_SNAPSHOT_MS: whole(60_000, 1_000, 3_600_000),
  ...history.shape,
  ...retention.shape,
  ...arbitrage.shape,
  ...geofence.shape,
  ...webhooks.shape,
  ...conditional.shape,
  ...paper.shape,
  ...feeds.shape,
  ...bridge.shape,
  ...operations.shape,
  ...tracing.shape,
  ...rawCapture.shape,
  ...ingestParts.shape,
  ...cors.shape,
  ...olderStream.shape,
  ...judge.shape,
  /** The routes of traders, and the record of wallets behind them. */
  CROSSBOOK_TRADERS: flag(false),
  /** The routes of sports, and the engine that builds their fixtures. */
  CROSSBOOK_SPORTS: flag(false),
  /** The route of accounts' open orders. */
  CROSSBOOK_OPEN_ORDERS: flag(false),
  /** The route of venues' figures, and the daily jobs that gather them. */
  CROSSBOOK_VENUE_METRICS: flag(false),
  /** A Polygon node that pushes whole pending transactions: Polymarket's pending fills on the stream. Absent: they are not supported. */
  CROSSBOOK_POLYGON_WS_URL: socketUrl.optional(),
  /** Where a venue reaches the operator; part of the User-Agent of every request and socket. */
  CROSSBOOK_CONTACT_URL: contactUrl,
  /** Lab venues stand in for the real ones. Set by the demo, and by operators who run their own lab behind this. */
  CROSSBOOK_LAB: flag(false),
  /** What this deployment's plans include, where it differs from the table. */
  CROSSBOOK_PLANS: plans,
  CROSSBOOK_GATEWAY_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .optional(),
})

export interface Config {
  /** Overrides of the plan table. */
  plans: z.output<typeof plans>
  port: number
  host: string
  dataDir: string
  roles: ReadonlySet<Role>
  venues: readonly string[]
  databaseUrl: string | undefined
  clickhouseUrl: string | undefined
  kafkaBrokers: readonly string[] | undefined
  kafkaAccess: ReturnType<typeof kafka.read>
  logLevel: string
  tickMs: number
  pinnedMarkets: number
  idleUnwatchMs: number
  catalogIntervalMs: number
  matcherIntervalMs: number
  matcherMarkets: number
  bookSnapshotMs: number
  history: ReturnType<typeof history.read>
  retention: ReturnType<typeof retention.read>
  arbitrage: ReturnType<typeof arbitrage.read>
  /** The operator's setting of an execution lane, by slug: armed, armed for settlement only, or not. A lane not mentioned uses its own default. */
  lanes: ReadonlyMap<string, LaneArming>
  /** Countries from which a lane's orders are refused, in addition to the venue's own list; by slug. */
  laneCountries: ReadonlyMap<string, readonly string[]>
  /** Undefined: no header is trusted for a caller's location. */
  geofence: ReturnType<typeof geofence.read>
  conditional: ReturnType<typeof conditional.read>
  paper: ReturnType<typeof paper.read>
  bridge: ReturnType<typeof bridge.read>
  webhooks: ReturnType<typeof webhooks.read>
  /** Undefined: `/metrics` and `/ready` are only on the gateway's port. */
  operations: ReturnType<typeof operations.read>
  /** Undefined: tracing is off. */
  tracing: ReturnType<typeof tracing.read>
  /** Undefined: raw capture is off. */
  rawCapture: ReturnType<typeof rawCapture.read>
  /** Venues whose markets are split between ingest processes → into how many parts. Without Kafka there is only one process, and nothing is split. */
  ingestParts: ReadonlyMap<string, number>
  cors: ReturnType<typeof cors.read>
  olderStream: ReturnType<typeof olderStream.read>
  /** Undefined: no LLM judge is used. */
  judge: ReturnType<typeof judge.read>
  traders: { enabled: boolean }
  sports: { enabled: boolean }
  feeds: ReturnType<typeof feeds.read>
  openOrders: boolean
  lab: boolean
  venueMetrics: boolean
  /** Of the operator's node; undefined: pending trades are not watched. */
  polygonWsUrl: string | undefined
  /** Sent to venues with every request and socket. */
  contactUrl: string | undefined
  gatewayId: string
  /** What gives a user id without an entry in /etc/passwd a name; the embedded PostgreSQL needs one. Empty: nothing does. */
  nameServiceWrapper: Readonly<Record<string, string>>
  /** npm is killed by signals that it does not forward. */
  startedByNpm: boolean
  /** CROSSBOOK_<VENUE>_<NAME>_URL and other CROSSBOOK_<VENUE>_<NAME> values, read through `venueSetting`. */
  venueSetting(venue: string, name: string): string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>
type WrongOfVenues = (setting: Config['venueSetting']) => readonly string[]

/** Reads and checks. Throws one Error whose message lists every invalid variable. */
export function readConfig(environment: Environment = process.env, wrongOfVenues?: WrongOfVenues): Config {
  const { config, wrong } = checkConfig(environment, wrongOfVenues)
  if (wrong.length > 0) throw new Error(`configuration is wrong:\n${wrong.map((line) => `  ${line}`).join('\n')}`)
  return config
}

/**
 * Every invalid variable, one line each, and the configuration as if those had not been given. `wrongOfVenues` checks the settings whose
 * names only the venues' manifests know.
 */
export function checkConfig(
  environment: Environment = process.env,
  wrongOfVenues: WrongOfVenues = () => [],
): { config: Config; wrong: readonly string[] } {
  const given = Object.fromEntries(
    knownVariables.map((name) => [name, environment[name] === '' ? undefined : environment[name]]),
  )
  const parsed = Variables.safeParse(given)
  const issues = parsed.error?.issues ?? []
  const armed = readOfLanes(environment, 'LANE', laneArming)
  const countriesOf = readOfLanes(environment, 'BLOCKED_COUNTRIES', countries)
  const laneCountries = new Map([...countriesOf.found].filter(([, blocked]) => blocked.length > 0))
  const venueSetting: Config['venueSetting'] = (venue, name) => environment[venueVariable(venue, name)] || undefined
  const wrong = [
    ...issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...armed.wrong,
    ...countriesOf.wrong,
    ...missingForKafka(given),
    ...missingForJudge(given),
    ...missingCompanions(given, laneCountries.size > 0),
    ...((Variables.shape.ROLES.safeParse(given.ROLES).data ?? []).includes('gateway') ? onePort(given) : []),
    ...wrongOfVenues(venueSetting),
  ]
  const sound = { ...given, ...Object.fromEntries(issues.map(({ path }) => [path[0], undefined])) }
  const value = parsed.data ?? Variables.parse(sound)
  const config: Config = {
    plans: value.CROSSBOOK_PLANS,
    port: value.PORT,
    host: value.HOST,
    dataDir: value.DATA_DIR,
    roles: new Set(value.ROLES),
    venues: value.VENUES,
    databaseUrl: value.DATABASE_URL,
    clickhouseUrl: value.CLICKHOUSE_URL,
    kafkaBrokers: value.KAFKA_BROKERS,
    kafkaAccess: kafka.read(value),
    logLevel: value.LOG_LEVEL,
    tickMs: value.CROSSBOOK_TICK_MS,
    pinnedMarkets: value.CROSSBOOK_PINNED_MARKETS,
    idleUnwatchMs: value.CROSSBOOK_IDLE_UNWATCH_MS,
    catalogIntervalMs: value.CROSSBOOK_CATALOG_INTERVAL_MS,
    matcherIntervalMs: value.CROSSBOOK_MATCHER_INTERVAL_MS,
    matcherMarkets: value.CROSSBOOK_MATCHER_MARKETS,
    bookSnapshotMs: value.CROSSBOOK_BOOK_SNAPSHOT_MS,
    history: history.read(value),
    retention: retention.read(value),
    arbitrage: arbitrage.read(value),
    lanes: armed.found,
    laneCountries,
    geofence: geofence.read(value),
    conditional: conditional.read(value),
    paper: paper.read(value),
    bridge: bridge.read(value),
    webhooks: webhooks.read(value),
    operations: operations.read(value),
    tracing: tracing.read(value),
    rawCapture: rawCapture.read(value),
    ingestParts: ingestParts.read(value),
    cors: cors.read(value),
    olderStream: olderStream.read(value),
    judge: judge.read(value),
    traders: { enabled: value.CROSSBOOK_TRADERS },
    sports: { enabled: value.CROSSBOOK_SPORTS },
    feeds: feeds.read(value),
    openOrders: value.CROSSBOOK_OPEN_ORDERS,
    lab: value.CROSSBOOK_LAB,
    venueMetrics: value.CROSSBOOK_VENUE_METRICS,
    polygonWsUrl: value.CROSSBOOK_POLYGON_WS_URL,
    contactUrl: value.CROSSBOOK_CONTACT_URL,
    gatewayId: value.CROSSBOOK_GATEWAY_ID ?? `gw-${process.pid}-${Math.random().toString(36).slice(2, 8)}`,
    nameServiceWrapper: Object.fromEntries(
      ['LD_PRELOAD', 'NSS_WRAPPER_PASSWD', 'NSS_WRAPPER_GROUP'].flatMap((name) =>
        environment[name] ? [[name, environment[name]]] : [],
      ),
    ),
    startedByNpm: environment.npm_lifecycle_event !== undefined,
    venueSetting,
  }
  return { config, wrong }
}

/** Missing companions of other settings: checked even when something else is wrong, so that one start reports everything. */
function missingCompanions(given: Environment, someLaneBlocks: boolean): string[] {
  const { shape } = Variables
  const givenRoles = shape.ROLES.safeParse(given.ROLES)
  // Unreadable roles count as a subset, not as all.
  const cluster = (givenRoles.data?.length ?? 0) < roles.length
  type Flag =
    | 'CROSSBOOK_WEBHOOKS'
    | 'CROSSBOOK_EXECUTION_WEBHOOKS'
    | 'CROSSBOOK_CONDITIONAL'
    | 'CROSSBOOK_CONDITIONAL_HOSTED'
    | 'CROSSBOOK_TRADERS'
    | 'CROSSBOOK_BRIDGE'
  const isOn = (name: Flag): boolean => shape[name].safeParse(given[name]).data === true
  const misled =
    someLaneBlocks || given.CROSSBOOK_BLOCKED_COUNTRIES !== undefined || given.CROSSBOOK_TRUSTED_PROXIES !== undefined
  const missing: string[] = []
  if (cluster && given.KAFKA_BROKERS === undefined)
    missing.push('KAFKA_BROKERS: required when ROLES is not "all": the roles communicate over Kafka')
  // A store of its own would be empty, and no other role would see what is written there.
  const keeps = (kept: readonly Role[]): boolean =>
    cluster && (givenRoles.data ?? roles).some((role) => kept.includes(role))
  if (keeps(postgresRoles) && given.DATABASE_URL === undefined)
    missing.push('DATABASE_URL: required when ROLES is not "all": the roles share one PostgreSQL')
  if (keeps(tapeRoles) && given.CLICKHOUSE_URL === undefined)
    missing.push('CLICKHOUSE_URL: required by tape and gateway when ROLES is not "all": they share one tape')
  if (isOn('CROSSBOOK_TRADERS') && keeps(['jobs']) && !keeps(tapeRoles) && given.CLICKHOUSE_URL === undefined)
    missing.push(
      'CLICKHOUSE_URL: required by jobs when traders are on and ROLES is not "all": the record of wallets is kept on the tape',
    )
  if (misled && given.CROSSBOOK_COUNTRY_HEADER === undefined)
    missing.push(
      'CROSSBOOK_COUNTRY_HEADER: required by CROSSBOOK_TRUSTED_PROXIES and CROSSBOOK_BLOCKED_COUNTRIES (for all or for one venue), which have no effect without it',
    )
  // Only gateways read the header; a compute process fires by the same lists.
  const readsHeader = given.CROSSBOOK_COUNTRY_HEADER !== undefined && (givenRoles.data ?? []).includes('gateway')
  if (readsHeader && given.CROSSBOOK_TRUSTED_PROXIES === undefined)
    missing.push(
      'CROSSBOOK_TRUSTED_PROXIES: required by CROSSBOOK_COUNTRY_HEADER, which is trusted from no other address',
    )
  const sendsWebhooks = isOn('CROSSBOOK_WEBHOOKS') || isOn('CROSSBOOK_EXECUTION_WEBHOOKS')
  if (cluster && sendsWebhooks && given.CROSSBOOK_WEBHOOK_SECRET_KEY === undefined)
    missing.push(
      'CROSSBOOK_WEBHOOK_SECRET_KEY: required when webhooks are on and ROLES is not "all": the processes that register and deliver share it',
    )
  const firing = isOn('CROSSBOOK_CONDITIONAL') && isOn('CROSSBOOK_CONDITIONAL_HOSTED')
  if (cluster && firing && given.CROSSBOOK_CONDITIONAL_KEYS === undefined)
    missing.push(
      'CROSSBOOK_CONDITIONAL_KEYS: required when orders are hosted and ROLES is not "all": the processes that arm and fire share them (or CROSSBOOK_CONDITIONAL_HOSTED=false)',
    )
  if (isOn('CROSSBOOK_BRIDGE') && given.CROSSBOOK_GLIDE_PROJECT_ID === undefined)
    missing.push('CROSSBOOK_GLIDE_PROJECT_ID: required by CROSSBOOK_BRIDGE: the provider only serves known projects')
  return missing
}

/** Names that are read here; the venues' manifests know further ones. */
export const knownVariables: readonly string[] = Object.keys(Variables.shape)

/** Names of variables that have a value. */
export const givenVariables = (environment: Environment = process.env): string[] =>
  Object.keys(environment).filter((name) => environment[name] !== undefined && environment[name] !== '')

/** Where the command line finds a running Crossbook when no option says so. */
export const readClientSettings = (environment: Environment = process.env) => ({
  url: environment.CROSSBOOK_URL || undefined,
  apiKey: environment.CROSSBOOK_API_KEY || undefined,
  /** Of the wallet that signs for `crossbook run`; never sent. */
  walletKey: environment.CROSSBOOK_WALLET_KEY || undefined,
  dataDir: environment.DATA_DIR || '.data',
})
