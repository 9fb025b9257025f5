// A compute process that will be killed: each of its tasks takes a bracket whose entry has ended and arms its exits, and blocks forever at one of
// its awaits, or ends. It prints the places when all tasks are blocked or have ended.
import { createInterface } from 'node:readline'
import { ManualClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { silentLog } from '#core/log'
import { armExits, type ConditionalDeps, conditionalSteps } from '#orders/conditional/index'
import { CredentialBreaker, createExitBuilds, type ExecutionsDeps, validateConditional } from '#orders/executions/index'
import { createBracketStore } from '#storage/postgres/brackets/store'
import { createConditionalStore } from '#storage/postgres/conditional/store'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createPool } from '#storage/postgres/pool'
import { createTestContext } from '#test/support/execution/context'
import { mortally, mortalPool } from '#test/support/execution/mortal'
import { tradingLane } from './world.ts'

export interface DoomedBrackets {
  databaseUrl: string
  /** The fixed time of the world's clock, epoch ms. */
  nowMs: number
  /** One bracket is taken for each. */
  stopAt: readonly number[]
}

const work = await new Promise<DoomedBrackets>((resolve) => {
  createInterface({ input: process.stdin }).once('line', (line) => resolve(JSON.parse(line) as DoomedBrackets))
})
const clock = new ManualClock(work.nowMs)
const lane = tradingLane()
const { context } = createTestContext('http://127.0.0.1:9')
const { stopAt } = work
const pool = mortalPool(createPool({ url: work.databaseUrl, log: silentLog, connectionsMax: stopAt.length + 2 }))

/** Each with stores of its own: inserts of several tasks would be written together. */
async function takeAndArm(): Promise<void> {
  const executions: ExecutionsDeps = {
    breaker: new CredentialBreaker(clock),
    store: createExecutionStore(pool),
    knownLanes: [lane],
    lanes: new Map([[lane.slug as string, { lane, context }]]),
    cursors: createCursorCodec(Buffer.alloc(32)),
    clock,
    log: silentLog,
    newId: () => crypto.randomUUID(),
  }
  const examine: ConditionalDeps['orders']['examine'] = (...given) => validateConditional(executions, ...given)
  const store = createBracketStore(pool)
  const conditional = {
    store: createConditionalStore(pool, conditionalSteps),
    orders: { examine },
    books: { availability: async () => 'live' as const },
    seal: null,
    clock,
    newId: () => crypto.randomUUID(),
  }
  const deps = { store, builds: createExitBuilds(executions), conditional }
  const rows = await store.takeDue({ limit: 1, leaseMs: 60_000, at: new Date(work.nowMs) })
  const options = { blocks: () => false, signal: new AbortController().signal }
  for (const row of rows) await armExits(deps, row, options)
}

const places = await Promise.all(
  stopAt.map(
    (at) =>
      new Promise<string | null>((resolve) => {
        const end = (): void => resolve(null)
        mortally(at, resolve, () => takeAndArm().then(end, end))
      }),
  ),
)
process.stdout.write(`${JSON.stringify(places)}\n`)
