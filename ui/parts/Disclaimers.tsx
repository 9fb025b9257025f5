import type { Answer } from '../lib/api.ts'

/** Disclaimers of the response that a reader must know to read the rows correctly. */
export function Notes({ answer }: { answer: Answer<unknown> | null }) {
  const notes = answer?.notes ?? []
  if (notes.length === 0) return null
  return (
    <ul class="quiet notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
