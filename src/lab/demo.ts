// `npm run demo`: everything on this machine, against lab venues. Nothing to install, no account, no network.
// `npm run demo -- --venues all` starts all of them, a comma-separated list the named ones.
import '#checkNode'
import { parseArgs } from 'node:util'
import { readConfig, venueVariable } from '#config'
import { dashboardPath } from '#dashboard/paths'
import { systemClock } from '#lib/clock'
import { createLog } from '#lib/log'
import { createTerminalLog } from '#lib/terminalLog'
import { startCrossbook } from '#run/crossbook'
import { printReady, stopOnSignals, streamUrl } from '#run/process'
import { readLastRuntime, removeRuntime, writeRuntime } from '#run/runtimeFile'
import { unknownVariables } from '#run/unknownVariables'
import { wrongVenueSettings } from '#run/venueSettings'
import { builtVenues } from '#schemas/venues'
import { patiently } from '#storage/postgres/patiently'
import { markAsLab } from '#storage/postgres/settings'
import { registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import { demoKey } from './demoKey.ts'
import { banner } from './demoTerminal.ts'
import { startLab } from './lab.ts'
import { demoRate, type LabVenue, type LabVenueName, readVenueNames } from './venues.ts'

const manifests: Readonly<Partial<Record<LabVenueName, VenueManifest>>> = registry

/** A lab venue's configuration settings: its addresses, the reading key if it needs one, and what it publishes nowhere. */
function settingsOf(
  name: LabVenueName,
  { urls, credentials, settings = {} }: LabVenue,
): [variable: string, value: string | undefined][] {
  const keyed = manifests[name]?.credentialNames ?? []
  return [
    ...Object.entries(urls).map(([url, value]): [string, string] => [venueVariable(name, `${url}_URL`), value]),
    ...keyed.map((part): [string, string | undefined] => [venueVariable(name, part), credentials?.[part]]),
    ...Object.entries(settings).map(([part, value]): [string, string] => [venueVariable(name, part), value]),
  ]
}

// Somebody reads it; into a pipe or a file the lines stay as programs read them.
const isTerminal = process.stdout.isTTY === true && process.stderr.isTTY === true
const report = (text: string): void => {
  if (isTerminal) process.stdout.write(`${text}\n`)
}

try {
  const { values } = parseArgs({ options: { venues: { type: 'string' } } })
  const venues = readVenueNames(values.venues)
  report(`Starting ${venues.length} simulated venues: ${venues.join(', ')}`)
  const lab = await startLab({
    seed: 'demo',
    ratePerSecond: demoRate(venues.length),
    venues,
    related: true,
    feeds: true,
    bridge: true,
    chains: true,
  })
  const { binance, chainlink } = lab.feeds
  const glide = lab.bridge
  const config = readConfig(
    {
      LOG_LEVEL: 'warn',
      // Fast enough to watch rows move.
      CROSSBOOK_ARBITRAGE_INTERVAL_MS: '250',
      ...Object.fromEntries(venues.map((name) => [venueVariable(name, 'LANE'), 'true'])),
      CROSSBOOK_WEBHOOKS: 'true',
      CROSSBOOK_EXECUTION_WEBHOOKS: 'true',
      CROSSBOOK_CONDITIONAL: 'true',
      CROSSBOOK_TRADERS: 'true',
      CROSSBOOK_FEEDS: 'true',
      CROSSBOOK_OPEN_ORDERS: 'true',
      CROSSBOOK_VENUE_METRICS: 'true',
      CROSSBOOK_BRIDGE: 'true',
      CROSSBOOK_SPORTS: 'true',
      CROSSBOOK_LAB: 'true',
      CROSSBOOK_PMXT_SOCKET: 'true',
      // Where docs/examples/webhook.mjs listens. Nothing else on this machine is called.
      CROSSBOOK_WEBHOOK_ALLOW: '127.0.0.1:8090',
      ...process.env,
      DATA_DIR: process.env.DATA_DIR || '.data/demo',
      VENUES: venues.filter((venue) => (builtVenues as readonly string[]).includes(venue)).join(','),
      ...Object.fromEntries(venues.flatMap((name) => settingsOf(name, lab[name]))),
      CROSSBOOK_BINANCE_REST_URL: binance.urls.REST,
      CROSSBOOK_BINANCE_WS_URL: binance.urls.WS,
      CROSSBOOK_CHAINLINK_CHAIN: 'arbitrum',
      CROSSBOOK_CHAINLINK_RPC_URL: `${chainlink.urls.RPC},${chainlink.urls.SPARE}`,
      CROSSBOOK_GLIDE_URL: glide.urls.API,
      CROSSBOOK_GLIDE_PROJECT_ID: glide.credentials.PROJECT_ID,
      CROSSBOOK_GLIDE_API_KEY: glide.credentials.API_KEY,
      ...Object.assign({}, ...lab.chains.map(({ environment }) => environment)),
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
  await patiently(() => markAsLab(pool), { clock: systemClock, log })
  const last = readLastRuntime(config.dataDir)?.apiKey ?? null
  const apiKey = await patiently(() => demoKey(pool, last), { clock: systemClock, log })
  const labUrls = {
    ...Object.fromEntries(venues.map((name) => [name, { ...lab[name].urls }])),
    binance: { ...binance.urls },
    chainlink: { ...chainlink.urls },
    glide: { ...glide.urls },
    ...Object.fromEntries(lab.chains.map(({ name, urls }) => [name, urls])),
  }
  const labKeys = Object.fromEntries(venues.map((name) => [name, { ...(lab[name] as LabVenue).credentials }]))
  writeRuntime(config.dataDir, { pid: process.pid, url, apiKey, lab: labUrls, labKeys, labControl: lab.control.url })
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
  // Built before the first visit.
  fetch(`${url}${dashboardPath}`).catch((error: unknown) =>
    log.warn({ err: error }, 'the dashboard could not be opened'),
  )
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
