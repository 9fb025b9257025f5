// What a paper account is worth by venue and currency, and what it gained.
import type { CurrencyTotals, VenueTotals } from '#schemas/portfolio'
import { format, unknown } from '../../lib/format.ts'
import { equityOf } from '../../lib/paper/equity.ts'
import { currencyTotals } from '../../lib/portfolio/currencyTotals.ts'
import { totalsKey } from '../../lib/portfolio/portfolioState.ts'
import { totalWhy } from '../../lib/portfolio/unknownAmounts.ts'
import { Amount, PartialSum } from '../portfolio/Amount.tsx'

interface Options {
  /** Null: not loaded yet. */
  rows: readonly VenueTotals[] | null
  /** Sentences on what all figures lack. */
  missing: readonly string[]
  asOf: string | null
  /** The reason is shown elsewhere on the page. */
  isRefused: boolean
}

export function Equity({ rows, missing, asOf, isRefused }: Options) {
  const sorted = (rows ?? []).toSorted((a, b) => (totalsKey(a) < totalsKey(b) ? -1 : 1))
  return (
    <>
      <div class="list totals" tabIndex={0} role="region" aria-label="Equity by venue">
        <table>
          <thead>
            <tr>
              <th scope="col">Venue</th>
              <th scope="col">Currency</th>
              <th scope="col" class="num">
                Equity
              </th>
              <th scope="col" class="num">
                Cash
              </th>
              <th scope="col" class="num">
                Positions, mid
              </th>
              <th scope="col" class="num">
                To collect
              </th>
              <th scope="col" class="num">
                Paid in
              </th>
              <th scope="col" class="num">
                Realised PnL
              </th>
              <th scope="col" class="num">
                Unrealised PnL, mid
              </th>
              <th scope="col" class="num">
                Fees
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <EquityRow key={totalsKey(row)} name={row.venue} totals={row} />
            ))}
            {currencyTotals(sorted).map((totals) => (
              <EquityRow key={totals.currency} name="all venues" totals={totals} />
            ))}
          </tbody>
        </table>
        {rows === null && !isRefused && <p class="quiet">Loading…</p>}
        {rows?.length === 0 && <p class="quiet">Nothing yet: no cash was granted, and nothing was traded.</p>}
      </div>
      <div class="lacking">
        <p class="quiet">
          Equity: cash, open positions at the middle of their books, and payouts to collect. Paid in: grants, deposits
          and resets. Nothing is converted.
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

function EquityRow({ name, totals }: { name: string; totals: CurrencyTotals }) {
  const { currency, cashFlow, deposits, fees, realizedPnl, unrealizedPnl, value, unclaimed, unknown: reasons } = totals
  const whyOf = (field: string) => totalWhy(reasons, field)
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{currency ?? <span title="no source names the currency">{unknown}</span>}</td>
      <td class="num">
        <Amount text={equityOf(totals)} why={whyOf('cashFlow') ?? whyOf('value.mid')} />
      </td>
      <td class="num">
        <Amount text={cashFlow} why={whyOf('cashFlow')} />
      </td>
      <td class="num">
        <PartialSum sum={value.mid} why={whyOf('value.mid')} />
      </td>
      <td class="num">
        <Amount text={unclaimed} />
      </td>
      <td class="num">
        <Amount text={deposits} />
      </td>
      <td class="num">
        <PartialSum sum={realizedPnl} why={whyOf('realizedPnl')} isGain />
      </td>
      <td class="num">
        <PartialSum sum={unrealizedPnl.mid} why={whyOf('unrealizedPnl.mid')} isGain />
      </td>
      <td class="num">
        <PartialSum sum={fees} why={whyOf('fees')} />
      </td>
    </tr>
  )
}
