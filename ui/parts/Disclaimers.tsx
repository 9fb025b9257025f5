import type { Answer } from '../lib/api.ts'

/** What a reader must know to read the rows rightly, as the answer says it. */
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
