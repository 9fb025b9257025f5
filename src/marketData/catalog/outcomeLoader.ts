// Outcomes are looked up one by one, often hundreds at the same moment; they are batched into few statements on few connections. A caller
// with many lookups shares every statement with the others.
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'

/** Ids per statement: their rows are decoded in a few milliseconds. */
export const idsPerStatement = 100
const statementsAtOnce = 2
/** Maximum waiting lookups; the next is refused. */
export const lookUpsWaitingMax = 10_000
/** A lookup that waited longer for its statement is refused too. */
const waitMs = 5_000

export interface OutcomeKey {
  venue: string
  outcomeId: string
}

interface LookUp<Row> extends OutcomeKey {
  since: number
  resolve(rows: Row[]): void
  reject(reason: unknown): void
}

/** Callers without an identity. */
const anonymousCaller = {}

export class OutcomeLookUps<Row extends OutcomeKey> {
  /** By asker, in the order in which they are served next. */
  private readonly waiting = new Map<object, LookUp<Row>[]>()
  private count = 0
  private running = 0
  private waking = false
  private readonly load: (keys: readonly OutcomeKey[]) => Promise<Row[]>
  private readonly clock: Clock

  /** `load` returns the rows of all keys, in any order. */
  constructor(load: (keys: readonly OutcomeKey[]) => Promise<Row[]>, clock: Clock) {
    this.load = load
    this.clock = clock
  }

  /** The rows of one outcome. Rejects with CATALOG_UNAVAILABLE when too much waits, or with what the statement failed with. */
  find(venue: string, outcomeId: string, caller: object = anonymousCaller): Promise<Row[]> {
    if (this.count >= lookUpsWaitingMax) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      const lookUp = { venue, outcomeId, since: this.clock.monotonic(), resolve, reject }
      const queue = this.waiting.get(caller)
      if (queue === undefined) this.waiting.set(caller, [lookUp])
      else queue.push(lookUp)
      this.count++
      this.wake()
    })
  }

  /** Runs after the current turn of the event loop, so that lookups made in one turn share a statement. */
  private wake(): void {
    if (this.waking) return
    this.waking = true
    queueMicrotask(() => {
      this.waking = false
      this.pump()
    })
  }

  private pump(): void {
    while (this.running < statementsAtOnce && this.count > 0) {
      const group = this.take()
      if (group.length === 0) continue
      this.running++
      void this.answer(group).then(() => {
        this.running--
        this.pump()
      })
    }
  }

  /** One key from each caller in turn. */
  private take(): LookUp<Row>[] {
    const group: LookUp<Row>[] = []
    const since = this.clock.monotonic() - waitMs
    while (group.length < idsPerStatement && this.count > 0) {
      const [caller, queue] = this.waiting.entries().next().value!
      const next = queue.shift()!
      this.count--
      this.waiting.delete(caller)
      if (queue.length > 0) this.waiting.set(caller, queue)
      if (next.since < since) next.reject(busy())
      else group.push(next)
    }
    return group
  }

  /** Never rejects. */
  private async answer(group: readonly LookUp<Row>[]): Promise<void> {
    const byKey = new Map(group.map(({ venue, outcomeId }) => [keyOf(venue, outcomeId), { venue, outcomeId }]))
    try {
      const rows = Map.groupBy(await this.load([...byKey.values()]), (row) => keyOf(row.venue, row.outcomeId))
      for (const { venue, outcomeId, resolve } of group) resolve(rows.get(keyOf(venue, outcomeId)) ?? [])
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}

const keyOf = (venue: string, outcomeId: string): string => `${venue}:${outcomeId}`

const busy = (): Fault =>
  new Fault('CATALOG_UNAVAILABLE', 'too many outcomes are being looked up', { retryAfterSeconds: 1 })
