// `npm start`: reads the configuration, starts the roles it names, reports when they serve, stops on a signal.
import '#checkNode'
import { parseArgs } from 'node:util'
import { readConfig } from '#config'
import { systemClock } from '#lib/clock'
import { createLog } from '#lib/log'
import { startCrossbook } from '#run/crossbook'
import { printReady, stopOnSignals, streamUrl } from '#run/process'
import { removeRuntime, writeRuntime } from '#run/runtimeFile'
import { unknownVariables } from '#run/unknownVariables'
import { wrongVenueSettings } from '#run/venueSettings'

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
