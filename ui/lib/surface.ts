// Rows of a surface from its frames: a snapshot in parts, then deltas. Pure: each step returns the next state.

interface SurfaceData<Row> {
  kind: 'snapshot' | 'delta'
  seq: number
  /** Null: unknown. */
  computedAt: string | null
  part: { i: number; n: number }
  rows?: readonly Row[] | undefined
  upserts?: readonly Row[] | undefined
  removes?: readonly string[] | undefined
}

export interface Surface<Row> {
  /** Null before the first complete snapshot. */
  seq: number | null
  computedAt: string | null
  rows: ReadonlyMap<string, Row>
  /** Parts of a snapshot that is not complete yet. */
  coming: { seq: number; parts: ReadonlyMap<number, readonly Row[]> } | null
}

export const emptySurface = <Row>(): Surface<Row> => ({ seq: null, computedAt: null, rows: new Map(), coming: null })

export function applyFrame<Row>(
  surface: Surface<Row>,
  data: SurfaceData<Row>,
  idOf: (row: Row) => string,
): Surface<Row> {
  return data.kind === 'snapshot' ? withPart(surface, data, idOf) : withDelta(surface, data, idOf)
}

function withPart<Row>(surface: Surface<Row>, data: SurfaceData<Row>, idOf: (row: Row) => string): Surface<Row> {
  const before = surface.coming?.seq === data.seq ? surface.coming.parts : new Map<number, readonly Row[]>()
  const parts = new Map(before).set(data.part.i, data.rows ?? [])
  if (parts.size < data.part.n) return { ...surface, coming: { seq: data.seq, parts } }
  const rows = new Map([...parts.values()].flat().map((row) => [idOf(row), row]))
  return { seq: data.seq, computedAt: data.computedAt, rows, coming: null }
}

/** Parts of one delta share its seq; older deltas are ignored. */
function withDelta<Row>(surface: Surface<Row>, data: SurfaceData<Row>, idOf: (row: Row) => string): Surface<Row> {
  if (surface.seq === null || data.seq < surface.seq) return surface
  const rows = new Map(surface.rows)
  for (const id of data.removes ?? []) rows.delete(id)
  for (const row of data.upserts ?? []) rows.set(idOf(row), row)
  return { ...surface, seq: data.seq, computedAt: data.computedAt, rows }
}

/** Best edge first; rows without an edge come last. */
export const byEdge = (a: { netEdge: number | null }, b: { netEdge: number | null }): number =>
  (b.netEdge ?? Number.NEGATIVE_INFINITY) - (a.netEdge ?? Number.NEGATIVE_INFINITY) || 0
