// A list that is read page by page as it is scrolled.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, ApiError } from './api.ts'
import { backoffMs } from './backoff.ts'
import { whenVisible } from './whenVisible.ts'

export interface Paged<Row> {
  rows: readonly Row[]
  /** The oldest `asOf` of the loaded pages; null where the response has none. */
  asOf: string | null
  /** The fields next to the rows of the last page read; null before the first. */
  meta: Readonly<Record<string, unknown>> | null
  busy: boolean
  /** Every page was read. */
  isWhole: boolean
  error: ApiError | null
  more(): void
}

interface Options {
  /** Delay from a change of the request until it is sent. */
  delayMs?: number
  /** Interval for reading the pages again; absent: never. */
  everyMs?: number
}

type State<Row> = Omit<Paged<Row>, 'more' | 'isWhole'> & { pages: number; next: string | undefined }

/** Longer lists are not refreshed: most of the rows are out of sight, and the time of the read is shown. */
const pagesAgainMax = 5

/** `what` identifies what `loadPage` reads: a change of it starts over, and keeps the old rows until then. */
export function usePaged<Row>(
  what: string,
  loadPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Answer<Row[]>>,
  { delayMs = 0, everyMs }: Options = {},
): Paged<Row> {
  const [state, setState] = useState<State<Row>>(start)
  const inFlight = useRef<AbortController | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const refused = useRef(0)

  /** Reads the page after the loaded ones, or all loaded pages again. */
  const read = useCallback(
    async (before: Pick<State<Row>, 'rows' | 'asOf' | 'next'>, pages: number): Promise<void> => {
      const controller = new AbortController()
      inFlight.current = controller
      clearTimeout(timer.current)
      try {
        const found = await pagesOf(loadPage, before, pages, controller.signal)
        if (controller.signal.aborted) return
        refused.current = 0
        setState((now) => ({
          ...found,
          pages: before === start ? found.pages : now.pages + 1,
          busy: false,
          error: null,
        }))
      } catch (error) {
        if (controller.signal.aborted) return
        const shown = error instanceof ApiError ? error : new ApiError('NETWORK', 'the server cannot be reached', true)
        setState((now) => ({ ...now, busy: false, next: undefined, error: shown }))
        const again = (): void => void read(before, pages)
        if (shown.retryable) timer.current = setTimeout(again, backoffMs(refused.current++, Math.random()))
      } finally {
        if (inFlight.current === controller) inFlight.current = null
      }
    },
    [what],
  )

  useEffect(() => {
    setState((before) => ({ ...before, busy: true, next: undefined }))
    timer.current = setTimeout(() => void read(start, 1), delayMs)
    return () => {
      clearTimeout(timer.current)
      inFlight.current?.abort()
    }
  }, [read])

  const { pages, next, busy, error, asOf } = state
  useEffect(() => {
    if (everyMs === undefined || busy || error !== null || pages === 0 || pages > pagesAgainMax) return
    return whenVisible(everyMs, () => {
      if (inFlight.current === null) void read(start, pages)
    })
  }, [read, everyMs, pages, busy, error, asOf])

  // A list that was refreshed reads further pages again
  const more = useCallback(() => {
    if (next === undefined || busy || inFlight.current !== null) return
    void read(state, 1)
  }, [read, state])
  return { ...state, more, isWhole: next === undefined && !busy && error === null }
}

const start = { rows: [], asOf: null, meta: null, pages: 0, next: undefined, busy: true, error: null }

async function pagesOf<Row>(
  loadPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Answer<Row[]>>,
  before: Pick<State<Row>, 'rows' | 'asOf' | 'next'>,
  pages: number,
  signal: AbortSignal,
): Promise<Pick<State<Row>, 'rows' | 'asOf' | 'meta' | 'pages' | 'next'>> {
  const rows = [...before.rows]
  let { asOf, next } = before
  let meta: Readonly<Record<string, unknown>> = {}
  let read = 0
  do {
    const answer = await loadPage(next, signal)
    rows.push(...answer.data)
    const cursor = answer.nextCursor ?? answer.meta?.nextCursor
    next = typeof cursor === 'string' ? cursor : undefined
    meta = answer.meta ?? {}
    asOf ??= answer.asOf ?? null
    read++
  } while (read < pages && next !== undefined)
  return { rows, asOf, meta, pages: read, next }
}
