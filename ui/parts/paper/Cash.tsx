// Cash of a paper account by venue and currency, as the paper exchange has it.
import type { PaperAccount, PaperBalance } from '#schemas/paper'
import { format, unknown } from '../../lib/format.ts'
import { Amount } from '../portfolio/Amount.tsx'

interface Options {
  /** Null: not loaded yet. */
  account: PaperAccount | null
  /** The reason is shown elsewhere on the page. */
  isRefused: boolean
}

export function Cash({ account, isRefused }: Options) {
  return (
    <>
      <div class="list totals" tabIndex={0} role="region" aria-label="Cash by venue">
        <table>
          <thead>
            <tr>
              <th scope="col">Venue</th>
              <th scope="col">Currency</th>
              <th scope="col" class="num">
                Cash
              </th>
              <th scope="col" class="num">
                Reserved
              </th>
              <th scope="col" class="num">
                Available
              </th>
            </tr>
          </thead>
          <tbody>
            {account?.balances.map((balance) => (
              <BalanceRow key={`${balance.venue} ${balance.currency}`} balance={balance} />
            ))}
          </tbody>
        </table>
        {account === null && !isRefused && <p class="quiet">Loading…</p>}
        {account?.balances.length === 0 && (
          <p class="quiet">
            No cash yet: the first order at a venue, or a deposit, grants {format.decimal(account.startCash)} there in
            the currency of the market.
          </p>
        )}
      </div>
      <p class="quiet account-facts">
        {account !== null && (
          <>
            Working orders: {format.count(account.workingOrders)} of at most {format.count(account.workingOrdersMax)}.
            Start amount: {format.decimal(account.startCash)} at each venue and in each currency. Resets:{' '}
            {format.count(account.resets)}. Opened {format.moment(account.createdAt)}.
          </>
        )}
      </p>
    </>
  )
}

const BalanceRow = ({ balance: { venue, currency, cash, reserved, available } }: { balance: PaperBalance }) => (
  <tr>
    <th scope="row">{venue}</th>
    <td>{currency ?? <span title="the catalog does not name the currency">{unknown}</span>}</td>
    <td class="num">
      <Amount text={cash} />
    </td>
    <td class="num">
      <Amount text={reserved} />
    </td>
    <td class="num">
      <Amount text={available} />
    </td>
  </tr>
)
