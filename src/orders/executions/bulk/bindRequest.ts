// A key belongs to one request, whatever became of its items: it is bound before the first of them begins.
import { hashOf } from '#core/canonicalJson'
import type { BulkRequest } from '#storage/postgres/executions/bulkRequests'
import { otherRequest } from '../persist.ts'
import type { Caller, ExecutionsDeps } from '../ports.ts'

/** `identity`: everything that defines the request; never a signature or a credential. Throws IDEMPOTENCY_CONFLICT. */
export async function bindRequest(
  { store, clock }: Pick<ExecutionsDeps, 'store' | 'clock'>,
  { accountId }: Pick<Caller, 'accountId'>,
  { kind, key, identity }: Pick<BulkRequest, 'kind' | 'key'> & { identity: unknown },
): Promise<void> {
  const bodySha256 = hashOf(identity)
  if (!(await store.bindBulk({ accountId, kind, key, bodySha256, at: new Date(clock.now()) }))) throw otherRequest()
}
