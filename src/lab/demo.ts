// `npm run demo`: everything on this machine, against lab venues. Nothing to install, no account, no network.
import { readConfig } from '#config'
import { systemClock } from '#lib/clock'
import { createLog } from '#lib/log'
import { createKey } from '#platform/auth/keys'
import { startCrossbook } from '#run/crossbook'
import { printReady, stopOnSignals, streamUrl } from '#run/process'
import { removeRuntime, writeRuntime } from '#run/runtimeFile'
import { startLab } from './lab.ts'

/** Synthetic messages per second and market: lively to look at, light on a laptop. */
const ratePerSecond = 4

try {
  const lab = await startLab({ seed: 'demo', ratePerSecond })
  const config = readConfig({
    LOG_LEVEL: 'warn',
    // Rows that move while one looks.
    CROSSBOOK_ARBITRAGE_INTERVAL_MS: '250',
    CROSSBOOK_KALSHI_LANE: 'true',
    CROSSBOOK_WEBHOOKS: 'true',
    CROSSBOOK_EXECUTION_WEBHOOKS: 'true',
    // Where docs/examples/webhook.mjs listens. Nothing else of this machine is called.
    CROSSBOOK_WEBHOOK_ALLOW: '127.0.0.1:8090',
    ...process.env,
    DATA_DIR: process.env.DATA_DIR || '.data/demo',
    CROSSBOOK_POLYMARKET_CLOB_URL: lab.polymarket.urls.CLOB,
    CROSSBOOK_POLYMARKET_GAMMA_URL: lab.polymarket.urls.GAMMA,
    CROSSBOOK_POLYMARKET_DATA_URL: lab.polymarket.urls.DATA,
    CROSSBOOK_POLYMARKET_WS_URL: lab.polymarket.urls.WS,
    CROSSBOOK_KALSHI_REST_URL: lab.kalshi.urls.REST,
    CROSSBOOK_KALSHI_WS_URL: lab.kalshi.urls.WS,
    CROSSBOOK_KALSHI_API_KEY_ID: lab.kalshi.credentials.API_KEY_ID,
    CROSSBOOK_KALSHI_PRIVATE_KEY_PEM: lab.kalshi.credentials.PRIVATE_KEY_PEM,
  })
  const log = createLog(config.logLevel)
  const crossbook = await startCrossbook(config, { clock: systemClock, log })
  const { url, pool } = crossbook
  if (url === null || pool === null) throw new Error('the demo runs every role: unset ROLES')
  const { apiKey } = await createKey(pool, { account: 'demo', plan: 'enterprise', scopes: ['read', 'trade'] })
  writeRuntime(config.dataDir, { pid: process.pid, url, apiKey, lab: { CLOB: lab.polymarket.urls.CLOB } })
  stopOnSignals(async () => {
    removeRuntime(config.dataDir)
    await crossbook.stop()
    await lab.stop()
  }, log)
  await crossbook.ready
  printReady({ url, stream: streamUrl(url), apiKey, lab: lab.control.url })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
