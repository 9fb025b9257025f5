// The offers of all venues that surely ask the same as one list, and what an amount would buy of them after fees.
import { useMemo, useState } from 'preact/hooks'
import type { Market, Outcome } from '#schemas/market'
import { feesOf } from '../lib/fees.ts'
import { format } from '../lib/format.ts'
import { bookName, useBooks } from '../lib/liveBook.ts'
import { mergeBooks } from '../lib/mergedBook.ts'
import { legsOf } from '../lib/mergedLegs.ts'
import { orderSizesOf } from '../lib/orderSizes.ts'
import { type Split, splitContracts, splitDollars } from '../lib/split.ts'
import { LadderRows } from './LadderTable.tsx'
import type { MatchesState } from './Matches.tsx'

interface Options {
  market: Market
  outcome: Outcome
  matches: MatchesState
}

export function Merged({ market, outcome, matches }: Options) {
  const { legs, left } = useMemo(
    () => legsOf(market, outcome, matches.value?.data ?? []),
    [market, outcome, matches.value],
  )
  const books = useBooks(legs)
  const [amount, setAmount] = useState('100')
  const [unit, setUnit] = useState<'contracts' | 'dollars'>('dollars')
  const told = legs.map((leg) => {
    const { book = null, refusal = null } = books.get(bookName(leg)) ?? {}
    // A stale book offers nothing that could be counted on.
    const isLive = book !== null && book.staleBecause === null
    const why = isLive ? null : (book?.staleBecause ?? refusal ?? 'no book received yet')
    return { id: leg.id, market: leg.market, book: isLive ? book : null, why }
  })
  const offers = told.map(({ id, market, book }) => ({
    id,
    asks: book?.asks ?? null,
    fees: feesOf(market),
    tickSize: market.tickSize,
    sizes: orderSizesOf(market),
  }))
  const wanted = Number(amount)
  const isAmount = amount.trim() !== '' && Number.isFinite(wanted) && wanted > 0 && wanted <= 1_000_000
  const split = isAmount ? (unit === 'dollars' ? splitDollars(offers, wanted) : splitContracts(offers, wanted)) : null
  const live = told.flatMap(({ id, book }) => (book === null ? [] : [{ id, bids: book.bids, asks: book.asks }]))
  const silent = told.filter(({ why }) => why !== null)
  const others = [...left, ...unread(matches)]
  return (
    <>
      <div class="filters">
        <label>
          Amount
          <input
            inputMode="decimal"
            value={amount}
            aria-invalid={!isAmount}
            onInput={({ currentTarget }) => setAmount(currentTarget.value)}
          />
        </label>
        <label>
          Unit
          <select value={unit} onChange={({ currentTarget }) => setUnit(currentTarget.value as typeof unit)}>
            <option value="dollars">dollars, fees included</option>
            <option value="contracts">contracts</option>
          </select>
        </label>
      </div>
      {split === null ? (
        <p class="bad">Enter an amount above 0, up to 1,000,000.</p>
      ) : (
        <SplitTable split={split} others={others} wanted={unit === 'contracts' ? wanted : null} />
      )}
      <h3>Merged book</h3>
      <p class="bar" role="status">
        <span class={`badge ${live.length > 0 ? 'good' : ''}`}>{live.length > 0 ? 'live' : 'waiting'}</span>
        <small>
          {live.length} of {told.length} books
          {silent.map(({ id, why }) => `; ${id}: ${why}`)}
        </small>
      </p>
      <div class="merged" role="region" aria-label="Merged book" tabIndex={0}>
        <LadderRows sides={mergeBooks(live)} withVenues />
      </div>
    </>
  )
}

/** Without the matches nobody knows who else asks the same. */
const unread = ({ value, error }: MatchesState): Split['left'] => {
  if (value !== null) return []
  const reason = error === null ? 'waiting for the matching markets' : `no matching markets: ${error.message}`
  return [{ id: 'other venues', reason }]
}

interface SplitOptions {
  split: Split
  /** Markets that ask the same and cannot be bought at from here. */
  others: Split['left']
  /** Contracts; null: as many as the dollars pay for. */
  wanted: number | null
}

function SplitTable({ split, others, wanted }: SplitOptions) {
  const { shares, contracts, total, exhausted } = split
  const left = [...split.left, ...others]
  const settlement = shares.reduce((sum, { settlementFee }) => sum + settlementFee, 0)
  return (
    <>
      <div class="scroll split" tabIndex={0} role="region" aria-label="Split">
        <table>
          <thead>
            <tr>
              <th scope="col">Venue</th>
              <th scope="col" class="num">
                Contracts
              </th>
              <th scope="col" class="num">
                Average price
              </th>
              <th scope="col" class="num">
                Cost
              </th>
              <th scope="col" class="num">
                Fee
              </th>
            </tr>
          </thead>
          <tbody>
            {shares.map(({ id, contracts, averagePrice, cost, fee, isOrder }) => (
              <tr key={id}>
                <th scope="row">
                  {id}
                  {!isOrder && <small> (order sizes unknown)</small>}
                </th>
                <td class="num">{format.count(contracts)}</td>
                <td class="num">{format.price(averagePrice)}</td>
                <td class="num">{format.usd(cost)}</td>
                <td class="num">{format.usd(fee)}</td>
              </tr>
            ))}
            {left.map(({ id, reason }) => (
              <tr key={`${id} ${reason}`}>
                <th scope="row">{id}</th>
                <td colSpan={4}>
                  <span class="badge warn">excluded</span> {reason}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>
        {format.count(contracts)} contracts for {format.usd(total)}, fees included
        {settlement > 0 && ` (${format.usd(settlement)} of that due only on a win)`}.
        {exhausted ? ' That is all the books offer.' : restOf(contracts, wanted)}
      </p>
    </>
  )
}

function restOf(contracts: number, wanted: number | null): string {
  if (wanted === null) return contracts === 0 ? ' The amount is too small for an order.' : ''
  const rest = Math.round((wanted - contracts) * 100) / 100
  return rest > 0 ? ` ${format.count(rest)} more cannot be ordered: no venue takes an order of that size.` : ''
}
