// The one reader of the environment. Every wrong variable is named at once; nothing else in the program touches process.env.
import { isIP } from 'node:net'
import { z } from 'zod'
import { PlanName } from '#schemas/account'
import { type ChainName, chainNames } from '#schemas/feeds'
import { builtVenues, executionVenues, sandboxVenues } from '#schemas/venues'

export const roles = ['ingest', 'tape', 'compute', 'gateway', 'jobs'] as const
export type Role = (typeof roles)[number]
export const postgresRoles: readonly Role[] = ['ingest', 'compute', 'gateway', 'jobs']
export const tapeRoles: readonly Role[] = ['tape', 'gateway']

/** `all` stands for those that are known, not for those that have to be named. */
const list = <T extends string>(
  known: readonly T[],
  text: string,
  context: z.RefinementCtx,
  named: readonly T[] = [],
): T[] => {
  const words = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const names = new Set(words.flatMap((name): readonly string[] => (name === 'all' ? known : [name])))
  const possible: readonly string[] = [...known, ...named]
  for (const name of names) {
    if (!possible.includes(name)) {
      context.addIssue({ code: 'custom', message: `knows ${possible.join(', ')} and all, not "${name}"` })
    }
  }
  return [...names].filter((name): name is T => possible.includes(name))
}

const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .default(fallback ? 'true' : 'false')
    .transform((word) => word === 'true' || word === '1')
const whole = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)

/** `settlement`: what is resolved is redeemed, and no order is taken. */
export type LaneArming = boolean | 'settlement'
const laneArming = z
  .enum(['true', 'false', '1', '0', 'settlement'])
  .transform((word): LaneArming => (word === 'settlement' ? word : word === 'true' || word === '1'))

/** A comma list of words that look alike; none by default. */
const words = (shape: RegExp, complaint: string) =>
  z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
    )
    .refine((list) => list.every((word) => shape.test(word)), complaint)

const countries = words(/^[A-Z]{2}$/, 'must be ISO 3166-1 alpha-2 codes')

const hostName = /^(?!-)[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?$/
const broker = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/

const isBroker = (text: string): boolean => {
  const port = Number(broker.exec(text)?.[2])
  return port >= 1 && port <= 65_535
}

/** More streams than one connection should carry. */
const binancePairsMax = 100

const limit = z.int().nonnegative()
/** What an operator changes of the plans: JSON, `{"free": {"creditsPerMonth": 1000, "features": {"replay": true}}}`. */
const PlanOverrides = z.partialRecord(
  PlanName,
  z.strictObject({
    features: z
      .strictObject({ replay: z.boolean(), arbitrage: z.boolean(), conditionalOrders: z.boolean() })
      .partial()
      .optional(),
    requestsPerMinute: limit.optional(),
    creditsPerMonth: limit.nullable().optional(),
    streamConnections: limit.optional(),
    subscriptionsPerConnection: limit.optional(),
    historyDays: limit.nullable().optional(),
  }),
)

const plans = z
  .string()
  .default('{}')
  .transform((text, context) => {
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON: {"<plan>": {"<limit>": <number>}}' })
      return z.NEVER
    }
    const parsed = PlanOverrides.safeParse(json)
    if (parsed.success) return parsed.data
    for (const { path, message } of parsed.error.issues)
      context.addIssue({ code: 'custom', message: `${path.join('.')}: ${message}` })
    return z.NEVER
  })

