// Verified pairs that were demoted because their prices differ: each is confirmed (pinned) or rejected (forbidden).
import { useState } from 'preact/hooks'
import type { OverrideAction, PriceDifference, ReviewedMarket } from '#schemas/matchReview'
import { ApiError, api, send } from '../lib/api.ts'
import { format } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { decidedBy } from '../lib/reviewer.ts'
import { hashOf } from '../lib/router.ts'
import { AlignedFields } from './AlignedFields.tsx'
import { Failure } from './ErrorMessage.tsx'
import { PricePair } from './PricePair.tsx'

const path = '/v1/matching/priceDifferences'
const everyMs = 60_000
const shownMax = 20

const keyOf = ({ a, b }: PriceDifference): string => `${a.venue}:${a.marketId} ${b.venue}:${b.marketId}`

const actionWords: Readonly<Record<OverrideAction, string>> = {
  pin: 'Confirmed',
  forbid: 'Rejected',
  withdraw: 'Withdrawn',
}

export function PriceDifferences() {
  const [round, setRound] = useState(0)
  const [refused, setRefused] = useState<ApiError | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [last, setLast] = useState<{ pair: PriceDifference; action: OverrideAction } | null>(null)
  const { value, error } = usePolled(
    'price differences',
    (signal) => api<PriceDifference[]>(path, { limit: shownMax }, signal),
    everyMs,
    round,
  )
  const review = async (pair: PriceDifference, action: OverrideAction): Promise<void> => {
    if (isBusy) return
    setIsBusy(true)
    try {
      const [a, b] = [pair.a, pair.b].map(({ venue, marketId }) => ({ venue, marketId }))
      await send('POST', `${path}/review`, { a, b, action, ...decidedBy() })
      setRefused(null)
      setLast({ pair, action })
      setRound((before) => before + 1)
    } catch (failure) {
      setRefused(failure instanceof ApiError ? failure : new ApiError('NETWORK', 'the server cannot be reached'))
    } finally {
      setIsBusy(false)
    }
  }
  const pairs = value?.data ?? []
  return (
    <section class="card detail" aria-label="Price differences">
      <h2>Price differences</h2>
      <p class="quiet" role="status">
        {value !== null &&
          (pairs.length === 0
            ? 'No pair waits for a review of its prices.'
            : `${value.nextCursor == null ? '' : 'The last '}${format.count(pairs.length)} verified pairs whose prices have differed by more than both books cost for an hour.`)}
      </p>
      <Failure error={refused ?? error} />
      {last !== null && (
        <p class="bar">
          <span class="badge">{actionWords[last.action]}</span> {keyOf(last.pair)}
          {last.action !== 'withdraw' && (
            <button type="button" disabled={isBusy} onClick={() => void review(last.pair, 'withdraw')}>
              Undo
            </button>
          )}
        </p>
      )}
      {pairs.map((pair) => (
        <Difference key={keyOf(pair)} pair={pair} isBusy={isBusy} review={(action) => void review(pair, action)} />
      ))}
    </section>
  )
}

interface DifferenceProps {
  pair: PriceDifference
  isBusy: boolean
  review(action: OverrideAction): void
}

function Difference({ pair, isBusy, review }: DifferenceProps) {
  const { a, b, quotes, polarity, since, excess } = pair
  const [isOpen, setIsOpen] = useState(false)
  return (
    <article aria-label={keyOf(pair)}>
      <h3>{a.title}</h3>
      <p>
        <Quoted market={a} quote={quotes.a} />
        <br />
        <Quoted market={b} quote={quotes.b} />
      </p>
      <p class="quiet">
        Since {format.moment(since)}, last by {format.price(excess)} more than both books cost
        {polarity === 'inverse' && '; Yes of one is No of the other'}
      </p>
      <div class="bar">
        <button type="button" disabled={isBusy} onClick={() => review('pin')}>
          Confirm: the same question
        </button>
        <button type="button" disabled={isBusy} onClick={() => review('forbid')}>
          Reject: different questions
        </button>
      </div>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>Fields, rules and prices</summary>
        {isOpen && (
          <>
            <AlignedFields pair={pair} />
            <PricePair pair={pair} />
          </>
        )}
      </details>
    </article>
  )
}

function Quoted({ market, quote }: { market: ReviewedMarket; quote: PriceDifference['quotes']['a'] }) {
  const { venue, marketId, title } = market
  return (
    <>
      {venue} <a href={hashOf('market', venue, marketId)}>{title}</a>: Yes {format.price(quote.bid)} /{' '}
      {format.price(quote.ask)}
    </>
  )
}
