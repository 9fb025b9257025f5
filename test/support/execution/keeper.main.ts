// A process that serves the execution routes of real adapters, so that a test can send it secrets and then search everything it kept: its
// log on stderr, and a heap snapshot on request (`snapshot <file>` on stdin; wants --expose-gc).
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8'
import { systemClock } from '#core/clock'
import { createLog } from '#core/log'
import { CredentialBreaker } from '#orders/executions/index'
import { createPostgresKeyVerifier } from '#platform/auth/postgresVerifier'
import { startGateway } from '#server/gateway/gateway'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createPool } from '#storage/postgres/pool'
import { startStream } from '#stream/server'
import { createWorld } from '#test/src/server/http/world'
import { KeyStore, MemoryBus, testCatalog } from '#test/src/stream/support'
import { armRealLanes } from './realLanes.ts'

// Names of long strings would be truncated in the snapshot, and with them the searched text.
setFlagsFromString('--heap-snapshot-string-limit=1000000')

const [databaseUrl, venueUrl, mark, rows] = process.argv.slice(2) as [string, string, string, string]
/** Kept on purpose: it proves that the search works. */
const control = { kept: ['control', 'canary', mark].join('-') }

const log = createLog('trace')
const { armed, known, status } = armRealLanes(venueUrl, JSON.parse(rows), log)
const pool = createPool({ url: databaseUrl, log })
const { handler } = createWorld({
  log,
  verifier: createPostgresKeyVerifier(pool, { clock: systemClock, log }),
  executions: {
    breaker: new CredentialBreaker(systemClock),
    store: createExecutionStore(pool),
    knownLanes: known,
    lanes: armed,
    statusLanes: status,
    clock: systemClock,
    log,
  },
})
const stream = await startStream({
  bus: new MemoryBus(),
  clock: systemClock,
  log,
  auth: new KeyStore(),
  catalog: testCatalog,
  books: { get: () => undefined },
  limitsOf: () => ({ subscriptionsPerConnection: 1, streamConnections: 1 }),
  gatewayId: 'keeper',
})
const { url } = await startGateway({ host: '127.0.0.1', port: 0, http: handler, stream })
process.stdout.write(`${url}\n`)

for await (const line of createInterface({ input: process.stdin })) {
  // Timers of ended requests, closing sockets, and what is only freed in the next event-loop turn.
  for (let i = 0; i < 5; i++) {
    await sleep(100)
    globalThis.gc!()
  }
  writeHeapSnapshot(line)
  process.stdout.write(`${control.kept}\n`)
}