const Environment = z.object({
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
  CLICKHOUSE_URL: z.url({ protocol: /^https?$/ }).optional(),
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
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Milliseconds between two fan-out ticks. */
  CROSSBOOK_TICK_MS: whole(2, 1, 100),
  /** How many of a venue's most active markets are always watched and taped. */
  CROSSBOOK_PINNED_MARKETS: whole(50, 0, 5_000),
  /** An upstream subscription nobody wants is kept this long. */
  CROSSBOOK_IDLE_UNWATCH_MS: whole(30_000, 0, 3_600_000),
  CROSSBOOK_CATALOG_INTERVAL_MS: whole(300_000, 1_000, 86_400_000),
  /** Longest wait between two runs of the matcher; new catalog rows and operators' words do not wait for it. */
  CROSSBOOK_MATCHER_INTERVAL_MS: whole(300_000, 1_000, 86_400_000),
  CROSSBOOK_BOOK_SNAPSHOT_MS: whole(60_000, 1_000, 3_600_000),
  CROSSBOOK_HISTORY: flag(true),
  CROSSBOOK_ARBITRAGE: flag(true),
  /** Cadence of the surface's full passes; changed books do not wait for it. */
  CROSSBOOK_ARBITRAGE_INTERVAL_MS: whole(3_000, 100, 3_000),
  /** Books a compute process keeps in shared memory, about 1.1 KB each. */
  CROSSBOOK_ARBITRAGE_SLOTS: whole(20_000, 2, 200_000),
  /** Contracts bought on each side of every published row. */
  CROSSBOOK_ARBITRAGE_CONTRACTS: whole(100, 1, 100_000),
  /** Header in which a trusted edge names the caller's country; believed from CROSSBOOK_TRUSTED_PROXIES only. */
  CROSSBOOK_COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'is no header name')
    .transform((name) => name.toLowerCase())
    .optional(),
  CROSSBOOK_TRUSTED_PROXIES: words(/^[0-9A-Fa-f:.]{2,45}(\/\d{1,3})?$/, 'must be addresses or CIDR ranges'),
  CROSSBOOK_BLOCKED_COUNTRIES: countries,
  /** The webhook routes, and job events to who registered for them. */
  CROSSBOOK_WEBHOOKS: flag(false),
  /** Delivery of `execution.status.changed`. */
  CROSSBOOK_EXECUTION_WEBHOOKS: flag(false),
  /** 32 bytes in base64 that seal the signing secrets; a file of the data directory when absent. */
  CROSSBOOK_WEBHOOK_SECRET_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
    .optional(),
  /** Receivers that need not be public nor https. Whoever can register an endpoint can make this program call them. */
  CROSSBOOK_WEBHOOK_ALLOW: words(/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):\d{1,5}$/, 'must be host:port, host in lower case'),
  /** The routes of traders, and the record of wallets behind them. */
  CROSSBOOK_TRADERS: flag(false),
  /** The routes of sports, and the engine that builds their fixtures. */
  CROSSBOOK_SPORTS: flag(false),
  /** The routes of conditional orders, and all that makes them trigger. */
  CROSSBOOK_CONDITIONAL: flag(false),
  /** Orders armed in hosted mode are kept, sealed, and fired from here. */
  CROSSBOOK_CONDITIONAL_HOSTED: flag(true),
  /** Keys that seal their signed artifacts, `<id>:<32 bytes in base64>` each, the newest first; a file of the data directory when absent. */
  CROSSBOOK_CONDITIONAL_KEYS: words(
    /^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=$/,
    'must be <id>:<32 bytes in base64>, the newest first',
  ),
  /** Reference feeds: routes and the stream's tickers. */
  CROSSBOOK_FEEDS: flag(false),
  /** Binance's market data, which needs no key. */
  CROSSBOOK_BINANCE_REST_URL: z.url({ protocol: /^https?$/ }).default('https://data-api.binance.vision'),
  CROSSBOOK_BINANCE_WS_URL: z.url({ protocol: /^wss?$/ }).default('wss://data-stream.binance.vision'),
  /** Pairs of its spot market that are served. */
  CROSSBOOK_BINANCE_PAIRS: words(/^[A-Z0-9]{1,15}\/[A-Z0-9]{1,10}$/, 'must be pairs such as BTC/USDT').refine(
    (pairs) => pairs.length <= binancePairsMax,
    `must be at most ${binancePairsMax} pairs`,
  ),
  /** Whose oracles are read. */
  CROSSBOOK_CHAINLINK_CHAIN: z.enum(chainNames).default('arbitrum'),
  /** Nodes of that chain, best first. Without one chainlink is not served. */
  CROSSBOOK_CHAINLINK_RPC_URL: words(/^https?:\/\/\S+$/, 'must be addresses that begin with https:// or http://'),
  /** A newest round that is older proves no price. No heartbeat is longer than a day. */
  CROSSBOOK_CHAINLINK_STALE_SECONDS: whole(90_000, 60, 604_800),
  /** The route of accounts' open orders. */
  CROSSBOOK_OPEN_ORDERS: flag(false),
  /** The route of venues' figures, and the daily jobs that gather them. */
  CROSSBOOK_VENUE_METRICS: flag(false),
  /** The routes of the funding bridge. */
  CROSSBOOK_BRIDGE: flag(false),
  CROSSBOOK_GLIDE_URL: z.url({ protocol: /^https?$/ }).default('https://api.paywithglide.xyz'),
  /** Of the operator's project at the bridge's provider. */
  CROSSBOOK_GLIDE_PROJECT_ID: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be printable and without spaces')
    .optional(),
  CROSSBOOK_GLIDE_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, 'must be printable and without spaces')
    .optional(),
  /** A node of Polygon that tells whole transactions before their block: Polymarket's pending fills on the stream. Absent: they are not supported. */
  CROSSBOOK_POLYGON_WS_URL: z.url({ protocol: /^wss?$/ }).optional(),
  /** What this deployment's plans include, where it is not what the table says. */
  CROSSBOOK_PLANS: plans,
  CROSSBOOK_GATEWAY_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .optional(),
})

