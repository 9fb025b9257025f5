// `crossbook doctor`: what stands in the way of a start here, or of a program that runs, and what was looked at. Makes the data folder where there is none, and changes nothing else.
import { readConfig } from '#config'
import { systemClock } from '#lib/clock'
import { wrongVenueSettings } from '#run/venueSettings'
import { clockCheck, dataDirCheck, nodeCheck, portCheck } from './doctor/machine.ts'
import { storeChecks } from './doctor/stores.ts'
import { reachVenues } from './doctor/venues.ts'
import { type Progress, showProgress } from './progress.ts'
import { tableOf } from './table.ts'

/** `fail`: it will not run so. `warn`: it will, with less than one would think. */
export interface Finding {
  check: string
  state: 'ok' | 'warn' | 'fail'
  says: string
}

export interface DoctorOptions {
  json?: boolean
  /** Contacts nothing outside. */
  offline?: boolean
}

/** Prints every finding as it is known to be one; the exit code is 1 when anything fails. */
export async function doctor({ json = false, offline = false }: DoctorOptions): Promise<void> {
  const progress = showProgress()
  const findings = await findingsOf(offline, progress).finally(progress.done)
  if (json) for (const finding of findings) console.log(JSON.stringify(finding))
  else for (const line of tableOf(findings.map(({ check, state, says }) => [state, check, says]))) console.log(line)
  if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1
}

async function findingsOf(offline: boolean, progress: Progress): Promise<Finding[]> {
  const node = nodeCheck(process.versions.node)
  let config: ReturnType<typeof readConfig>
  try {
    config = readConfig(undefined, wrongVenueSettings)
  } catch (error) {
    // Nothing else means anything without it.
    return [node, { check: 'configuration', state: 'fail', says: (error as Error).message }]
  }
  const roles = [...config.roles].join(', ')
  const local = [
    node,
    { check: 'configuration', state: 'ok', says: `roles ${roles}; ${config.venues.length} venues` } as const,
    dataDirCheck(config.dataDir),
    ...(config.roles.has('gateway') ? [await portCheck(config)] : []),
  ]
  progress.say('asking the stores')
  const stores = await storeChecks(config)
  if (offline) return [...local, ...stores]
  progress.say(`asking ${config.venues.length} venues`)
  const reached = await reachVenues(config, systemClock)
  return [
    ...local,
    ...stores,
    clockCheck(reached.map(({ aheadMs }) => aheadMs)),
    ...reached.map(({ finding }) => finding),
  ]
}
