// `crossbook doctor`: reports what would prevent a start here, or affects a running program, and what was checked. Creates the data folder if
// it is missing, and changes nothing else.
import { type Config, checkConfig } from '#config'
import { systemClock } from '#core/clock'
import { folderOfRunning } from '#roles/runtimeFile'
import { unknownVariables } from '#roles/unknownVariables'
import { wrongVenueSettings } from '#roles/venueSettings'
import type { Finding } from './doctor/finding.ts'
import { clockCheck, dataDirCheck, nodeCheck, portCheck } from './doctor/machine.ts'
import { programCheck } from './doctor/program.ts'
import { storeChecks } from './doctor/stores.ts'
import { pingVenues } from './doctor/venues.ts'
import { print, printJson } from './output.ts'
import { type Progress, showProgress } from './progress.ts'
import { tableOf } from './table.ts'

export interface DoctorOptions {
  json?: boolean
  /** Contacts nothing outside. */
  offline?: boolean
}

/** The settings that locate a program running on this configuration. */
const addresses = ['ROLES', 'HOST', 'PORT', 'CROSSBOOK_OPERATIONS_HOST', 'CROSSBOOK_OPERATIONS_PORT']

/** Prints each finding as soon as it is known; the exit code is 1 when any fails. */
export async function doctor({ json = false, offline = false }: DoctorOptions): Promise<void> {
  const progress = showProgress()
  const findings = await findingsOf(offline, progress).finally(progress.done)
  if (json) printJson(...findings.map((finding) => JSON.stringify(finding)))
  else print(...tableOf(findings.map(({ check, state, message }) => [state, check, message])))
  if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1
}

async function findingsOf(offline: boolean, progress: Progress): Promise<Finding[]> {
  const { config: given, wrong } = checkConfig(undefined, wrongVenueSettings)
  // When a demo runs, its folder is used, as for every other command.
  const config = { ...given, dataDir: folderOfRunning(given.dataDir) }
  const names = new Set(wrong.map((line) => line.slice(0, line.indexOf(':'))))
  const areValid = (...variables: string[]): boolean => !variables.some((name) => names.has(name))
  const local = [
    nodeCheck(process.versions.node),
    ...configurationChecks(config, wrong, unknownVariables()),
    ...(areValid('DATA_DIR') ? [dataDirCheck(config.dataDir)] : []),
    ...(config.roles.has('gateway') && areValid('ROLES', 'HOST', 'PORT') ? [await portCheck(config)] : []),
    ...(config.operations !== undefined && areValid('CROSSBOOK_OPERATIONS_HOST', 'CROSSBOOK_OPERATIONS_PORT')
      ? [await portCheck({ ...config.operations, dataDir: config.dataDir }, 'operations port')]
      : []),
    ...(areValid(...addresses) ? [await programCheck(config)] : []),
  ]
  progress.show('checking the stores')
  const stores = await storeChecks(config, areValid)
  if (offline || !areValid('VENUES')) return [...local, ...stores]
  progress.show(`checking ${config.venues.length} venues`)
  const reached = await pingVenues(config, systemClock)
  return [
    ...local,
    ...stores,
    clockCheck(reached.map(({ aheadMs }) => aheadMs)),
    ...reached.map(({ finding }) => finding),
  ]
}

function configurationChecks(
  { roles, venues }: Config,
  wrong: readonly string[],
  unknown: readonly string[],
): Finding[] {
  const check = 'configuration'
  const findings: Finding[] = [
    ...wrong.map((message): Finding => ({ check, state: 'fail', message })),
    ...unknown.map((message): Finding => ({ check, state: 'warn', message })),
  ]
  if (wrong.length > 0) return findings
  return [{ check, state: 'ok', message: `roles ${[...roles].join(', ')}; ${venues.length} venues` }, ...findings]
}
