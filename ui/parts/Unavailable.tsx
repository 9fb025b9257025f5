import type { ApiError } from '../lib/api.ts'
import { Failure } from './ErrorMessage.tsx'

/** Shown when a part of the program is switched off, or cannot answer now. `variable` switches it on. */
export function Unavailable({ error, what, variable }: { error: ApiError | null; what: string; variable?: string }) {
  if (error === null) return null
  if (error.code === 'ROUTE_NOT_FOUND')
    return (
      <p class="card" role="status">
        {what}: switched off on this deployment.
        {variable !== undefined && (
          <>
            {' '}
            Set <code>{variable}=true</code> to enable.
          </>
        )}
      </p>
    )
  if (/_UNAVAILABLE$|^NETWORK_ERROR$/.test(error.code))
    return (
      <p class="card" role="status">
        {what}: unavailable right now ({error.message}).
      </p>
    )
  return <Failure error={error} />
}
