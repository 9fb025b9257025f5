// The lab on its own: `node lab/main.ts --rate 5 --port 4000`. Prints one line when it serves; Ctrl-C stops it.
import { parseArgs } from 'node:util'
import { createLog } from '#core/log'
import { startLab } from './lab.ts'
import { type LabVenue, readVenueNames } from './venues.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '2' },
    markets: { type: 'string' },
    port: { type: 'string', default: '0' },
    venues: { type: 'string' },
    feeds: { type: 'boolean', default: false },
    bridge: { type: 'boolean', default: false },
    chains: { type: 'boolean', default: false },
    recordings: { type: 'string' },
  },
})

const venues = readVenueNames(values.venues)
const lab = await startLab({
  seed: values.seed,
  ratePerSecond: Number(values.rate),
  markets: values.markets === undefined ? undefined : Number(values.markets),
  port: Number(values.port),
  venues,
  feeds: values.feeds,
  bridge: values.bridge,
  chains: values.chains,
  recordings: values.recordings,
  log: createLog('info'),
})

const shown = ({ urls, credentials, settings }: LabVenue) => ({
  urls,
  ...(credentials === undefined ? {} : { credentials }),
  ...(settings === undefined ? {} : { settings }),
})
const feedUrls = () => ({ binance: { urls: lab.feeds.binance.urls }, chainlink: { urls: lab.feeds.chainlink.urls } })
const ready = {
  control: lab.control,
  ...Object.fromEntries(venues.map((name) => [name, shown(lab[name])])),
  ...(values.feeds ? feedUrls() : {}),
  ...Object.fromEntries(lab.chains.map(({ name, urls }) => [name, { urls }])),
  ...(values.bridge ? { glide: { urls: lab.bridge.urls, credentials: lab.bridge.credentials } } : {}),
}
process.stdout.write(`crossbook-lab ready ${JSON.stringify(ready)}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void lab.stop())