export interface Config {
  /** Over the table of plans. */
  plans: z.output<typeof PlanOverrides>
  port: number
  host: string
  dataDir: string
  roles: ReadonlySet<Role>
  venues: readonly string[]
  databaseUrl: string | undefined
  clickhouseUrl: string | undefined
  kafkaBrokers: readonly string[] | undefined
  logLevel: string
  tickMs: number
  pinnedMarkets: number
  idleUnwatchMs: number
  catalogIntervalMs: number
  matcherIntervalMs: number
  bookSnapshotMs: number
  history: boolean
  arbitrage: { enabled: boolean; intervalMs: number; slots: number; contracts: number }
  /** What the operator said of an execution lane, by slug: armed, for its settlement alone, or not. A lane nobody spoke of goes by its own default. */
  lanes: ReadonlyMap<string, LaneArming>
  /** Countries from which a lane's orders are not taken, beside those its venue names; by slug. */
  laneCountries: ReadonlyMap<string, readonly string[]>
  /** Undefined: nobody is believed about where a caller is. */
  geofence:
    | { countryHeader: string; trustedProxies: readonly string[]; blockedCountries: readonly string[] }
    | undefined
  conditional: { enabled: boolean; hosted: boolean; keys: readonly string[] }
  bridge: { enabled: boolean; url: string; projectId: string | undefined; apiKey: string | undefined }
  webhooks: { routes: boolean; executions: boolean; secretKey: string | undefined; allow: readonly string[] }
  traders: { enabled: boolean }
  sports: { enabled: boolean }
  feeds: {
    enabled: boolean
    binance: { restUrl: string; wsUrl: string; pairs: readonly string[] }
    chainlink: { chain: ChainName; rpcUrls: readonly string[]; staleSeconds: number }
  }
  openOrders: boolean
  venueMetrics: boolean
  /** Of the operator's node; undefined: nobody watches for pending trades. */
  polygonWsUrl: string | undefined
  gatewayId: string
  /** npm dies of signals that it does not pass on. */
  startedByNpm: boolean
  /** CROSSBOOK_<VENUE>_<NAME>_URL and other CROSSBOOK_<VENUE>_<NAME> values, read through `venueSetting`. */
  venueSetting(venue: string, name: string): string | undefined
}

