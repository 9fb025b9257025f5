// The API key from a link that opens the dashboard signed in: `/ui#key=…`. It is removed from the address as soon as it is read, and kept
// for this tab, so that a reload stays signed in. A typed key is not kept.
const stored = 'crossbook.key'

/** The key in the address, otherwise the one this tab was opened with; null: neither. */
export function takeKey(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return sessionStorage.getItem(stored)
  history.replaceState(null, '', location.pathname + location.search)
  sessionStorage.setItem(stored, key)
  return key
}

export const forgetKey = (): void => globalThis.sessionStorage?.removeItem(stored)
