// The account's portfolio over all venues: totals, positions, exposure, orders, and files of it.
import type { Account } from '#schemas/account'
import type { PortfolioSummary } from '#schemas/portfolio'
import { type Answer, api } from '../lib/api.ts'
import { usePolled } from '../lib/hooks.ts'
import { missingLines, type PortfolioFields } from '../lib/portfolio/unknownAmounts.ts'
import { useOrderChanges } from '../lib/portfolio/useOrderChanges.ts'
import { usePortfolio } from '../lib/portfolio/usePortfolio.ts'
import { Downloads } from '../parts/portfolio/Downloads.tsx'
import { Exposure } from '../parts/portfolio/Exposure.tsx'
import { OrderList } from '../parts/portfolio/OrderList.tsx'
import { Positions } from '../parts/portfolio/Positions.tsx'
import { Summary } from '../parts/portfolio/Summary.tsx'
import { UnresolvedOrders } from '../parts/portfolio/UnresolvedOrders.tsx'
import { Unavailable } from '../parts/Unavailable.tsx'

const everyMs = 30_000
/** Reads caused by changes of orders are at least this far apart. */
const changesMs = 2_000

type SummaryAnswer = Answer<PortfolioSummary> & PortfolioFields

export function PortfolioPage() {
  const { value, error } = usePolled('account', (signal) => api<Account>('/v1/account', {}, signal), null)
  const scopes = value?.data.scopes ?? null
  return (
    <>
      <h1>Portfolio</h1>
      {scopes === null ? (
        error === null ? (
          <p class="quiet">Loading…</p>
        ) : (
          <Portfolio />
        )
      ) : scopes.includes('trade') ? (
        <Portfolio />
      ) : (
        <NoTradeScope scopes={scopes} />
      )}
    </>
  )
}

const NoTradeScope = ({ scopes }: { scopes: readonly string[] }) => (
  <section class="card" aria-label="Missing scope">
    <p>
      Positions and orders are shown only to keys with the scope <code>trade</code>. This key has: {scopes.join(', ')}.
    </p>
    <p>
      Sign in with a key of the account that has it, or have the operator create one (
      <code>crossbook keys create --scopes read,trade</code>).
    </p>
  </section>
)

function Portfolio() {
  const live = usePortfolio()
  const changes = useOrderChanges(changesMs)
  const { value, error } = usePolled(
    'portfolio summary',
    (signal) => api('/v1/portfolio/summary', {}, signal) as Promise<SummaryAnswer>,
    everyMs,
  )
  const isLive = live.seq !== null
  const rows = isLive ? [...live.summary.values()] : (value?.data.byVenue ?? null)
  const unavailable = (isLive ? live.unavailable : value?.unavailable) ?? []
  const venues = [...new Set((rows ?? []).map(({ venue }) => venue))].sort()
  return (
    <>
      <section class="card" aria-label="Summary">
        <h2>Summary</h2>
        <Unavailable error={error} what="Portfolio" />
        <Summary
          rows={rows}
          missing={missingLines(unavailable, value?.gaps ?? null)}
          asOf={(isLive ? live.asOf : value?.asOf) ?? null}
          isRefused={error !== null}
        />
      </section>
      <section class="card" aria-label="Positions of the account">
        <h2>Positions</h2>
        <Positions live={live} venues={venues} />
      </section>
      <section class="card" aria-label="Exposure">
        <h2>Exposure</h2>
        <Exposure />
      </section>
      <section class="card" aria-label="Orders of unknown outcome">
        <h2>Orders of unknown outcome</h2>
        <UnresolvedOrders changes={changes} />
      </section>
      <section class="card" aria-label="Orders of the account">
        <h2>Orders</h2>
        <OrderList changes={changes} />
      </section>
      <section class="card" aria-label="Statements and exports">
        <h2>Statements and exports</h2>
        <Downloads />
      </section>
    </>
  )
}
