// Hooks used on several pages: a read that is repeated, and the theme.
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from './api.ts'
import { backoffMs } from './backoff.ts'
import { apiKey } from './session.ts'
import { whenVisible } from './whenVisible.ts'

export interface Polled<T> {
  /** Null before the first response; kept when a later read fails. */
  value: T | null
  error: ApiError | null
}

/**
 * Reads at once and again `everyMs` after each response; null: until there is one. After a retryable failure it retries sooner at first. A
 * change of `what` starts over; a change of `round` reads at once and keeps the previous response meanwhile. Unsupported reads are not
 * repeated. A hidden tab sends nothing.
 */
export function usePolled<T>(
  what: string,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs: number | null,
  round = 0,
): Polled<T> {
  const [state, setState] = useState<Polled<T> & { what: string }>({ what, value: null, error: null })
  // `what` identifies what `load` reads
  useEffect(() => {
    const controller = new AbortController()
    let end: (() => void) | undefined
    let refused = 0
    const askOnce = async (): Promise<void> => {
      let nextMs = everyMs
      try {
        const value = await load(controller.signal)
        if (!controller.signal.aborted) setState({ what, value, error: null })
        refused = 0
      } catch (error) {
        if (controller.signal.aborted) return
        const shown = error instanceof ApiError ? error : new ApiError('NETWORK', 'the server cannot be reached', true)
        setState((before) => ({ what, value: before.what === what ? before.value : null, error: shown }))
        if (shown.code === 'NOT_SUPPORTED') nextMs = null
        if (shown.retryable) nextMs = Math.min(nextMs ?? Number.POSITIVE_INFINITY, backoffMs(refused++, Math.random()))
      }
      if (nextMs !== null && apiKey.peek() !== null) end = whenVisible(nextMs, askOnce)
    }
    void askOnce()
    return () => {
      controller.abort()
      end?.()
    }
  }, [what, everyMs, round])
  return state.what === what ? state : { value: null, error: null }
}

export type Theme = 'light' | 'dark'
const stored = 'crossbook.theme'
const system = matchMedia('(prefers-color-scheme: dark)')

/** Null: follows the system setting. */
const chosen = signal<Theme | null>(readTheme())
const systemTheme = signal<Theme>(system.matches ? 'dark' : 'light')
system.addEventListener('change', ({ matches }) => {
  systemTheme.value = matches ? 'dark' : 'light'
})

export const theme = (): Theme => chosen.value ?? systemTheme.value

export function toggleTheme(): void {
  chosen.value = theme() === 'dark' ? 'light' : 'dark'
  localStorage.setItem(stored, chosen.value)
  showTheme()
}

export function showTheme(): void {
  if (chosen.value !== null) document.documentElement.dataset.theme = chosen.value
}

function readTheme(): Theme | null {
  const word = localStorage.getItem(stored)
  return word === 'light' || word === 'dark' ? word : null
}
