import { useEffect, useRef } from 'preact/hooks'

/** Brings what was chosen into sight, once for each `of`. */
export function useReveal<E extends HTMLElement>(of: string) {
  const element = useRef<E>(null)
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [of])
  return element
}
