// A compute process that will be killed: each of its tasks takes a step of an algorithm, and blocks forever at one of its awaits, or ends. It
// prints the places when all tasks are blocked or have ended. Relays are recorded in a table, through a connection of their own.
import { createInterface } from 'node:readline'
import { ManualClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { silentLog } from '#core/log'
import { type AlgorithmDeps, runStep } from '#orders/algorithms/index'
import { CredentialBreaker, createAlgorithmOrders, type ExecutionsDeps } from '#orders/executions/index'
import { createAlgorithmStore } from '#storage/postgres/algorithms/store'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createPool } from '#storage/postgres/pool'
import { createTestContext } from '#test/support/execution/context'
import { around, mortally, mortalPool } from '#test/support/execution/mortal'
import type { RelayOutcome } from '#venues/lane'
import { type AlgorithmLaneOptions, algorithmLane } from './lane.ts'

export interface DoomedAlgorithms {
  databaseUrl: string
  /** The fixed time of the world's clock, epoch ms. */
  nowMs: number
  /** One step is taken for each. */
  stopAt: readonly number[]
}

type Relayed = Parameters<NonNullable<AlgorithmLaneOptions['relayOrder']>>[0]

const work = await new Promise<DoomedAlgorithms>((resolve) => {
  createInterface({ input: process.stdin }).once('line', (line) => resolve(JSON.parse(line) as DoomedAlgorithms))
})
const clock = new ManualClock(work.nowMs)
const { context } = createTestContext('http://127.0.0.1:9')
const { stopAt } = work
const venue = createPool({ url: work.databaseUrl, log: silentLog, connectionsMax: 2 })
const lane = algorithmLane({
  needsSignature: false,
  relayOrder: around(
    (_order: Relayed) => 'relay',
    async ({ id, size }: Relayed): Promise<RelayOutcome> => {
      await venue.query('INSERT INTO test_relays (id, size) VALUES ($1, $2)', [id, size])
      return { kind: 'accepted', venueRef: id, status: 'filled', fills: [], matchedSize: size }
    },
  ),
})
const pool = mortalPool(createPool({ url: work.databaseUrl, log: silentLog, connectionsMax: stopAt.length + 2 }))

/** Each with stores of its own: inserts of several tasks would be written together. */
async function takeStep(): Promise<void> {
  const lanes = new Map([[lane.slug as string, { lane, context }]])
  const executions: ExecutionsDeps = {
    breaker: new CredentialBreaker(clock),
    store: createExecutionStore(pool),
    knownLanes: [lane],
    lanes: new Map(),
    paperLanes: lanes,
    cursors: createCursorCodec(Buffer.alloc(32)),
    clock,
    log: silentLog,
    newId: () => crypto.randomUUID(),
  }
  const bids = [{ price: 0.4, size: 100 }]
  const asks = [{ price: 0.44, size: 100 }]
  const deps: AlgorithmDeps = {
    store: createAlgorithmStore(pool),
    orders: createAlgorithmOrders(executions),
    books: { read: async () => ({ bids, asks }) },
    seal: null,
    clock,
    newId: () => crypto.randomUUID(),
    log: silentLog,
  }
  const rows = await deps.store.takeDue({ limit: 1, leaseMs: 60_000, at: new Date(work.nowMs) })
  const options = { blocks: () => false, signal: new AbortController().signal }
  for (const row of rows) await runStep(deps, row, options)
}

const places = await Promise.all(
  stopAt.map(
    (at) =>
      new Promise<string | null>((resolve) => {
        const end = (): void => resolve(null)
        mortally(at, resolve, () => takeStep().then(end, end))
      }),
  ),
)
process.stdout.write(`${JSON.stringify(places)}\n`)
