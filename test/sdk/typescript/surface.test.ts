// Rows kept from parts: whatever is cut, lost or repeated, the shown state is one that the service had, or empty.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type SurfaceData, SurfaceState } from '#sdk/typescript/src/stream/surface'

interface Row {
  id: string
  version: number
}

const ids = ['a', 'b', 'c', 'd', 'e', 'f']

/** A service: the parts it sends, and the state after each frame. */
function simulateService(steps: readonly { kind: 'snapshot' | 'delta'; changes: readonly number[]; size: number }[]) {
  const rows = new Map<string, Row>()
  const parts: SurfaceData<Row>[] = []
  const states = new Set<string>([text([])])
  let seq = 0
  for (const [version, { kind, changes, size }] of steps.entries()) {
    const upserts: Row[] = []
    const removes: string[] = []
    for (const change of new Set(changes)) {
      const id = ids[change]!
      const row = { id, version }
      if (rows.has(id) && version % 2 === 0) {
        rows.delete(id)
        removes.push(id)
      } else {
        rows.set(id, row)
        upserts.push(row)
      }
    }
    const isWhole = kind === 'snapshot' || version === 0
    const rowsToSend = isWhole ? [...rows.values()] : upserts
    const n = Math.max(1, Math.ceil(rowsToSend.length / size))
    seq += 2
    for (let i = 1; i <= n; i++) {
      const slice = rowsToSend.slice((i - 1) * size, i * size)
      const body = isWhole
        ? { kind: 'snapshot' as const, rows: slice }
        : { kind: 'delta' as const, upserts: slice, removes: i === n ? removes : [] }
      parts.push({ ...body, seq, computedAt: '', part: { i, n } })
    }
    states.add(text(rows.values()))
  }
  return { parts, states, last: text(rows.values()) }
}

const text = (rows: Iterable<Row>): string =>
  JSON.stringify([...rows].sort((a, b) => a.id.localeCompare(b.id)).map(({ id, version }) => [id, version]))

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('snapshot' as const, 'delta' as const, 'delta' as const),
    changes: fc.array(fc.nat(ids.length - 1), { maxLength: 6 }),
    size: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 1, maxLength: 12 },
)

it('all parts in order lead to the state of the service after each frame, and no part shows by itself', () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { parts, states, last } = simulateService(given)
      const state = new SurfaceState<Row>(({ id }) => id)
      for (const part of parts) {
        const accepted = state.accept(part)
        expect(accepted?.type).toBe(part.part.i === part.part.n ? 'rows' : undefined)
        expect(states).toContain(text(state.rows.values()))
      }
      expect(text(state.rows.values())).toBe(last)
    }),
  )
})

it('lost or repeated parts lead to a gap, and never to a state that the service never had', () => {
  fc.assert(
    fc.property(steps, fc.array(fc.nat(), { maxLength: 3 }), fc.boolean(), (given, places, twice) => {
      const { parts, states } = simulateService(given)
      const broken = new Set(places.map((place) => place % parts.length))
      const receivedParts = parts.flatMap((part, i) => (!broken.has(i) ? [part] : twice ? [part, part] : []))
      const state = new SurfaceState<Row>(({ id }) => id)
      for (const part of receivedParts) {
        const accepted = state.accept(part)
        if (accepted?.type === 'gap') expect(state.rows.size).toBe(0)
        // The loss of a whole one-part frame does not show in its number: the service repairs that by a snapshot.
        if (twice || parts.length === receivedParts.length) expect(states).toContain(text(state.rows.values()))
      }
    }),
  )
})
