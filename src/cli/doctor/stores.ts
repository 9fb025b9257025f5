// The stores and the bus that this configuration names, or the ones a start provides itself.
import type { Config } from '#config'
import { postgresRoles, tapeRoles } from '#config'
import { silentLog } from '#core/log'
import { probeEngine } from '#storage/clickhouse/probe'
import { probeKafka } from '#storage/kafka/probe'
import { findRunningEmbedded } from '#storage/postgres/embedded'
import { probePostgres } from '#storage/postgres/probe'
import type { StoreProbe } from '#storage/probe'
import { embeddedEngine, embeddedPostgres } from './embedded.ts'
import type { Finding } from './finding.ts'

const answerWithinMs = 5_000

type Wanted = Pick<Config, 'roles' | 'dataDir' | 'databaseUrl' | 'clickhouseUrl' | 'kafkaBrokers'> &
  Partial<Pick<Config, 'kafkaAccess'>>

interface Store {
  check: string
  /** Display name. */
  name: string
  where: string
  probe: StoreProbe
  /** The oldest supported version; absent: any. */
  oldest?: { version: string; else: Finding['state'] }
}

/** `areValid`: whether these variables are valid. A check that cannot know is skipped. */
export async function storeChecks(
  { roles, dataDir, databaseUrl, clickhouseUrl, kafkaBrokers, kafkaAccess }: Wanted,
  areValid: (...variables: string[]) => boolean = () => true,
): Promise<Finding[]> {
  const some = (wanted: readonly (typeof postgresRoles)[number][]): boolean => wanted.some((role) => roles.has(role))
  const postgres = (url: string): Store => ({
    check: 'postgres',
    name: 'PostgreSQL',
    where: url,
    probe: probePostgres(url, silentLog),
    oldest: { version: '15', else: 'fail' },
  })
  const engine = (url: string): Store => ({
    check: 'engine',
    name: 'ClickHouse',
    where: url,
    probe: probeEngine(url),
    oldest: { version: '26.3', else: 'warn' },
  })
  const bus = (brokers: readonly string[]): Store => ({
    check: 'bus',
    name: 'Kafka',
    where: brokers.join(', '),
    probe: probeKafka(brokers, 'crossbook-doctor', kafkaAccess),
  })
  const running = databaseUrl ?? (await findRunningEmbedded(dataDir))
  const findings = [
    ...(some(postgresRoles) && areValid('ROLES', 'DATABASE_URL')
      ? [running === null ? embeddedPostgres(dataDir) : checkStore(postgres(running))]
      : []),
    ...(some(tapeRoles) && areValid('ROLES', 'CLICKHOUSE_URL')
      ? [clickhouseUrl === undefined ? embeddedEngine(dataDir) : checkStore(engine(clickhouseUrl))]
      : []),
    ...(areValid('ROLES', 'KAFKA_BROKERS')
      ? [kafkaBrokers === undefined ? ownBus : checkStore(bus(kafkaBrokers))]
      : []),
  ]
  return Promise.all(findings)
}

const ownBus: Finding = { check: 'bus', state: 'ok', message: 'in this process' }

async function checkStore(store: Store): Promise<Finding> {
  const { check, where, probe } = store
  const signal = AbortSignal.timeout(answerWithinMs)
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${answerWithinMs / 1_000} s`))),
  )
  try {
    await Promise.race([probe.check(signal), late])
    return { check, ...findingOf(store, await Promise.race([probe.version(), late])) }
  } catch (error) {
    return { check, state: 'fail', message: `${withoutPassword(where)}: ${(error as Error).message}` }
  } finally {
    await probe.close().catch(() => undefined)
  }
}

function findingOf({ name, where, oldest }: Store, version: string | null): Pick<Finding, 'state' | 'message'> {
  const message = `${withoutPassword(where)} is ${name}${version === null ? ', version unknown' : ` ${version}`}`
  if (oldest === undefined || version === null || !isOlder(version, oldest.version)) return { state: 'ok', message }
  return { state: oldest.else, message: `${message}; Crossbook needs ${oldest.version} or newer` }
}

/** Compares only as many components as `oldest` has: 15.2 is not older than 15. */
function isOlder(version: string, oldest: string): boolean {
  const [found, wanted] = [version, oldest].map((text) => text.split('.').map((part) => Number.parseInt(part, 10))) as [
    number[],
    number[],
  ]
  for (const [i, number] of wanted.entries()) if (found[i] !== number) return !((found[i] ?? 0) > number)
  return false
}

const withoutPassword = (address: string): string => {
  const url = URL.parse(address)
  if (url === null || url.password === '') return address
  url.password = '***'
  return url.href
}
