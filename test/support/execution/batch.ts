// Requests for many operations at the test venue, and what their items answer.
import type { Reply } from '#test/src/server/http/world'
import type { ExecutionStore, ExecutionWorld } from './world.ts'

type World = Pick<ExecutionWorld, 'world'>

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

export const buildAll = ({ world }: World, key: string, orders: readonly object[], more: object = {}): Promise<Reply> =>
  world.post('/v1/exec/batch/build', { orders, ...more }, keyed(key))

export const submitAll = (
  { world }: World,
  key: string,
  ids: readonly string[],
  credentials: object = { novig: { apiSecret: 'batch-secret' } },
): Promise<Reply> =>
  world.post('/v1/exec/batch/submit', { submits: ids.map((executionId) => ({ executionId })), credentials }, keyed(key))

export const cancelEverything = ({ world }: World, key: string, body: object = { confirm: true }): Promise<Reply> =>
  world.post('/v1/exec/orders/cancel-all', body, keyed(key))

interface Item {
  ok: boolean
  data?: { executionId: string; status: string }
  error?: { code: string }
}
const itemsOf = (reply: Reply): Item[] => (Array.isArray(reply.json.data) ? reply.json.data : reply.json.data.orders)

/** `ok`, or the code of the refusal. */
export const resultsOf = (reply: Reply): string[] => itemsOf(reply).map(({ ok, error }) => (ok ? 'ok' : error!.code))
export const idsOf = (reply: Reply): (string | undefined)[] => itemsOf(reply).map(({ data }) => data?.executionId)

export const novigOrders = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ venue: 'novig', size: i + 1 }))

const never = <T>(): Promise<T> => new Promise(() => undefined)

/** A process that stops for ever at its next insert, once it has made `most`. */
export const stopsAtInsert =
  (most: number) =>
  (store: ExecutionStore): ExecutionStore => {
    let made = 0
    return { ...store, insert: (wanted) => (made++ < most ? store.insert(wanted) : never()) }
  }

/** A process that stops for ever: right after the claim that follows `most` complete ones, and before every later one. */
export const stopsAtClaim =
  (most: number) =>
  (store: ExecutionStore): ExecutionStore => {
    let begun = 0
    return {
      ...store,
      async claim(claim) {
        begun++
        if (begun > most + 1) return never()
        const isLast = begun === most + 1
        const result = await store.claim(claim)
        return isLast ? never() : result
      },
    }
  }
