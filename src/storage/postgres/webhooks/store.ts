// The statements of webhooks behind two faces: one for the routes, where an outage is PLATFORM_UNAVAILABLE within two seconds, and one for
// the deliveries, which try again by themselves.
import { asUnavailable, inTransaction, type Pool } from '../pool.ts'
import { claimEndpoints, findDue, type Release, releaseEndpoints, type Standing } from './claim.ts'
import { deleteEndpoint, hasEndpoint, insertEndpoint, listEndpoints, lockAccount } from './endpoints.ts'
import { fanOut } from './fanOut.ts'
import { listDeliveries } from './listDeliveries.ts'
import { type Mark, markAttempts } from './mark.ts'
import { countQueued, pruneEnded } from './prune.ts'
import type { NewEndpoint } from './rows.ts'
import { together } from './together.ts'

export function createWebhookStore(pool: Pool) {
  const now = <T>(work: Promise<T>): Promise<T> => asUnavailable('PLATFORM_UNAVAILABLE', work)
  const statementTimeoutMs = 1_500
  return {
    insertEndpoint: (wanted: NewEndpoint, endpointsMax: number) =>
      now(
        inTransaction(
          pool,
          async (client) => {
            await lockAccount(client, wanted.accountId)
            return insertEndpoint(client, wanted, endpointsMax)
          },
          { statementTimeoutMs },
        ),
      ),
    listEndpoints: (accountId: string) => now(listEndpoints(pool, accountId)),
    deleteEndpoint: (accountId: string, id: string) => now(deleteEndpoint(pool, accountId, id)),
    listDeliveries: ({ accountId, ...query }: Parameters<typeof listDeliveries>[1] & { accountId: string }) =>
      now(hasEndpoint(pool, accountId, query.endpointId).then((owned) => (owned ? listDeliveries(pool, query) : null))),
  }
}

const rowsAtOnce = 500

/** Holds few connections however many receivers answer: the routes of this process live from the same pool. */
export function createDeliveryStore(pool: Pool) {
  return {
    fanOut: (given: Parameters<typeof fanOut>[1]) => fanOut(pool, given),
    claim: (given: Parameters<typeof claimEndpoints>[1]) => claimEndpoints(pool, given),
    findDue: (given: Parameters<typeof findDue>[1]) => findDue(pool, given),
    release: together(async (releases: readonly Release[]) => {
      await releaseEndpoints(pool, releases)
      return releases
    }, rowsAtOnce),
    /** False: it was no longer to be written, see there. */
    mark: together((marks: readonly Mark[]) => markAttempts(pool, marks), rowsAtOnce),
    prune: (given: Parameters<typeof pruneEnded>[1]) => pruneEnded(pool, given),
    countQueued: () => countQueued(pool),
  }
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>
export type { Standing }
