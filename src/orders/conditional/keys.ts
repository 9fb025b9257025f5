// Idempotency: what a key led to before, with the order in its current state.
import { Fault } from '#core/fault'
import type { ConditionalRow } from '#storage/postgres/conditional/conditionalRow'
import type { ConditionalDeps } from './ports.ts'

export interface KeyedRequest {
  accountId: string
  kind: 'arm' | 'cancel'
  key: string
  /** Hash of everything that defines the request. */
  bodySha256: Buffer
}

/** Null: the key is new. 409 when it was used for something else. */
export async function findReplay(
  { store }: Pick<ConditionalDeps, 'store'>,
  { accountId, kind, key, bodySha256 }: KeyedRequest,
): Promise<{ row: ConditionalRow; replay: true } | null> {
  const use = await store.findKey(accountId, kind, key)
  if (use === null) return null
  if (!use.bodySha256.equals(bodySha256))
    throw new Fault('IDEMPOTENCY_CONFLICT', 'this Idempotency-Key was used for another request')
  const row = await store.find(accountId, use.conditionalId)
  if (row === null) throw new Error(`conditional order ${use.conditionalId} of a key is gone`)
  return { row, replay: true }
}
