// Rows of a size other than the published one, in a cluster of processes: a gateway sends a query, and every compute process responds for
// its share of the clusters.

import { type ArbitrageQuery, bestFirst, type FoundRow } from '#arbitrage/fetchArbitrage'
import { clusterOfKey, hasPriority } from '#arbitrage/sharding/rendezvousHash'
import { readRows, rowBatches } from '#arbitrage/sharding/rowBatch'
import { bestOf } from '#arbitrage/topK'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { type SurfaceAnswer, type SurfaceQuestion, surfaceTimeoutMs } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'

const answerWithinMs = 1_500
/** Maximum open queries per gateway; each costs a compute process some milliseconds. */
const openMax = 16
type QueryBus = Pick<Bus, 'publish' | 'subscribe'>

/** `rowsOf` null: this process has no valid rows now, or is overloaded, and does not respond. */
export async function answerSizes(
  bus: QueryBus,
  log: Log,
  memberId: string,
  rowsOf: (contracts: number, query: ArbitrageQuery) => Promise<FoundRow[] | null>,
): Promise<Stop> {
  async function answer({ id, contracts, query }: SurfaceQuestion): Promise<void> {
    const found = await rowsOf(contracts, query as unknown as ArbitrageQuery)
    if (found === null) return
    const batches = [...rowBatches(found, [])]
    batches.forEach(({ rows, body }, i) => {
      bus.publish('surfaceAnswers', id, {
        id,
        memberId,
        part: { i: i + 1, last: i + 1 === batches.length },
        rows,
        body,
      })
    })
  }
  return bus.subscribe('surfaceQuestions', (question) => {
    answer(question).catch((error: unknown) => log.error({ err: error }, 'failed to compute rows of another size'))
  })
}

export interface SizedQueryClient {
  /** Null when not all processes responded in time, or too many queries are open. */
  fetchRows(contracts: number, query: ArbitrageQuery): Promise<FoundRow[] | null>
  stop: Stop
}

interface OpenQuery {
  waitingFor: Set<string>
  /** Parts received from each process. */
  parts: Map<string, number>
  rows: Map<string, { row: FoundRow; memberId: string }>
  limit: number
  deadline: Timer
  done(rows: FoundRow[] | null): void
}

/** `askerId`: unique per running gateway. */
export async function startSizedQueryClient(bus: QueryBus, clock: Clock, gatewayId: string): Promise<SizedQueryClient> {
  const activeMembers = new Map<string, number>()
  const open = new Map<string, OpenQuery>()
  let queryCount = 0

  function finish(id: string, rows: FoundRow[] | null): void {
    const question = open.get(id)
    if (question === undefined) return
    open.delete(id)
    question.deadline.cancel()
    question.done(rows)
  }

  function take(answer: SurfaceAnswer): void {
    const { id, memberId, part } = answer
    const question = open.get(id)
    if (question === undefined || (question.parts.get(memberId) ?? 0) !== part.i - 1) return
    question.parts.set(memberId, part.i)
    // When two processes have a row, the one that owns the cluster wins.
    for (const { key, facts, body, from, size } of readRows(answer)) {
      const before = question.rows.get(key)
      if (before !== undefined && !hasPriority(memberId, before.memberId, clusterOfKey(key))) continue
      // A copy: the message's bytes are part of a whole fetch.
      const bytes = Buffer.from(body.subarray(from, from + size))
      question.rows.set(key, { row: { ...facts, key, bytes, size }, memberId })
    }
    if (!part.last) return
    question.waitingFor.delete(memberId)
    if (question.waitingFor.size > 0) return
    const rows = [...question.rows.values()].map(({ row }) => row)
    finish(id, bestOf(rows, question.limit, bestFirst))
  }

  const stops = await Promise.all([
    bus.subscribe('surfaceBeats', ({ memberId, state }) => {
      if (state === 'up') activeMembers.set(memberId, clock.monotonic())
      else activeMembers.delete(memberId)
    }),
    bus.subscribe('surfaceAnswers', take),
  ])
  return {
    fetchRows(contracts, query) {
      for (const [id, at] of activeMembers) if (clock.monotonic() - at > surfaceTimeoutMs) activeMembers.delete(id)
      if (activeMembers.size === 0 || open.size >= openMax) return Promise.resolve(null)
      const id = `${gatewayId}:${queryCount++}`
      return new Promise((done) => {
        const deadline = clock.after(answerWithinMs, () => finish(id, null))
        open.set(id, {
          waitingFor: new Set(activeMembers.keys()),
          parts: new Map(),
          rows: new Map(),
          limit: query.limit,
          deadline,
          done,
        })
        bus.publish('surfaceQuestions', id, { id, contracts, query: { ...query } })
      })
    },
    async stop() {
      for (const id of [...open.keys()]) finish(id, null)
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}
