import { format } from '../lib/format.ts'
import type { Moment } from '../lib/timeline.ts'

export function Timeline({ moments }: { moments: readonly Moment[] }) {
  if (moments.length === 0) return <p class="quiet">No events yet.</p>
  return (
    <ol class="timeline">
      {moments.map(({ at, what, detail }) => (
        <li key={`${at} ${what}`}>
          <b>{what}</b>{' '}
          <small>
            {format.date(at)}, {format.time(at)}
          </small>
          {detail !== null && detail !== '' && <div class="quiet facts-line">{detail}</div>}
        </li>
      ))}
    </ol>
  )
}
