import { format } from '../lib/format.ts'

export function SurfaceState({
  rows,
  computedAt,
  staleBecause,
}: {
  rows: number
  computedAt: string | null
  staleBecause: string | null
}) {
  if (computedAt === null && staleBecause !== null)
    return (
      <>
        <span class="badge">not available</span> <small>{staleBecause}</small>
      </>
    )
  return (
    <>
      {staleBecause === null ? (
        <span class={`badge ${computedAt === null ? '' : 'good'}`}>{computedAt === null ? 'waiting' : 'live'}</span>
      ) : (
        <span class="badge stale">stale</span>
      )}
      <small>
        {computedAt === null
          ? 'waiting for the first rows'
          : `${format.count(rows)} rows, computed ${format.time(computedAt)}`}
        {staleBecause !== null && `: ${staleBecause}`}
      </small>
    </>
  )
}
