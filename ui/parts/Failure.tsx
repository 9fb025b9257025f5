import type { ApiError } from '../lib/api.ts'

/** What the server said instead of an answer. */
export function Failure({ error }: { error: ApiError | null }) {
  if (error === null) return null
  return (
    <p role="alert" class="bad">
      {error.code}: {error.message}
    </p>
  )
}
