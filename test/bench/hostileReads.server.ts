// Child process of the bench of large reads: a real gateway before a real catalog in PostgreSQL.

import { silentLog } from '#core/log'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { startGateway } from '#server/gateway/gateway'
import { createPool } from '#storage/postgres/pool'
import { sampleEvent, sampleMarket, sampleOutcome } from '../src/marketData/catalog/samples.ts'
import { createWorld, liveBook, longId } from '../src/server/http/world.ts'
import { fullOrShort } from './bench.ts'

export interface ReadsServer {
  port: number
  paths: { large: string; book: string; small: string }
}

const marketsInAll = fullOrShort(5_000, 500)
const perEvent = 5
const rules = 'This market resolves to Yes if the official source reports the outcome named in the title. '.repeat(6)

const pool = createPool({ url: process.argv[2]!, log: silentLog })
const catalog = createPostgresCatalog(pool)
const markets = Array.from({ length: marketsInAll }, (_, at) =>
  sampleMarket(`m${at}`, {
    title: `Will candidate ${at} win in district ${at % 97}?`,
    description: rules,
    volume24h: at,
    ...(at === 0 && { outcomes: [sampleOutcome('m0', 'Yes', { outcomeId: longId }), sampleOutcome('m0', 'No')] }),
  }),
)
for (let from = 0; from < markets.length; from += 500) {
  const events = []
  for (let at = from; at < from + 500; at += perEvent)
    events.push(sampleEvent(`e${at}`, markets.slice(at, at + perEvent)))
  await catalog.upsertEvents('polymarket', events, [], 1)
}
await pool.query('VACUUM ANALYZE')

// Every caller has its own key, which is also its name.
const world = createWorld({
  overrides: { catalog },
  verifier: {
    verify: (keyId) => ({
      kind: 'valid',
      principal: { accountId: keyId, keyId, plan: 'enterprise', scopes: ['read'] },
    }),
  },
})
const levels = (from: number, step: number) =>
  Array.from({ length: 13 }, (_, i): [number, number] => [from + (i * step) / 100, 10 + i])
world.cache.apply(liveBook('polymarket', longId, { bids: levels(0.3, -1), asks: levels(0.4, 1) }))
const silent = {
  open: () => ({ message: () => undefined, drained: () => undefined, closed: () => undefined }),
  stop: async () => undefined,
}
const { port } = await startGateway({ host: '127.0.0.1', port: 0, http: world.handler, stream: silent })
// The bench has ended.
process.on('disconnect', () => process.exit(0))
const server: ReadsServer = {
  port,
  paths: {
    large: '/api/polymarket/fetchMarkets?query=candidate&limit=1000',
    book: `/api/polymarket/fetchOrderBook?outcomeId=${longId}`,
    small: '/api/polymarket/fetchMarkets?query=candidate&limit=10',
  },
}
process.send!(server)
