import { useRef } from 'preact/hooks'

/** The selected row: if it leaves the surface, its last values stay, so that it can be read to the end. */
export function useSelected<Row>(
  rows: ReadonlyMap<string, Row>,
  chosen: string | null,
): { row: Row; isGone: boolean } | null {
  const last = useRef<{ id: string; row: Row } | null>(null)
  if (chosen === null) return null
  const row = rows.get(chosen)
  if (row !== undefined) last.current = { id: chosen, row }
  return last.current?.id === chosen ? { row: last.current.row, isGone: row === undefined } : null
}
