// A process that will be killed: it runs many jobs at once, each of which blocks forever at one of its awaits (or ends),
// and reports that on stdout.
import { createInterface } from 'node:readline'
import { systemClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { silentLog } from '#core/log'
import { buildOrder } from '#orders/executions/build'
import { deriveExecution } from '#orders/executions/cancelOrModify'
import { CredentialBreaker } from '#orders/executions/index'
import type { ExecutionsDeps } from '#orders/executions/ports'
import { refreshExecution } from '#orders/executions/readOrderChain'
import { submitExecution } from '#orders/executions/submit'
import { createRiskChecks } from '#orders/risk/index'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createPool } from '#storage/postgres/pool'
import { createRiskStore } from '#storage/postgres/risk/store'
import { testLane } from './lane.ts'
import { mortally, mortalPool } from './mortal.ts'
import { armAtLab, type LabOfJob, mortalContextAt } from './mortalLane.ts'

export type DoomedVerb = 'build' | 'submit' | 'refresh' | 'cancel' | 'modify'

export interface DoomedJob {
  name: string
  verb: DoomedVerb
  key: string
  /** Empty for a build. */
  executionId: string
  body: Record<string, unknown>
  /** 1 is before the first await that leaves the process; 0 is never. */
  stopAt: number
  /** An adapter with its lab; default: the test adapter at the test venue. */
  lab?: LabOfJob
}

/** `at`: where it blocked; absent if it ended. */
export interface DoomedReport {
  name: string
  at?: string
}

const [databaseUrl, venueUrl, accountId] = process.argv.slice(2) as [string, string, string]

/** Maximum of concurrent jobs. More would wait for connections, and fail for that reason. */
const onTheirWayMax = 16
let onTheirWay = 0
const waiting: DoomedJob[] = []

/** A job is blocked, or has ended. */
function leave(): void {
  onTheirWay--
  goOn()
}
function goOn(): void {
  while (onTheirWay < onTheirWayMax && waiting.length > 0) {
    const job = waiting.shift()!
    onTheirWay++
    // A rejection is an end like any other; the test checks what it means.
    const done = (): void => {
      report({ name: job.name })
      leave()
    }
    mortally(
      job.stopAt,
      (at) => {
        report({ name: job.name, at })
        leave()
      },
      () => work(job).then(done, done),
    )
  }
}

const report = (word: DoomedReport): void => void process.stdout.write(`${JSON.stringify(word)}\n`)

const context = mortalContextAt(venueUrl)
const lane = testLane()
// Each job may block while it holds a connection.
const pool = createPool({ url: databaseUrl, log: silentLog, connectionsMax: 64 })
const unread = () => Promise.reject(new Error('no limit of these tests needs a book or the portfolio'))
const deps: ExecutionsDeps = {
  breaker: new CredentialBreaker(systemClock),
  store: createExecutionStore(mortalPool(pool)),
  risk: createRiskChecks({
    store: createRiskStore(pool),
    books: { read: unread },
    portfolio: { read: unread },
    tradesOf: unread,
    portfolioReads: { run: unread },
    worstLoss: unread,
    isDollar: () => true,
    halt: unread,
    clock: systemClock,
    log: silentLog,
  }),
  knownLanes: [lane],
  lanes: new Map([[lane.slug as string, { lane, context }]]),
  cursors: createCursorCodec(Buffer.alloc(32)),
  clock: systemClock,
  log: silentLog,
  newId: () => crypto.randomUUID(),
}
const caller = { country: null, isBlocked: false, signal: new AbortController().signal }

const callerOf = (id: string) => ({ ...caller, accountId: id, keyId: id })

async function depsAt(lab: LabOfJob): Promise<ExecutionsDeps> {
  const { clock, armed } = await armAtLab(lab, context)
  return { ...deps, clock, knownLanes: [armed.lane], lanes: new Map([[lab.venue, armed]]) }
}

async function work({ verb, key, executionId, body, lab }: DoomedJob): Promise<unknown> {
  const venue = lab?.venue ?? lane.slug
  const given = lab === undefined ? deps : await depsAt(lab)
  const jobCaller = callerOf(lab?.accountId ?? accountId)
  const request = { venue, executionId, key, body }
  if (verb === 'build') return buildOrder(given, jobCaller, venue, key, body)
  if (verb === 'submit') return submitExecution(given, jobCaller, request)
  if (verb === 'refresh') return refreshExecution(given, jobCaller, request)
  return deriveExecution(given, jobCaller, verb, request)
}

createInterface({ input: process.stdin }).on('line', (line) => {
  waiting.push(JSON.parse(line) as DoomedJob)
  goOn()
})
