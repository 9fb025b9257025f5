// The offers of all venues that certainly ask the same question as one list, and what an amount would buy of them after fees.
import { useMemo, useState } from 'preact/hooks'
import type { Market, Outcome } from '#schemas/market'
import { feesOf } from '../lib/fees.ts'
import { format } from '../lib/format.ts'
import { bookName, useBooks } from '../lib/liveBook.ts'
import { mergeBooks } from '../lib/mergedBook.ts'
import { legsOf } from '../lib/mergedLegs.ts'
import { orderSizesOf } from '../lib/orderSizes.ts'
import { type Split, splitContracts, splitDollars } from '../lib/splitPosition.ts'
import { LadderRows } from './LadderTable.tsx'
import type { MatchesState } from './Matches.tsx'

interface Options {
  market: Market
  outcome: Outcome
  matches: MatchesState
}

export function MergedBook({ market, outcome, matches }: Options) {
  const { legs, left } = useMemo(
    () => legsOf(market, outcome, matches.value?.data ?? []),
    [market, outcome, matches.value],
  )
  const books = useBooks(legs)
  const [amount, setAmount] = useState('100')
  const [unit, setUnit] = useState<'contracts' | 'dollars'>('dollars')
  const rows = legs.map((leg) => {
    const { book = null, refusal = null } = books.get(bookName(leg)) ?? {}
    // A stale book has no offers to rely on.
    const isLive = book !== null && book.staleBecause === null
    const why = book?.staleBecause ?? refusal
    // Neither a book nor a reason why there is none: still loading.
    return { id: leg.id, market: leg.market, book: isLive ? book : null, why, isLoading: !isLive && why === null }
  })
  const loading = rows.filter(({ isLoading }) => isLoading)
  const isMatching = matches.value === null && matches.error === null
  const offers = rows
    .filter(({ isLoading }) => !isLoading)
    .map(({ id, market, book }) => ({
      id,
      asks: book?.asks ?? null,
      fees: feesOf(market),
      tickSize: market.tickSize,
      sizes: orderSizesOf(market),
    }))
  const wanted = Number(amount)
  const isAmount = amount.trim() !== '' && Number.isFinite(wanted) && wanted > 0 && wanted <= 1_000_000
  const split = isAmount ? (unit === 'dollars' ? splitDollars(offers, wanted) : splitContracts(offers, wanted)) : null
  const live = rows.flatMap(({ id, book }) => (book === null ? [] : [{ id, bids: book.bids, asks: book.asks }]))
  const silent = rows.filter(({ why }) => why !== null)
  const others = [...left, ...unread(matches)]
  const waiting = [...loading.map(({ id }) => ({ id, what: 'its book' })), ...(isMatching ? [otherVenues] : [])]
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
        <SplitTable split={split} others={others} waiting={waiting} wanted={unit === 'contracts' ? wanted : null} />
      )}
      <h3>Merged book</h3>
      <p class="bar" role="status">
        <span class={`badge ${live.length > 0 ? 'good' : ''}`}>{live.length > 0 ? 'live' : 'waiting'}</span>
        <small>
          {countOf(live.length, rows.length, loading.length, isMatching)}
          {silent.map(({ id, why }) => `; ${id}: ${why}`)}
        </small>
      </p>
      <div class="merged" role="region" aria-label="Merged book" tabIndex={0}>
        <LadderRows sides={mergeBooks(live)} withVenues />
      </div>
    </>
  )
}

const otherVenues = { id: 'other venues', what: 'the matching markets' }

/** The number of books is known once the matches are, and once each book has loaded. */
function countOf(live: number, booksTotal: number, loading: number, isMatching: boolean): string {
  if (isMatching) return live === 0 ? 'loading' : `${live} so far; other venues are loading`
  return loading > 0
    ? `${live} so far; ${loading} of ${booksTotal} books are loading`
    : `${live} of ${booksTotal} books`
}

/** Without the matches it is unknown which other venues ask the same question. */
const unread = ({ value, error }: MatchesState): Split['left'] =>
  value !== null || error === null ? [] : [{ id: 'other venues', reason: `no matching markets: ${error.message}` }]

interface SplitOptions {
  split: Split
  /** Markets that ask the same question and cannot be bought from here. */
  others: Split['left']
  /** Books that may still have offers: they are loading. */
  waiting: readonly { id: string; what: string }[]
  /** Contracts; null: as many as the dollars pay for. */
  wanted: number | null
}

function SplitTable({ split, others, waiting, wanted }: SplitOptions) {
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
            {waiting.map(({ id, what }) => (
              <tr key={`${id} loading`}>
                <th scope="row">{id}</th>
                <td colSpan={4}>
                  <span class="badge">loading</span> waiting for {what}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {waiting.length > 0 && shares.length === 0 ? <p class="quiet">Loading…</p> : null}
      <p hidden={waiting.length > 0 && shares.length === 0}>
        {format.count(contracts)} contracts for {format.usd(total)}, fees included
        {settlement > 0 && ` (${format.usd(settlement)} of that due only on a win)`}.
        {waiting.length > 0
          ? ' Of what has loaded so far.'
          : exhausted
            ? ' That is all the books offer.'
            : restOf(contracts, wanted)}
      </p>
    </>
  )
}

function restOf(contracts: number, wanted: number | null): string {
  if (wanted === null) return contracts === 0 ? ' The amount is too small for an order.' : ''
  const rest = Math.round((wanted - contracts) * 100) / 100
  return rest > 0 ? ` ${format.count(rest)} more cannot be ordered: no venue takes an order of that size.` : ''
}
