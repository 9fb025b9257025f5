// One template pair: its two texts, what was decided, and pairs of markets that reduce to it.
import { useState } from 'preact/hooks'
import type { RecordedDecision, TemplatePairDetails } from '#schemas/matchReview'
import { format } from '../lib/format.ts'
import { wordDiff } from '../lib/wordDiff.ts'
import { AlignedFields } from './AlignedFields.tsx'
import { Differing } from './Differing.tsx'
import { PricePair } from './PricePair.tsx'

export function TemplatePairCard({ pair }: { pair: TemplatePairDetails }) {
  const { a, b, slots, pairs, openInterest, edge, examples, decisions } = pair
  const texts = wordDiff(a, b)
  const [shown, setShown] = useState(0)
  const example = examples[shown] ?? examples[0]
  return (
    <>
      <div class="texts">
        <p>
          <Differing parts={texts.a} />
        </p>
        <p>
          <Differing parts={texts.b} />
        </p>
      </div>
      <p class="quiet">
        {format.count(pairs)} {pairs === 1 ? 'pair' : 'pairs'} of markets, open interest {format.compact(openInterest)},
        prices differ by up to {format.price(edge)}
        {slots.length > 0 && '. '}
        {slots.map(({ placeholder, a: one, b: other }) => (
          <span key={placeholder} class="slot">
            <code>{placeholder}</code> {one === other ? one : `${one} / ${other}`}{' '}
          </span>
        ))}
      </p>
      <Decisions decisions={decisions} />
      {example === undefined ? (
        <p class="quiet">None of its markets is in the catalog now.</p>
      ) : (
        <>
          <fieldset class="bar">
            <legend>Pair</legend>
            {examples.map((each, at) => (
              <button
                key={`${each.a.venue} ${each.a.marketId} ${each.b.venue} ${each.b.marketId}`}
                type="button"
                aria-pressed={each === example}
                onClick={() => setShown(at)}
              >
                {at + 1}
              </button>
            ))}
          </fieldset>
          <p class="quiet">
            {example.band === null ? 'Not matched' : `Matched as ${example.band}`}
            {example.differences.length > 0 && `: ${example.differences.join('; ')}`}
          </p>
          <AlignedFields pair={example} />
          <h3>Prices</h3>
          {examples.map((each) => (
            <PricePair key={`${each.a.venue} ${each.a.marketId} ${each.b.venue} ${each.b.marketId}`} pair={each} />
          ))}
        </>
      )}
    </>
  )
}

function Decisions({ decisions }: { decisions: readonly RecordedDecision[] }) {
  if (decisions.length === 0) return <p class="quiet">Not decided yet.</p>
  return (
    <ul class="plain">
      {decisions.map(({ id, action, relation, reasons, decidedBy, decidedAt, applies }) => (
        <li key={id} class="bar">
          <span class={`badge ${applies ? 'good' : ''}`}>{action === 'withdraw' ? 'withdrawn' : relation}</span>
          {decidedBy}, {format.moment(decidedAt)}
          {reasons.length > 0 && <small>{reasons.map(({ reason }) => reason).join('; ')}</small>}
        </li>
      ))}
    </ul>
  )
}
