// A process that submits one execution and says on stdout where it stands, so that a test can kill it there.
import { CredentialBreaker } from '#executions/index'
import { submitExecution } from '#executions/submit'
import { systemClock } from '#lib/clock'
import { createCursorCodec } from '#lib/cursor'
import { silentLog } from '#lib/log'
import { createHttpClient } from '#net/httpClient'
import { createHttpSender } from '#net/httpSender'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createPool } from '#storage/postgres/pool'
import { testLane } from './lane.ts'

const [databaseUrl, venueUrl, accountId, executionId, key, stopAt] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
/** Stands still at the named point until it is killed. */
const point = async (name: string): Promise<void> => {
  if (name !== stopAt) return
  process.stdout.write(`at ${name}\n`)
  await new Promise(() => setInterval(() => undefined, 1_000))
}
const store = createExecutionStore(createPool({ url: databaseUrl, log: silentLog, connectionsMax: 2 }))
const lane = testLane()
const submit = lane.submit!
const http = createHttpClient({ venue: 'novig', requestsPerSecond: 100 })
const sender = createHttpSender()
await submitExecution(
  {
    breaker: new CredentialBreaker(systemClock),
    store: {
      ...store,
      async claim(claim) {
        await point('beforeClaim')
        const result = await store.claim(claim)
        await point('afterClaim')
        return result
      },
      async move(move, outcome) {
        await point('beforeRecord')
        const row = await store.move(move, outcome)
        await point('afterRecord')
        return row
      },
    },
    knownLanes: [lane],
    lanes: new Map([
      [
        'novig',
        {
          lane: {
            ...lane,
            submit: {
              ...submit,
              async relay(...given: Parameters<typeof submit.relay>) {
                await point('beforeRelay')
                const outcome = await submit.relay(...given)
                await point('afterRelay')
                return outcome
              },
            },
          },
          context: (signal) => ({
            http,
            sender,
            clock: systemClock,
            log: silentLog,
            urls: { REST: venueUrl },
            signal,
            catalog: {
              outcome: () => Promise.reject(new Error('unused')),
              side: () => Promise.reject(new Error('unused')),
            },
            randomBytes: (length: number) => new Uint8Array(length),
            randomUuid: () => 'unused',
          }),
        },
      ],
    ]),
    cursors: createCursorCodec(Buffer.alloc(32)),
    clock: systemClock,
    log: silentLog,
    newId: () => 'unused',
  },
  { accountId, keyId: accountId, country: null, signal: new AbortController().signal },
  { venue: 'novig', executionId, key, body: { apiSecret: 'canary-secret-9f2c' } },
)
process.stdout.write('done\n')
