// The account's portfolio over all venues: totals, positions, exposure, orders, and files of it.
import type { Account } from '#schemas/account'
import { api } from '../lib/api.ts'
import { usePolled } from '../lib/hooks.ts'
import { useOrderChanges } from '../lib/portfolio/useOrderChanges.ts'
import { usePortfolio } from '../lib/portfolio/usePortfolio.ts'
import { useSummary } from '../lib/portfolio/useSummary.ts'
import { Downloads } from '../parts/portfolio/Downloads.tsx'
import { Exposure } from '../parts/portfolio/Exposure.tsx'
import { OrderList } from '../parts/portfolio/OrderList.tsx'
import { Positions } from '../parts/portfolio/Positions.tsx'
import { Summary } from '../parts/portfolio/Summary.tsx'
import { UnresolvedOrders } from '../parts/portfolio/UnresolvedOrders.tsx'
import { Unavailable } from '../parts/Unavailable.tsx'

/** Reads caused by changes of orders are at least this far apart. */
const changesMs = 2_000

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
  const { rows, venues, missing, asOf, error } = useSummary(live)
  return (
    <>
      <section class="card" aria-label="Summary">
        <h2>Summary</h2>
        <Unavailable error={error} what="Portfolio" />
        <Summary rows={rows} missing={missing} asOf={asOf} isRefused={error !== null} />
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
