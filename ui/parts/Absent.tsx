import type { ApiError } from '../lib/api.ts'
import { Failure } from './Failure.tsx'

/** A part of the program that is switched off, or cannot answer now, said in words. `variable` switches it on. */
export function Absent({ error, what, variable }: { error: ApiError | null; what: string; variable?: string }) {
  if (error === null) return null
  if (error.code === 'ROUTE_NOT_FOUND')
    return (
      <p class="card" role="status">
        {what}: not armed on this deployment.
        {variable !== undefined && (
          <>
            {' '}
            <code>{variable}=true</code> arms it.
          </>
        )}
      </p>
    )
  if (/_UNAVAILABLE$|^NETWORK_ERROR$/.test(error.code))
    return (
      <p class="card" role="status">
        {what}: not there right now ({error.message}).
      </p>
    )
  return <Failure error={error} />
}
