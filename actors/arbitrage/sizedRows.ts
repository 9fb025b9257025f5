// Rows of another size than the published one, in a cluster: a gateway asks, every compute process answers for its share of the clusters.
import type { ArbitrageQuery } from '#arbitrage/restTwin'
import type { ArbitrageRow } from '#arbitrage/row'
import { clusterOfKey, precedes } from '#arbitrage/spread/split'
import type { Clock, Timer } from '#lib/clock'
import { type SurfaceAnswer, surfaceSilentMs } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'

const answerWithinMs = 1_500
/** Questions one gateway has open at a time; each is some milliseconds of a compute process. */
const openMax = 16
/** Bytes of one message. */
const pieceBytes = 256 * 1024

type Ear = Pick<Bus, 'publish' | 'subscribe'>

/** `rowsOf` null: this process has nothing to vouch for now, and says nothing. */
export async function answerSizes(
  bus: Ear,
  memberId: string,
  rowsOf: (contracts: number, query: ArbitrageQuery) => Buffer | null,
): Promise<Stop> {
  return bus.subscribe('surfaceQuestions', ({ id, contracts, query }) => {
    const rows = rowsOf(contracts, query as unknown as ArbitrageQuery)
    if (rows === null) return
    const n = Math.max(1, Math.ceil(rows.length / pieceBytes))
    for (let i = 1; i <= n; i++) {
      const body = rows.subarray((i - 1) * pieceBytes, i * pieceBytes)
      bus.publish('surfaceAnswers', id, { id, memberId, part: { i, n }, body })
    }
  })
}

export interface SizeAsker {
  /** Null where not all processes answered in time, or too much is being asked. */
  ask(contracts: number, query: ArbitrageQuery): Promise<Buffer | null>
  stop: Stop
}

interface Question {
  waitingFor: Set<string>
  pieces: Map<string, Buffer[]>
  limit: number
  deadline: Timer
  done(rows: Buffer | null): void
}

/** `askerId`: unique per running gateway. */
export async function startSizeAsker(bus: Ear, clock: Clock, askerId: string): Promise<SizeAsker> {
  const heard = new Map<string, number>()
  const open = new Map<string, Question>()
  let asked = 0

  function finish(id: string, rows: Buffer | null): void {
    const question = open.get(id)
    if (question === undefined) return
    open.delete(id)
    question.deadline.cancel()
    question.done(rows)
  }

  function take({ id, memberId, part, body }: SurfaceAnswer): void {
    const question = open.get(id)
    if (question === undefined) return
    const pieces = question.pieces.get(memberId) ?? []
    if (pieces.length !== part.i - 1) return
    // A copy: the message's bytes are a piece of a whole fetch.
    pieces.push(Buffer.from(body))
    question.pieces.set(memberId, pieces)
    if (part.i < part.n) return
    question.waitingFor.delete(memberId)
    if (question.waitingFor.size === 0) finish(id, merged(question))
  }

  const stops = await Promise.all([
    bus.subscribe('surfaceBeats', ({ memberId, state }) => {
      if (state === 'up') heard.set(memberId, clock.now())
      else heard.delete(memberId)
    }),
    bus.subscribe('surfaceAnswers', take),
  ])
  return {
    ask(contracts, query) {
      for (const [id, at] of heard) if (clock.now() - at > surfaceSilentMs) heard.delete(id)
      if (heard.size === 0 || open.size >= openMax) return Promise.resolve(null)
      const id = `${askerId}:${asked++}`
      return new Promise((done) => {
        const deadline = clock.after(answerWithinMs, () => finish(id, null))
        open.set(id, { waitingFor: new Set(heard.keys()), pieces: new Map(), limit: query.limit, deadline, done })
        bus.publish('surfaceQuestions', id, { id, contracts, query: { ...query } })
      })
    },
    async stop() {
      for (const id of [...open.keys()]) finish(id, null)
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}

/** Best first over all; of a row that two processes have, the one the cluster belongs to. */
function merged({ pieces, limit }: Question): Buffer {
  const rows = new Map<string, { row: ArbitrageRow; memberId: string }>()
  for (const [memberId, bytes] of pieces) {
    for (const row of JSON.parse(Buffer.concat(bytes).toString()) as ArbitrageRow[]) {
      const before = rows.get(row.clusterId)
      if (before !== undefined && !precedes(memberId, before.memberId, clusterOfKey(row.clusterId))) continue
      rows.set(row.clusterId, { row, memberId })
    }
  }
  const sorted = [...rows.values()].map(({ row }) => row).sort(bestFirst)
  return Buffer.from(JSON.stringify(sorted.slice(0, limit)))
}

function bestFirst(a: ArbitrageRow, b: ArbitrageRow): number {
  if (a.executable !== b.executable) return a.executable ? -1 : 1
  const [x, y] = [a.netEdge ?? Number.NEGATIVE_INFINITY, b.netEdge ?? Number.NEGATIVE_INFINITY]
  if (x !== y) return y > x ? 1 : -1
  return a.clusterId < b.clusterId ? -1 : 1
}
