// Connects the reconciliation to the lanes that read accounts, with the same care for credentials as in a refresh.
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import type { Catalog } from '#marketData/catalog/catalog'
import type { CredentialBreaker } from '#orders/executions/index'
import type { JournalReader } from '#portfolio/ports'
import type { HoldingsVenue, ReconciliationDeps } from '#portfolio/reconciliation/index'
import { findVenueOrders } from '#storage/postgres/executions/findVenueOrders'
import { asUnavailable, type Pool } from '#storage/postgres/pool'
import type { HoldingsReader } from '#venues/holdings'
import type { LaneContext } from '#venues/lane'
import { statusLanes } from '#venues/registry'
import { CredentialRefusal } from '#venues/shared/exec/mapReadError'
import type { RunningLanes } from './lanes.ts'

export interface ReconciliationOptions {
  pool: Pool
  lanes: RunningLanes
  breaker: CredentialBreaker
  portfolio: JournalReader
  catalog: Pick<Catalog, 'findMarketsByIds' | 'findOutcomes'>
  clock: Clock
  log: Log
}

export function openReconciliation(options: ReconciliationOptions): ReconciliationDeps {
  const { pool, lanes, breaker, portfolio, catalog, clock, log } = options
  const venues = new Map<string, HoldingsVenue>()
  const unsupported = new Map<string, string>()
  for (const { slug, holdings, noHoldings } of [...lanes.known, ...statusLanes]) {
    const running = lanes.armed.get(slug) ?? lanes.status.get(slug)
    if (holdings === undefined) unsupported.set(slug, noHoldings ?? 'it documents no read of accounts')
    else if (running === undefined) unsupported.set(slug, `its lane is not armed: ${lanes.unarmed.get(slug)}`)
    else venues.set(slug, sourceOf(slug, holdings, running.context, breaker))
  }
  return {
    portfolio,
    venues,
    unsupported,
    findOrders: ordersOf(pool),
    catalog,
    clock,
    log,
  }
}

export const ordersOf =
  (pool: Pool): ReconciliationDeps['findOrders'] =>
  async (query) => {
    const rows = await asUnavailable('EXEC_UNAVAILABLE', findVenueOrders(pool, query))
    return rows.map(({ id, status, venue_ref, market_id, outcome_id, updated_at }) => ({
      executionId: id,
      status,
      venueRef: venue_ref,
      marketId: market_id,
      outcomeId: outcome_id,
      updatedAt: updated_at.getTime(),
    }))
  }

type ContextOf = (signal: AbortSignal, accountId: string) => LaneContext

function sourceOf(
  venue: string,
  holdings: HoldingsReader,
  context: ContextOf,
  breaker: CredentialBreaker,
): HoldingsVenue {
  const needsNode = holdings.source === 'chain'
  return {
    holdings,
    async read({ signal, accountId }, account, credentials) {
      const circuit = breaker.of(venue, credentials)
      circuit.check()
      const opened = context(signal, accountId)
      if (needsNode && opened.urls.RPC === undefined) {
        throw new Fault('NOT_SUPPORTED', 'no node of its chain is configured', { exchange: venue })
      }
      try {
        const found = await holdings.read(opened, account, credentials)
        circuit.accepted()
        return found
      } catch (error) {
        if (error instanceof CredentialRefusal && error.code === 'VENUE_CREDENTIAL_REJECTED') circuit.refused()
        throw error
      }
    },
  }
}
