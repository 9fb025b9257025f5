// `npm run demo`: everything on this machine, against lab venues. Nothing to install, no account, no network.
// `npm run demo -- --venues polymarket,kalshi,gemini` has more of them.
import { parseArgs } from 'node:util'
import { readConfig } from '#config'
import { systemClock } from '#lib/clock'
import { createLog } from '#lib/log'
import { createKey } from '#platform/auth/keys'
import { startCrossbook } from '#run/crossbook'
import { printReady, stopOnSignals, streamUrl } from '#run/process'
import { removeRuntime, writeRuntime } from '#run/runtimeFile'
import { wrongVenueSettings } from '#run/venueSettings'
import { builtVenues } from '#schemas/venues'
import { patiently } from '#storage/postgres/patiently'
import { type Lab, type LabVenueName, labVenueNames, startLab } from './lab.ts'

/** Synthetic messages per second and market: lively to look at, light on a laptop. */
const ratePerSecond = 4

const demoKey = { account: 'demo', plan: 'enterprise', scopes: ['read', 'trade'] } as const

/** Where the lab's venues are, in the words of the configuration. */
const addresses = (lab: Lab, venues: readonly LabVenueName[]): Record<string, string> =>
  Object.fromEntries(
    venues.flatMap((venue) =>
      Object.entries(lab[venue].urls).map(([name, url]) => [`CROSSBOOK_${venue.toUpperCase()}_${name}_URL`, url]),
    ),
  )

try {
  const { values } = parseArgs({ options: { venues: { type: 'string', default: 'polymarket,kalshi' } } })
  const asked = values.venues.split(',')
  const venues = labVenueNames.filter((name) => asked.includes(name))
  if (venues.length < asked.length) throw new Error(`the lab has ${labVenueNames.join(', ')}, not ${values.venues}`)
  const lab = await startLab({ seed: 'demo', ratePerSecond, venues })
  const config = readConfig(
    {
      LOG_LEVEL: 'warn',
      // Rows that move while one looks.
      CROSSBOOK_ARBITRAGE_INTERVAL_MS: '250',
      CROSSBOOK_KALSHI_LANE: String(venues.includes('kalshi')),
      CROSSBOOK_GEMINI_LANE: String(venues.includes('gemini')),
      CROSSBOOK_WEBHOOKS: 'true',
      CROSSBOOK_EXECUTION_WEBHOOKS: 'true',
      // Where docs/examples/webhook.mjs listens. Nothing else of this machine is called.
      CROSSBOOK_WEBHOOK_ALLOW: '127.0.0.1:8090',
      ...process.env,
      DATA_DIR: process.env.DATA_DIR || '.data/demo',
      VENUES: venues.filter((venue) => (builtVenues as readonly string[]).includes(venue)).join(','),
      ...addresses(lab, venues),
      ...(venues.includes('kalshi')
        ? {
            CROSSBOOK_KALSHI_API_KEY_ID: lab.kalshi.credentials.API_KEY_ID,
            CROSSBOOK_KALSHI_PRIVATE_KEY_PEM: lab.kalshi.credentials.PRIVATE_KEY_PEM,
          }
        : {}),
    },
    wrongVenueSettings,
  )
  const log = createLog(config.logLevel)
  const crossbook = await startCrossbook(config, { clock: systemClock, log })
  const { url, pool } = crossbook
  if (url === null || pool === null) throw new Error('the demo runs every role: unset ROLES')
  const { apiKey } = await patiently(() => createKey(pool, demoKey), { clock: systemClock, log })
  const labUrls: Record<string, string> = venues.includes('polymarket') ? { CLOB: lab.polymarket.urls.CLOB } : {}
  writeRuntime(config.dataDir, { pid: process.pid, url, apiKey, lab: labUrls })
  stopOnSignals(
    async () => {
      removeRuntime(config.dataDir)
      await crossbook.stop()
      await lab.stop()
    },
    log,
    { withParent: config.startedByNpm },
  )
  await crossbook.ready
  printReady({ url, stream: streamUrl(url), apiKey, lab: lab.control.url })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
