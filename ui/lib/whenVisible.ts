/** Runs once, `afterMs` from now; in a hidden tab, as soon as it is visible again. Returns a function that cancels it. */
export function whenVisible(afterMs: number, run: () => void): () => void {
  const ends = new AbortController()
  const timer = setTimeout(() => {
    if (!document.hidden) return run()
    const look = (): void => {
      if (document.hidden) return
      ends.abort()
      run()
    }
    document.addEventListener('visibilitychange', look, { signal: ends.signal })
  }, afterMs)
  return () => {
    clearTimeout(timer)
    ends.abort()
  }
}
