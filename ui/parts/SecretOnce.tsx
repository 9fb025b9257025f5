import type { ComponentChildren } from 'preact'
import { useScrollIntoView } from '../lib/useScrollIntoView.ts'

/** The details of a selected row, scrolled into view. `of`: the row. */
export function RowDetails({ label, of, children }: { label: string; of: string; children: ComponentChildren }) {
  return (
    <section class="card detail" aria-label={label} ref={useScrollIntoView<HTMLElement>(of)}>
      {children}
    </section>
  )
}