/**
 * Reads and checks. Throws one Error whose message lists every variable that is wrong; `wrongOfVenues` judges the settings whose names only
 * the venues' manifests know.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  wrongOfVenues: (setting: Config['venueSetting']) => readonly string[] = () => [],
): Config {
  const known = Object.keys(Environment.shape)
  const given = Object.fromEntries(
    known.map((name) => [name, environment[name] === '' ? undefined : environment[name]]),
  )
  const parsed = Environment.safeParse(given)
  const armed = readOfLanes(environment, 'LANE', laneArming)
  const countriesOf = readOfLanes(environment, 'BLOCKED_COUNTRIES', countries)
  const laneCountries = new Map([...countriesOf.found].filter(([, blocked]) => blocked.length > 0))
  const venueSetting: Config['venueSetting'] = (venue, name) => environment[venueVariable(venue, name)] || undefined
  const wrong = [
    ...(parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []),
    ...armed.wrong,
    ...countriesOf.wrong,
    ...missingBeside(given, laneCountries.size > 0),
    ...wrongOfVenues(venueSetting),
  ]
  if (!parsed.success || wrong.length > 0) {
    throw new Error(`configuration is wrong:\n${wrong.map((line) => `  ${line}`).join('\n')}`)
  }
  const value = parsed.data
  return {
    plans: value.CROSSBOOK_PLANS,
    port: value.PORT,
    host: value.HOST,
    dataDir: value.DATA_DIR,
    roles: new Set(value.ROLES),
    venues: value.VENUES,
    databaseUrl: value.DATABASE_URL,
    clickhouseUrl: value.CLICKHOUSE_URL,
    kafkaBrokers: value.KAFKA_BROKERS,
    logLevel: value.LOG_LEVEL,
    tickMs: value.CROSSBOOK_TICK_MS,
    pinnedMarkets: value.CROSSBOOK_PINNED_MARKETS,
    idleUnwatchMs: value.CROSSBOOK_IDLE_UNWATCH_MS,
    catalogIntervalMs: value.CROSSBOOK_CATALOG_INTERVAL_MS,
    matcherIntervalMs: value.CROSSBOOK_MATCHER_INTERVAL_MS,
    bookSnapshotMs: value.CROSSBOOK_BOOK_SNAPSHOT_MS,
    history: value.CROSSBOOK_HISTORY,
    arbitrage: {
      enabled: value.CROSSBOOK_ARBITRAGE,
      intervalMs: value.CROSSBOOK_ARBITRAGE_INTERVAL_MS,
      slots: value.CROSSBOOK_ARBITRAGE_SLOTS,
      contracts: value.CROSSBOOK_ARBITRAGE_CONTRACTS,
    },
    lanes: armed.found,
    laneCountries,
    geofence:
      value.CROSSBOOK_COUNTRY_HEADER === undefined
        ? undefined
        : {
            countryHeader: value.CROSSBOOK_COUNTRY_HEADER,
            trustedProxies: value.CROSSBOOK_TRUSTED_PROXIES,
            blockedCountries: value.CROSSBOOK_BLOCKED_COUNTRIES,
          },
    conditional: {
      enabled: value.CROSSBOOK_CONDITIONAL,
      hosted: value.CROSSBOOK_CONDITIONAL_HOSTED,
      keys: value.CROSSBOOK_CONDITIONAL_KEYS,
    },
    bridge: {
      enabled: value.CROSSBOOK_BRIDGE,
      url: value.CROSSBOOK_GLIDE_URL.replace(/\/+$/, ''),
      projectId: value.CROSSBOOK_GLIDE_PROJECT_ID,
      apiKey: value.CROSSBOOK_GLIDE_API_KEY,
    },
    webhooks: {
      routes: value.CROSSBOOK_WEBHOOKS,
      executions: value.CROSSBOOK_EXECUTION_WEBHOOKS,
      secretKey: value.CROSSBOOK_WEBHOOK_SECRET_KEY,
      allow: value.CROSSBOOK_WEBHOOK_ALLOW,
    },
    traders: { enabled: value.CROSSBOOK_TRADERS },
    sports: { enabled: value.CROSSBOOK_SPORTS },
    feeds: {
      enabled: value.CROSSBOOK_FEEDS,
      binance: {
        restUrl: value.CROSSBOOK_BINANCE_REST_URL,
        wsUrl: value.CROSSBOOK_BINANCE_WS_URL,
        pairs: value.CROSSBOOK_BINANCE_PAIRS,
      },
      chainlink: {
        chain: value.CROSSBOOK_CHAINLINK_CHAIN,
        rpcUrls: value.CROSSBOOK_CHAINLINK_RPC_URL,
        staleSeconds: value.CROSSBOOK_CHAINLINK_STALE_SECONDS,
      },
    },
    openOrders: value.CROSSBOOK_OPEN_ORDERS,
    venueMetrics: value.CROSSBOOK_VENUE_METRICS,
    polygonWsUrl: value.CROSSBOOK_POLYGON_WS_URL,
    gatewayId: value.CROSSBOOK_GATEWAY_ID ?? `gw-${process.pid}-${Math.random().toString(36).slice(2, 8)}`,
    startedByNpm: environment.npm_lifecycle_event !== undefined,
    venueSetting,
  }
}

export const venueVariable = (venue: string, name: string): string =>
  `CROSSBOOK_${venue.toUpperCase().replaceAll('-', '_')}_${name}`

/** What others need beside them and is not there: judged also where something else is wrong, so that one start names everything. */
function missingBeside(given: Readonly<Record<string, string | undefined>>, someLaneBlocks: boolean): string[] {
  const { shape } = Environment
  const asked = shape.ROLES.safeParse(given.ROLES)
  // Roles that cannot be read are some, not all.
  const cluster = (asked.data?.length ?? 0) < roles.length
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
    missing.push('KAFKA_BROKERS: needed when ROLES is not "all": the roles meet on Kafka')
  // A store of its own would be empty, and nobody else would see what is written there.
  const keeps = (kept: readonly Role[]): boolean => cluster && (asked.data ?? roles).some((role) => kept.includes(role))
  if (keeps(postgresRoles) && given.DATABASE_URL === undefined)
    missing.push('DATABASE_URL: needed when ROLES is not "all": the roles share one PostgreSQL')
  if (keeps(tapeRoles) && given.CLICKHOUSE_URL === undefined)
    missing.push('CLICKHOUSE_URL: needed by tape and gateway when ROLES is not "all": they share one tape')
  if (isOn('CROSSBOOK_TRADERS') && keeps(['jobs']) && !keeps(tapeRoles) && given.CLICKHOUSE_URL === undefined)
    missing.push(
      'CLICKHOUSE_URL: needed by jobs when traders are on and ROLES is not "all": the record of wallets is kept on the tape',
    )
  if (misled && given.CROSSBOOK_COUNTRY_HEADER === undefined)
    missing.push(
      'CROSSBOOK_COUNTRY_HEADER: needed beside CROSSBOOK_TRUSTED_PROXIES and CROSSBOOK_BLOCKED_COUNTRIES (of all or of one venue), which mean nothing without it',
    )
  const telling = isOn('CROSSBOOK_WEBHOOKS') || isOn('CROSSBOOK_EXECUTION_WEBHOOKS')
  if (cluster && telling && given.CROSSBOOK_WEBHOOK_SECRET_KEY === undefined)
    missing.push(
      'CROSSBOOK_WEBHOOK_SECRET_KEY: needed when webhooks are on and ROLES is not "all": who registers and who delivers share it',
    )
  const firing = isOn('CROSSBOOK_CONDITIONAL') && isOn('CROSSBOOK_CONDITIONAL_HOSTED')
  if (cluster && firing && given.CROSSBOOK_CONDITIONAL_KEYS === undefined)
    missing.push(
      'CROSSBOOK_CONDITIONAL_KEYS: needed when orders are fired from here and ROLES is not "all": who arms and who fires share them (or CROSSBOOK_CONDITIONAL_HOSTED=false)',
    )
  if (isOn('CROSSBOOK_BRIDGE') && given.CROSSBOOK_GLIDE_PROJECT_ID === undefined)
    missing.push('CROSSBOOK_GLIDE_PROJECT_ID: needed beside CROSSBOOK_BRIDGE: the provider serves projects it knows')
  return missing
}

/** CROSSBOOK_<VENUE>_<NAME> of every venue of the execution routes that has one. */
function readOfLanes<T>(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  shape: z.ZodType<T>,
): { found: Map<string, T>; wrong: string[] } {
  const found = new Map<string, T>()
  const wrong: string[] = []
  for (const venue of executionVenues) {
    const variable = venueVariable(venue, name)
    const text = environment[variable]
    if (text === undefined || text === '') continue
    const parsed = shape.safeParse(text)
    if (parsed.success) found.set(venue, parsed.data)
    else wrong.push(`${variable}: ${parsed.error.issues[0]!.message}`)
  }
  return { found, wrong }
}

/** Where the command line finds a running Crossbook, when no option says so. */
export const readClientSettings = (environment: Readonly<Record<string, string | undefined>> = process.env) => ({
  url: environment.CROSSBOOK_URL || undefined,
  apiKey: environment.CROSSBOOK_API_KEY || undefined,
  dataDir: environment.DATA_DIR || '.data',
})
