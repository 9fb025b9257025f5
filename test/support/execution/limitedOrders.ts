// An account's risk limits, and orders that are built and submitted under them.
import { randomUUID } from 'node:crypto'
import type { RiskLimitKind } from '#schemas/riskLimits'
import type { RiskLimitChange } from '#storage/postgres/risk/limits'
import type { Reply } from '#test/src/server/http/world'
import { idOf, untilAnswered } from './suite.ts'
import type { ExecutionWorld } from './world.ts'

export interface LimitedOrders {
  set(kind: RiskLimitKind, value: string, more?: Partial<RiskLimitChange>): Promise<unknown>
  build(order: object, venue?: string): Promise<Reply>
  submit(id: string, venue?: string, key?: string): Promise<Reply>
  /** Builds and submits; returns the reply of the submit. */
  place(order: object, venue?: string): Promise<Reply>
  /** Calls are then made with another key of the account. */
  useKey(keyId: string): void
}

export function limitedOrders(world: ExecutionWorld): LimitedOrders {
  const { accountId } = world
  const post = (path: string, body: object, venue: string, key: string = randomUUID()): Promise<Reply> =>
    world.world.post(`/v1/exec/${venue}/orders/${path}`, body, { headers: { 'idempotency-key': key } })
  /** Repeated under its key while a busy machine answers 503. */
  const build = async (order: object, venue = 'novig') => {
    const key = randomUUID()
    const { reply } = await untilAnswered(() => post('build', order, venue, key))
    return reply
  }
  const submit = (id: string, venue = 'novig', key?: string) =>
    post(`${id}/submit`, { apiSecret: 'secret' }, venue, key)
  return {
    set: (kind, value, more = {}) =>
      world.risk.store.set({
        accountId,
        keyId: null,
        venue: null,
        kind,
        value,
        onBreach: 'refuse',
        by: 'anna',
        at: new Date(),
        ...more,
      }),
    build,
    submit,
    place: async (order, venue) => submit(idOf(await build(order, venue)), venue),
    useKey(keyId) {
      world.world.verifications.next = {
        kind: 'valid',
        principal: { accountId, keyId, plan: 'enterprise', scopes: ['read', 'trade'] },
      }
    },
  }
}
