import type { Usage } from '#schemas/account'
import { format } from '../lib/format.ts'

/** Calls by day and operation, the newest day first. */
export function UsageTable({ usage }: { usage: Usage | null }) {
  if (usage === null) return <p class="quiet">Loading…</p>
  const { from, to, total, lines } = usage
  return (
    <>
      <p>
        {format.count(total.calls)} calls, {format.count(total.credits)} credits, {format.day(from)} to {format.day(to)}{' '}
        (UTC)
      </p>
      <div class="list" tabIndex={0} role="region" aria-label="Usage by day and operation">
        <table>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col">Operation</th>
              <th scope="col" class="num">
                Calls
              </th>
              <th scope="col" class="num">
                Credits
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.toReversed().map(({ day, operationId, calls, credits }) => (
              <tr key={`${day} ${operationId}`}>
                <td>{format.day(day)}</td>
                <td>{operationId}</td>
                <td class="num">{format.count(calls)}</td>
                <td class="num">{format.count(credits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {lines.length === 0 && <p class="quiet">No calls yet.</p>}
      </div>
    </>
  )
}
