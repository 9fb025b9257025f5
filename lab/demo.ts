// `npm run demo`: everything on this machine, against lab venues. Nothing to install, no account, no network.
// `npm run demo -- --venues all` starts all of them, a comma-separated list the named ones.
import '#checkNode'
import { parseArgs } from 'node:util'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { createLog } from '#core/log'
import { retryAtStartup } from '#core/retryAtStartup'
import { createTerminalLog } from '#core/terminalLog'
import { startCrossbook } from '#roles/crossbook'
import { printReady, stopOnSignals, streamUrl } from '#roles/process'
import { readLastRuntime, removeRuntime, writeRuntime } from '#roles/runtimeFile'
import { unknownVariables } from '#roles/unknownVariables'
import { wrongVenueSettings } from '#roles/venueSettings'
import { dashboardPath } from '#server/dashboard/paths'
import { postgresAtStartup } from '#storage/postgres/pool'
import { markAsLab } from '#storage/postgres/settings'
import { demoKey } from './demoKey.ts'
import { demoFeatures, labRuntime, labVariables, startDemoLab } from './demoLab.ts'
import { banner } from './demoTerminal.ts'
import { labVenueNames, readVenueNames } from './venues.ts'

// A terminal gets readable text; a pipe or a file gets the log lines unchanged.
const isTerminal = process.stdout.isTTY === true && process.stderr.isTTY === true
const report = (text: string): void => {
  if (isTerminal) process.stdout.write(`${text}\n`)
}

const usage = `Runs Crossbook on simulated venues, with data in $DATA_DIR (default: .data/demo). Ctrl-C ends it.

  npm run demo
  npm run demo -- --venues ${labVenueNames.slice(0, 2).join(',')}

--venues  all, or some of ${labVenueNames.join(', ')}
`

try {
  const { values } = parseArgs({ options: { venues: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help === true) {
    process.stdout.write(usage)
    process.exit(0)
  }
  const venues = readVenueNames(values.venues)
  report(`Starting ${venues.length} simulated venues: ${venues.join(', ')}`)
  const lab = await startDemoLab(venues)
  const config = readConfig(
    {
      LOG_LEVEL: 'warn',
      // Fast enough to watch rows move.
      CROSSBOOK_ARBITRAGE_INTERVAL_MS: '250',
      ...demoFeatures(venues),
      ...process.env,
      DATA_DIR: process.env.DATA_DIR || '.data/demo',
      ...labVariables(lab, venues),
    },
    wrongVenueSettings,
  )
  const terminal = isTerminal ? createTerminalLog(config.logLevel, (text) => process.stderr.write(text)) : null
  const log = terminal?.log ?? createLog(config.logLevel)
  for (const line of unknownVariables()) log.warn(line)
  report(`Starting PostgreSQL and the ClickHouse engine, with their data in ${config.dataDir}`)
  const crossbook = await startCrossbook(config, { clock: systemClock, log })
  const { url, pool } = crossbook
  if (url === null || pool === null) throw new Error('the demo runs every role: unset ROLES')
  await retryAtStartup(postgresAtStartup, () => markAsLab(pool), { clock: systemClock, log })
  const last = readLastRuntime(config.dataDir)?.apiKey ?? null
  const apiKey = await retryAtStartup(postgresAtStartup, () => demoKey(pool, last), { clock: systemClock, log })
  writeRuntime(config.dataDir, { pid: process.pid, url, apiKey, ...labRuntime(lab, venues) })
  stopOnSignals(
    async () => {
      removeRuntime(config.dataDir)
      await crossbook.stop()
      await lab.stop()
    },
    log,
    { withParent: config.startedByNpm },
  )
  report('Waiting for the first books')
  await crossbook.ready
  const addresses = { url, stream: streamUrl(url), apiKey }
  if (terminal !== null) process.stdout.write(banner(addresses, terminal.started()))
  else printReady({ ...addresses, lab: lab.control.url })
  // Builds the page now, so that the first visit is fast.
  fetch(`${url}${dashboardPath}`).catch((error: unknown) => log.warn({ err: error }, 'could not open the dashboard'))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
