import type { ApiError } from '../lib/api.ts'

/** The server's error. `isOverlay`: shown over the page, whose content stays in place while it is read again. */
export function Failure({ error, isOverlay = false }: { error: ApiError | null; isOverlay?: boolean }) {
  if (error === null) return null
  return (
    <p role="alert" class={isOverlay ? 'bad overlay' : 'bad'}>
      {error.code}: {error.message}
    </p>
  )
}
