// `npm start`: reads the configuration, starts the roles it names, reports when they serve, stops on a signal.
import '#checkNode'
import { parseArgs } from 'node:util'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { createLog } from '#core/log'
import { startCrossbook } from '#roles/crossbook'
import { printReady, stopOnSignals, streamUrl } from '#roles/process'
import { removeRuntime, writeRuntime } from '#roles/runtimeFile'
import { unknownVariables } from '#roles/unknownVariables'
import { wrongVenueSettings } from '#roles/venueSettings'

try {
  // Configuration comes only from the environment: an argument is a mistake, and must not start a database.
  parseArgs({ options: {} })
  const config = readConfig(undefined, wrongVenueSettings)
  const log = createLog(config.logLevel)
  for (const line of unknownVariables()) log.warn(line)
  const crossbook = await startCrossbook(config, { clock: systemClock, log })
  writeRuntime(config.dataDir, { pid: process.pid, url: crossbook.url, apiKey: null })
  stopOnSignals(
    async () => {
      removeRuntime(config.dataDir)
      await crossbook.stop()
    },
    log,
    { withParent: config.startedByNpm },
  )
  await crossbook.ready
  printReady({
    roles: [...config.roles],
    ...(crossbook.operationsUrl !== null && { operations: crossbook.operationsUrl }),
    ...(crossbook.url === null ? {} : { url: crossbook.url, stream: streamUrl(crossbook.url) }),
  })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
