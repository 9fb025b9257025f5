// The paper account of the signed-in key: cash, equity, orders, positions and fills, all of play money.
import { useState } from 'preact/hooks'
import type { Account } from '#schemas/account'
import type { PaperAccount } from '#schemas/paper'
import { api } from '../lib/api.ts'
import { usePolled } from '../lib/hooks.ts'
import { isPaperKey } from '../lib/paper/paperKey.ts'
import { useOrderChanges } from '../lib/portfolio/useOrderChanges.ts'
import { usePortfolio } from '../lib/portfolio/usePortfolio.ts'
import { useSummary } from '../lib/portfolio/useSummary.ts'
import { apiKey } from '../lib/session.ts'
import { Cash } from '../parts/paper/Cash.tsx'
import { ChangeCash } from '../parts/paper/ChangeCash.tsx'
import { Equity } from '../parts/paper/Equity.tsx'
import { PaperFills } from '../parts/paper/PaperFills.tsx'
import { PaperOrders } from '../parts/paper/PaperOrders.tsx'
import { Positions } from '../parts/portfolio/Positions.tsx'
import { Unavailable } from '../parts/Unavailable.tsx'

const everyMs = 30_000
/** Reads caused by changes of orders are at least this far apart. */
const changesMs = 2_000

export const PaperPage = () => (
  <>
    <h1>Paper</h1>
    {isPaperKey(apiKey.value) ? <WithPaperKey /> : <WithLiveKey />}
  </>
)

const WithLiveKey = () => (
  <section class="card" aria-label="Paper key needed">
    <p>
      This page shows a paper account, which trades with play money against the live books of the venues. The key that
      you are signed in with belongs to a live account; a paper key begins with <code>xb_paper_</code>.
    </p>
    <p>
      The operator creates one: <code>npx crossbook keys create --paper --account acme --scopes read,trade</code>, with
      the name of your account. Every account has one paper account, which all its paper keys share.
    </p>
    <p>Then choose “Forget key” at the top, and sign in with the paper key. Nothing of it reaches a venue.</p>
  </section>
)

function WithPaperKey() {
  const { value, error } = usePolled('account', (signal) => api<Account>('/v1/account', {}, signal), null)
  if (value === null && error === null) return <p class="quiet">Loading…</p>
  return <PaperSections canTrade={value === null || value.data.scopes.includes('trade')} />
}

function PaperSections({ canTrade }: { canTrade: boolean }) {
  const changes = useOrderChanges(changesMs)
  const [changed, setChanged] = useState(0)
  const round = changes + changed
  const { value, error } = usePolled(
    'paper account',
    (signal) => api<PaperAccount>('/v1/paper/account', {}, signal),
    everyMs,
    round,
  )
  const account = value?.data ?? null
  return (
    <>
      <section class="card" aria-label="Cash">
        <h2>Cash</h2>
        <Unavailable error={error} what="Paper account" variable="CROSSBOOK_PAPER" />
        <Cash account={account} isRefused={error !== null} />
        {canTrade && <ChangeCash account={account} onChanged={() => setChanged((before) => before + 1)} />}
      </section>
      {canTrade ? <Holdings round={round} /> : <NoTradeScope />}
      <section class="card" aria-label="Orders of the paper account">
        <h2>Orders</h2>
        <PaperOrders round={round} />
      </section>
      <section class="card" aria-label="Fills of the paper account">
        <h2>Fills</h2>
        <PaperFills round={round} />
      </section>
    </>
  )
}

const NoTradeScope = () => (
  <section class="card" aria-label="Missing scope">
    <p>
      Deposits, a reset, equity and positions need a paper key with the scope <code>trade</code>; this one only reads.
    </p>
  </section>
)

function Holdings({ round }: { round: number }) {
  const live = usePortfolio()
  const { rows, venues, missing, asOf, error } = useSummary(live, round)
  return (
    <>
      <section class="card" aria-label="Equity and PnL">
        <h2>Equity and PnL</h2>
        <Unavailable error={error} what="Equity" />
        <Equity rows={rows} missing={missing} asOf={asOf} isRefused={error !== null} />
      </section>
      <section class="card" aria-label="Positions of the account">
        <h2>Positions</h2>
        <Positions live={live} venues={venues} />
      </section>
    </>
  )
}
