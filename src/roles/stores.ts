// Opens the stores for the roles of this process: Postgres and the tape, embedded or by URL, and the bus.
import { type Config, postgresRoles, tapeRoles } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { retryAtStartup } from '#core/retryAtStartup'
import type { Bus } from '#storage/bus/bus'
import { createLocalBus } from '#storage/bus/local'
import { connectTape, openTape, type TapeStore } from '#storage/clickhouse/client'
import { probeEngine } from '#storage/clickhouse/probe'
import { createKafkaBus } from '#storage/kafka/kafkaBus'
import { probeKafka } from '#storage/kafka/probe'
import { startEmbeddedPostgres } from '#storage/postgres/embedded'
import { migrate } from '#storage/postgres/migrate'
import { createPool, type Pool, postgresAtStartup } from '#storage/postgres/pool'
import { probePostgres } from '#storage/postgres/probe'
import { markAsLab } from '#storage/postgres/settings'
import type { Probe } from '#storage/probe'

export interface Stores {
  bus: Bus
  busMode: 'local' | 'kafka'
  /** Null when no role of this process needs it. */
  pool: Pool | null
  tape: TapeStore | null
  /** One for each of these that can be lost. Closed by the caller. */
  probes(): Probe[]
  /** The bus first, so that nothing is published into closed stores. */
  close(): Promise<void>
}

export async function openStores(config: Config, { clock, log }: { clock: Clock; log: Log }): Promise<Stores> {
  const needsPostgres = postgresRoles.some((role) => config.roles.has(role))
  const needsTape = tapeRoles.some((role) => config.roles.has(role))
  // Jobs ask the tape for volumes if there is one, and start without it.
  const asksTape = config.roles.has('jobs') && config.clickhouseUrl !== undefined
  const closers: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const shut of closers.splice(0).reverse()) await shut()
  }
  try {
    const [postgres, tape] = await Promise.all([
      needsPostgres ? openPostgres(config, { clock, log }) : null,
      needsTape || asksTape
        ? (needsTape ? openTape : connectTape)({ url: config.clickhouseUrl, dataDir: config.dataDir, clock, log })
        : null,
    ])
    if (postgres !== null) closers.push(postgres.close)
    if (tape !== null) closers.push(() => tape.close())
    const brokers = config.kafkaBrokers
    const bus =
      brokers === undefined
        ? createLocalBus({ onError: (error, topic) => log.error({ err: error, topic }, 'a bus subscriber failed') })
        : await createKafkaBus({
            ...{ brokers, access: config.kafkaAccess, compression: config.kafkaAccess.compression },
            ...{ clientId: config.gatewayId, clock, log },
          })
    closers.push(() => bus.close())
    return {
      bus,
      busMode: brokers === undefined ? 'local' : 'kafka',
      pool: postgres?.pool ?? null,
      tape,
      probes: () => [
        ...(postgres === null ? [] : [probePostgres(postgres.url, log)]),
        ...(tape === null ? [] : [probeEngine(tape.url)]),
        ...(brokers === undefined ? [] : [probeKafka(brokers, config.gatewayId, config.kafkaAccess)]),
      ],
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function openPostgres(
  config: Config,
  { clock, log }: { clock: Clock; log: Log },
): Promise<{ pool: Pool; url: string; close(): Promise<void> }> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log, initdbEnvironment: config.nameServiceWrapper })
      : null
  const url = config.databaseUrl ?? embedded!.url
  const pool = createPool({ url, log })
  const close = async (): Promise<void> => {
    await pool.end()
    await embedded?.stop()
  }
  try {
    await retryAtStartup(postgresAtStartup, () => migrate(pool, log), { clock, log })
    if (config.lab) await retryAtStartup(postgresAtStartup, () => markAsLab(pool), { clock, log })
  } catch (error) {
    await close()
    throw error
  }
  return { pool, url, close }
}
