import { useEffect, useRef } from 'preact/hooks'

/** Scrolls the selected element into view, once for each `of`. */
export function useScrollIntoView<E extends HTMLElement>(of: string) {
  const element = useRef<E>(null)
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [of])
  return element
}
