// Totals of the account by venue and currency, and what they lack.
import type { CurrencyTotals, VenueTotals } from '#schemas/portfolio'
import { format, unknown } from '../../lib/format.ts'
import { currencyTotals } from '../../lib/portfolio/currencyTotals.ts'
import { totalsKey } from '../../lib/portfolio/portfolioState.ts'
import { totalWhy, unknownLines } from '../../lib/portfolio/unknownAmounts.ts'
import { Amount, PartialSum } from './Amount.tsx'

interface Options {
  /** Null: not loaded yet. */
  rows: readonly VenueTotals[] | null
  /** Sentences on what all figures lack. */
  missing: readonly string[]
  asOf: string | null
  /** The reason is shown elsewhere on the page. */
  isRefused: boolean
}

export function Summary({ rows, missing, asOf, isRefused }: Options) {
  const sorted = (rows ?? []).toSorted((a, b) => (totalsKey(a) < totalsKey(b) ? -1 : 1))
  return (
    <>
      <div class="list totals" tabIndex={0} role="region" aria-label="Totals by venue">
        <table>
          <thead>
            <tr>
              <th scope="col">Venue</th>
              <th scope="col">Currency</th>
              <th scope="col" class="num">
                Cash flow
              </th>
              <th scope="col" class="num">
                Deposits
              </th>
              <th scope="col" class="num">
                Fees
              </th>
              <th scope="col" class="num">
                Realised PnL
              </th>
              <th scope="col" class="num">
                Unrealised PnL, mid
              </th>
              <th scope="col" class="num">
                Value, mid
              </th>
              <th scope="col" class="num">
                To collect
              </th>
              <th scope="col">Unknown</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <TotalsRow key={totalsKey(row)} name={row.venue} totals={row} />
            ))}
            {currencyTotals(sorted).map((totals) => (
              <TotalsRow key={totals.currency} name="all venues" totals={totals} />
            ))}
          </tbody>
        </table>
        {rows === null && !isRefused && <p class="quiet">Loading…</p>}
        {rows?.length === 0 && <p class="quiet">No fills, imports or payouts yet.</p>}
      </div>
      <div class="lacking">
        <p class="quiet">
          Cash flow: deposits, sales and payouts less purchases and fees; not the venue’s balance. Nothing is converted.
          {asOf !== null && ` As of ${format.moment(asOf)}.`}
        </p>
        {missing.length > 0 && (
          <ul class="quiet notes" aria-label="What is missing">
            {missing.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

function TotalsRow({ name, totals }: { name: string; totals: CurrencyTotals }) {
  const { currency, cashFlow, deposits, fees, realizedPnl, unrealizedPnl, value, unclaimed, unknown: reasons } = totals
  const lines = unknownLines(reasons)
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{currency ?? <span title="no source names the currency">{unknown}</span>}</td>
      <td class="num">
        <Amount text={cashFlow} why={totalWhy(reasons, 'cashFlow')} isGain />
      </td>
      <td class="num">
        <Amount text={deposits} />
      </td>
      <td class="num">
        <PartialSum sum={fees} why={totalWhy(reasons, 'fees')} />
      </td>
      <td class="num">
        <PartialSum sum={realizedPnl} why={totalWhy(reasons, 'realizedPnl')} isGain />
      </td>
      <td class="num">
        <PartialSum sum={unrealizedPnl.mid} why={totalWhy(reasons, 'unrealizedPnl.mid')} isGain />
      </td>
      <td class="num">
        <PartialSum sum={value.mid} why={totalWhy(reasons, 'value.mid')} />
      </td>
      <td class="num">
        <Amount text={unclaimed} />
      </td>
      <td class="reason">
        {lines.length === 0 ? (
          'nothing'
        ) : (
          <ul class="plain reasons">
            {lines.map((line) => (
              <li key={line}>
                <small>{line}</small>
              </li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  )
}
