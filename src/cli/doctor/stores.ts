// The stores and the bus that this configuration names. Those that a start brings along itself are only said.
import type { Config } from '#config'
import { postgresRoles, tapeRoles } from '#config'
import { silentLog } from '#lib/log'
import { probeEngine } from '#storage/clickhouse/probe'
import { probeKafka } from '#storage/kafka/probe'
import { probePostgres } from '#storage/postgres/probe'
import type { Probe } from '#storage/probe'
import type { Finding } from '../doctor.ts'

const answerWithinMs = 5_000

type Wanted = Pick<Config, 'roles' | 'databaseUrl' | 'clickhouseUrl' | 'kafkaBrokers'>

export function storeChecks({ roles, databaseUrl, clickhouseUrl, kafkaBrokers }: Wanted): Promise<Finding[]> {
  const some = (wanted: readonly (typeof postgresRoles)[number][]): boolean => wanted.some((role) => roles.has(role))
  return Promise.all([
    ...(some(postgresRoles)
      ? [
          databaseUrl === undefined
            ? embedded('postgres')
            : asked('postgres', databaseUrl, probePostgres(databaseUrl, silentLog)),
        ]
      : []),
    ...(some(tapeRoles)
      ? [clickhouseUrl === undefined ? embedded('engine') : asked('engine', clickhouseUrl, probeEngine(clickhouseUrl))]
      : []),
    kafkaBrokers === undefined
      ? ({ check: 'bus', state: 'ok', says: 'in this process' } satisfies Finding)
      : asked('bus', kafkaBrokers.join(', '), probeKafka(kafkaBrokers, 'crossbook-doctor')),
  ])
}

const embedded = (check: string): Finding => ({ check, state: 'ok', says: 'embedded, in the data folder' })

async function asked(check: string, where: string, probe: Probe): Promise<Finding> {
  const signal = AbortSignal.timeout(answerWithinMs)
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${answerWithinMs / 1_000} s`))),
  )
  try {
    await Promise.race([probe.ask(signal), late])
    return { check, state: 'ok', says: `${withoutPassword(where)} answers` }
  } catch (error) {
    return { check, state: 'fail', says: `${withoutPassword(where)}: ${(error as Error).message}` }
  } finally {
    await probe.close().catch(() => undefined)
  }
}

const withoutPassword = (address: string): string => {
  const url = URL.parse(address)
  if (url === null || url.password === '') return address
  url.password = '***'
  return url.href
}
