// `npm run cluster`: every role as its own process on this machine, with real stores, without Docker. Ctrl-C ends all of it.
import '#checkNode'
import { appendFileSync } from 'node:fs'
import { createTerminalLog } from '#core/terminalLog'
import { printReady, stopOnSignals } from '#roles/process'
import { checkDataDir } from '#roles/runtimeFile'
import { prepareKafka } from '../kafka/java.ts'
import { openLogs } from './logs.ts'
import { readOptions, usage } from './options.ts'
import { Parts } from './parts.ts'
import { checkPorts } from './ports.ts'

/** Processes have ten seconds to flush, stores some more. */
const stopWithinMs = 25_000

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const parts = new Parts()

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === null) {
    print(usage)
    return
  }
  const { dataDir, gatewayPorts } = options
  await checkPorts(process.env.HOST || '127.0.0.1', gatewayPorts)
  await prepareKafka(print)
  const openFolder = checkDataDir(dataDir)
  if (openFolder !== null) print(openFolder)
  const logs = openLogs(dataDir)
  const storesLog = logs.open('stores')
  const terminal = createTerminalLog('warn', (text) => {
    appendFileSync(storesLog, text)
    process.stdout.write(text)
  })
  const stop = async (): Promise<void> => {
    print('Stopping')
    await parts.stop()
  }
  const withParent = process.env.npm_lifecycle_event !== undefined
  stopOnSignals(stop, terminal.log, { withParent, withinMs: stopWithinMs })
  // Loaded only when something will be started.
  const [{ runCluster }, { runningText }] = await Promise.all([import('./run.ts'), import('./text.ts')])
  const cluster = await runCluster({
    options,
    parts,
    environment: process.env,
    logs,
    log: terminal.log,
    report: print,
  })
  terminal.started()
  print(runningText(cluster, dataDir))
  const { apiKey, gateways, labControl } = cluster
  if (!process.stdout.isTTY) printReady({ ...gateways[0], apiKey, ...(labControl !== null && { lab: labControl }) })
}

try {
  await run()
} catch (error) {
  // A signal during the start: the code that stops the parts also ends the process.
  if (!parts.isStopping) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await parts.stop()
    process.exit(1)
  }
}
