// A list that is read page by page, as far as it is scrolled.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, ApiError } from './api.ts'

export interface Paged<Row> {
  rows: readonly Row[]
  /** What stood beside the rows of the page that was read last; null before the first. */
  beside: Readonly<Record<string, unknown>> | null
  busy: boolean
  /** Every page was read. */
  isWhole: boolean
  error: ApiError | null
  more(): void
}

type State<Row> = Omit<Paged<Row>, 'more' | 'isWhole'> & { next: string | undefined }

/** `what` names what `ask` asks: a change of it begins anew, `delayMs` later, and leaves the old rows until then. */
export function usePaged<Row>(
  what: string,
  ask: (cursor: string | undefined, signal: AbortSignal) => Promise<Answer<Row[]>>,
  delayMs = 0,
): Paged<Row> {
  const [state, setState] = useState<State<Row>>({ rows: [], beside: null, next: undefined, busy: true, error: null })
  const asking = useRef<AbortController | null>(null)

  const read = useCallback(
    async (cursor: string | undefined): Promise<void> => {
      const controller = new AbortController()
      asking.current = controller
      try {
        const { data, meta, nextCursor } = await ask(cursor, controller.signal)
        if (controller.signal.aborted) return
        const next = nextCursor ?? meta?.nextCursor
        setState((before) => ({
          rows: cursor === undefined ? data : [...before.rows, ...data],
          beside: meta ?? {},
          next: typeof next === 'string' ? next : undefined,
          busy: false,
          error: null,
        }))
      } catch (error) {
        if (controller.signal.aborted) return
        const shown = error instanceof ApiError ? error : new ApiError('NETWORK', 'the server cannot be reached')
        setState((before) => ({ ...before, busy: false, next: undefined, error: shown }))
      } finally {
        if (asking.current === controller) asking.current = null
      }
    },
    [what],
  )

  useEffect(() => {
    setState((before) => ({ ...before, busy: true, next: undefined }))
    const timer = setTimeout(() => void read(undefined), delayMs)
    return () => {
      clearTimeout(timer)
      asking.current?.abort()
    }
  }, [read])

  const { next, busy, error } = state
  const more = useCallback(() => {
    if (next === undefined || busy || asking.current !== null) return
    void read(next)
  }, [read, next, busy])
  return { ...state, more, isWhole: next === undefined && !busy && error === null }
}
