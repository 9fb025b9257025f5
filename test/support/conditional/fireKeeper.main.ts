// A process that submits conditional orders like the compute role, so that a test can search everything it kept of their artifacts: its log
// on stderr, and a heap snapshot on request (`<file>` on stdin; wants --expose-gc).
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8'
import { spawnFiring } from '#actors/firing/conditionalSubmitActor'
import { start } from '#actors/system'
import { systemClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { createLog } from '#core/log'
import { conditionalSteps, createArtifactSeal, parseSealKeys } from '#orders/conditional/index'
import { CredentialBreaker, createFiredExecutions } from '#orders/executions/index'
import { createConditionalStore } from '#storage/postgres/conditional/store'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createPool } from '#storage/postgres/pool'
import { createTestContext } from '#test/support/execution/context'
import { signedLane } from './signedLane.ts'

// Names of long strings would be truncated in the snapshot, and with them the searched text.
setFlagsFromString('--heap-snapshot-string-limit=1000000')

const [databaseUrl, venueUrl, key, mark] = process.argv.slice(2) as [string, string, string, string]
/** Kept on purpose: it proves that the search works. */
const control = { kept: ['control', 'canary', mark].join('-') }
const log = createLog('trace')
const pool = createPool({ url: databaseUrl, log })
const lane = signedLane()
const { context } = createTestContext(venueUrl)
spawnFiring(start(), {
  store: createConditionalStore(pool, conditionalSteps),
  executions: createFiredExecutions(
    {
      breaker: new CredentialBreaker(systemClock),
      store: createExecutionStore(pool),
      knownLanes: [lane],
      lanes: new Map([[lane.slug as string, { lane, context }]]),
      cursors: createCursorCodec(Buffer.alloc(32)),
      clock: systemClock,
      log,
      newId: () => crypto.randomUUID(),
    },
    { blocks: () => false, signal: new AbortController().signal },
  ),
  seal: createArtifactSeal(() => parseSealKeys(key)),
  pace: { pollMs: 50, atOnce: 8 },
  clock: systemClock,
  log,
  random: Math.random,
})
process.stdout.write('firing\n')

for await (const line of createInterface({ input: process.stdin })) {
  // Timers of ended requests, closing sockets, and what is only freed in the next event-loop turn.
  for (let i = 0; i < 5; i++) {
    await sleep(100)
    globalThis.gc!()
  }
  writeHeapSnapshot(line)
  process.stdout.write(`${control.kept}\n`)
}
