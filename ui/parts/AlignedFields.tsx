import type { ReviewedPair } from '#schemas/matchReview'
import { unknown } from '../lib/format.ts'
import { hashOf } from '../lib/router.ts'
import { wordDiff } from '../lib/wordDiff.ts'
import { Differing } from './Differing.tsx'

/** Two markets field by field, with the words that differ. */
export function AlignedFields({ pair: { a, b, fields } }: { pair: ReviewedPair }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Fields">
      <table class="aligned">
        <thead>
          <tr>
            <th scope="col">Field</th>
            {[a, b].map(({ venue, marketId }) => (
              <th key={`${venue} ${marketId}`} scope="col">
                {venue} <a href={hashOf('market', venue, marketId)}>{marketId}</a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => {
            const texts = wordDiff(field.a ?? '', field.b ?? '')
            return (
              <tr key={field.field}>
                <th scope="row">{field.field}</th>
                <td>{field.a === null ? unknown : <Differing parts={texts.a} />}</td>
                <td>{field.b === null ? unknown : <Differing parts={texts.b} />}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
