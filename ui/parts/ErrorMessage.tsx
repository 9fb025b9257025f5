import type { ApiError } from '../lib/api.ts'

/** What the server answered instead of data. `isOverlay`: shown over the page, whose content stays where it is while it is read again. */
export function Failure({ error, isOverlay = false }: { error: ApiError | null; isOverlay?: boolean }) {
  if (error === null) return null
  return (
    <p role="alert" class={isOverlay ? 'bad overlay' : 'bad'}>
      {error.code}: {error.message}
    </p>
  )
}
