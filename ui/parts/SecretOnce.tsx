import type { ComponentChildren } from 'preact'
import { useReveal } from '../lib/useScrollIntoView.ts'

/** The details of a selected row, scrolled into view. `of`: the row. */
export function SecretOnce({ label, of, children }: { label: string; of: string; children: ComponentChildren }) {
  return (
    <section class="card detail" aria-label={label} ref={useReveal<HTMLElement>(of)}>
      {children}
    </section>
  )
}
