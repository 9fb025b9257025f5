import type { CoverageGap } from '#schemas/history'
import { format } from '../lib/format.ts'

const kinds = { gap: 'rows may be missing', closed: 'not watched' } as const

/** Periods in which the tape may lack rows, with the reason. */
export function Gaps({ label, gaps }: { label: string; gaps: readonly CoverageGap[] }) {
  return (
    <div class="list" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Kind</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {gaps.map(({ kind, from, to, reason }) => (
            <tr key={`${kind} ${from} ${to}`}>
              <td>{from === null ? 'unknown' : format.moment(from)}</td>
              <td>{to === null ? 'ongoing' : format.moment(to)}</td>
              <td>{kinds[kind]}</td>
              <td>{reason ?? 'unknown'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {gaps.length === 0 && <p class="quiet">No gaps.</p>}
    </div>
  )
}
