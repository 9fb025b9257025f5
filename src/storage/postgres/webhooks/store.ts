// The statements about webhooks behind two interfaces: one for the routes, where an outage is PLATFORM_UNAVAILABLE within two seconds, and one for
// deliveries, which retry by themselves.
import { asUnavailable, inTransaction, type Pool } from '../pool.ts'
import { batched } from './batch.ts'
import { claimEndpoints, type EndpointHealth, findDue, type Release, releaseEndpoints } from './claim.ts'
import {
  deleteEndpoint,
  type EndpointChange,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockAccount,
  rotateSecret,
  setActive,
} from './endpoints.ts'
import { enqueueDeliveries } from './fanOut.ts'
import { findDelivery, listDeliveries } from './listDeliveries.ts'
import { countQueued, pruneEnded, pruneOldSecrets } from './prune.ts'
import { type Mark, recordAttempts } from './recordAttempt.ts'
import type { NewEndpoint } from './rows.ts'
import { insertTest, resendDelivery, type TestRequest } from './testRateLimit.ts'

export function createWebhookStore(pool: Pool) {
  const orUnavailable = <T>(work: Promise<T>): Promise<T> => asUnavailable('PLATFORM_UNAVAILABLE', work)
  const statementTimeoutMs = 1_500
  return {
    insertEndpoint: (wanted: NewEndpoint, endpointsMax: number) =>
      orUnavailable(
        inTransaction(
          pool,
          async (client) => {
            await lockAccount(client, wanted.accountId)
            return insertEndpoint(client, wanted, endpointsMax)
          },
          { statementTimeoutMs },
        ),
      ),
    listEndpoints: (accountId: string) => orUnavailable(listEndpoints(pool, accountId)),
    findEndpoint: (accountId: string, id: string) => orUnavailable(findEndpoint(pool, accountId, id)),
    deleteEndpoint: (change: EndpointChange) => orUnavailable(deleteEndpoint(pool, change)),
    setActive: (change: EndpointChange, active: boolean) =>
      orUnavailable(
        setActive(pool, change, active).then((changed) => changed ?? findEndpoint(pool, change.accountId, change.id)),
      ),
    rotateSecret: (change: EndpointChange, given: Parameters<typeof rotateSecret>[2]) =>
      orUnavailable(rotateSecret(pool, change, given)),
    listDeliveries: ({ accountId, ...query }: Parameters<typeof listDeliveries>[1] & { accountId: string }) =>
      orUnavailable(
        findEndpoint(pool, accountId, query.endpointId).then((found) => found && listDeliveries(pool, query)),
      ),
    findDelivery: (given: Parameters<typeof findDelivery>[1]) => orUnavailable(findDelivery(pool, given)),
    insertTest: (request: TestRequest, given: Parameters<typeof insertTest>[2]) =>
      orUnavailable(insertTest(pool, request, given)),
    resendDelivery: (request: TestRequest, deliveryId: string) =>
      orUnavailable(resendDelivery(pool, request, deliveryId)),
  }
}

const rowsAtOnce = 500

/** Uses few connections even if many receivers answer: this process's routes share the same pool. */
export function createDeliveryStore(pool: Pool) {
  return {
    fanOut: (given: Parameters<typeof enqueueDeliveries>[1]) => enqueueDeliveries(pool, given),
    claim: (given: Parameters<typeof claimEndpoints>[1]) => claimEndpoints(pool, given),
    findDue: (given: Parameters<typeof findDue>[1]) => findDue(pool, given),
    release: batched(async (releases: readonly Release[]) => {
      await releaseEndpoints(pool, releases)
      return releases
    }, rowsAtOnce),
    mark: batched((marks: readonly Mark[]) => recordAttempts(pool, marks), rowsAtOnce),
    prune: (given: Parameters<typeof pruneEnded>[1]) => pruneEnded(pool, given),
    pruneOldSecrets: (at: Date) => pruneOldSecrets(pool, at),
    countQueued: () => countQueued(pool),
  }
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>
export type { EndpointHealth }
