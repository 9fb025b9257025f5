// The lab on its own: `node src/lab/main.ts --rate 5 --port 4000`. Prints one line when it serves; Ctrl-C stops it.
import { parseArgs } from 'node:util'
import { createLog } from '#lib/log'
import { type LabVenueName, startLab } from './lab.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '2' },
    markets: { type: 'string' },
    port: { type: 'string', default: '0' },
    venues: { type: 'string', default: 'polymarket,kalshi' },
    recordings: { type: 'string' },
  },
})

const lab = await startLab({
  seed: values.seed,
  ratePerSecond: Number(values.rate),
  markets: values.markets === undefined ? undefined : Number(values.markets),
  port: Number(values.port),
  venues: values.venues.split(',') as LabVenueName[],
  recordings: values.recordings,
  log: createLog('info'),
})

const has = (name: LabVenueName) => values.venues.split(',').includes(name)
const ready = {
  control: lab.control,
  ...(has('polymarket') ? { polymarket: { urls: lab.polymarket.urls } } : {}),
  ...(has('kalshi') ? { kalshi: { urls: lab.kalshi.urls, credentials: lab.kalshi.credentials } } : {}),
  ...(has('gemini') ? { gemini: { urls: lab.gemini.urls, credentials: lab.gemini.credentials } } : {}),
  ...(has('polymarket_us')
    ? { polymarket_us: { urls: lab.polymarket_us.urls, credentials: lab.polymarket_us.credentials } }
    : {}),
  ...(has('hyperliquid') ? { hyperliquid: { urls: lab.hyperliquid.urls } } : {}),
}
process.stdout.write(`crossbook-lab ready ${JSON.stringify(ready)}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void lab.stop())
