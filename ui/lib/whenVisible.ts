/** Runs once, `afterMs` from now; in a tab that nobody sees, as soon as it is seen again. Returns its end. */
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
