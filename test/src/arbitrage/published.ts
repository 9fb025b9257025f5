// A surface of random clusters, published once, for gateway tests.

import { compileSurface } from '#arbitrage/compileSurface'
import { RowEncoder } from '#arbitrage/encodeRow'
import { arbitrageRowsAt } from '#arbitrage/fetchArbitrage'
import { rowExecutable } from '#arbitrage/flags'
import { Publication } from '#arbitrage/publication'
import { rowOf } from '#arbitrage/row'
import { SizedSurfaces } from '#arbitrage/sizedQuery'
import { Surface } from '#arbitrage/surface'
import type { SurfaceView } from '#arbitrage/surfaceView'
import { spreadMicros } from '#arbitrage/table'
import { Random, SampleBooks, sampleCluster } from './worlds.ts'

export function published(seed: number) {
  const random = new Random(seed)
  const books = new SampleBooks(400)
  const inputs = Array.from({ length: 25 }, (_, i) => sampleCluster(random, `c${i}`, books, 1_790_000_000_000))
  const compiled = compileSurface(inputs, { contracts: 10, limit: 1e9, slotOf: books.slotOf })
  const surface = Surface.alone(compiled.plan, books.arena)
  surface.pass()
  const publication = new Publication({ intervalMs: 100, contracts: 10, limit: 1e9, seq: 0 })
  const encoder = new RowEncoder(compiled, surface.table)
  const { plan, rowFacts, sideFacts } = compiled
  for (let row = 0; row < plan.rows; row++) {
    const [yes, no] = [plan.rowYes[row]!, plan.rowNo[row]!]
    const size = encoder.encode(row)
    const meta = {
      executable: rowExecutable(surface.table.flags[yes]!, surface.table.flags[no]!, rowFacts[row]!.verified),
      venueA: sideFacts[yes]!.member.venue,
      venueB: sideFacts[no]!.member.venue,
      netMicros: surface.table.net[row]!,
      spreadMicros: spreadMicros(surface.table, yes, no),
      matchScore: rowFacts[row]!.pair.matchScore,
      matchBand: rowFacts[row]!.pair.matchBand,
    }
    publication.put(rowFacts[row]!.key, meta, encoder.scratch, size)
  }
  const all = rowFacts.map((_, row) => rowOf(compiled, surface.table, row))
  return { books, compiled, publication, all }
}

/** Runs the generator without pauses. */
export function drain<T>(work: Generator<void, T, void>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** The same as a gateway's view; with `shown` false it withholds the rows. */
export function publishedView(seed: number, shown = true) {
  const { books, compiled, publication, all } = published(seed)
  const computedAt = 1_790_000_000_000
  const sizes = new SizedSurfaces(books.arena)
  const view: SurfaceView = {
    audience: { add: () => undefined, remove: () => undefined },
    contracts: compiled.plan.contracts,
    run: async (read) => drain(read),
    rows: () => (shown ? { rows: publication.rows, computedAt, venuesLeftOut: 2 } : null),
    rowsAt: async (contracts, query) => ({
      rows: drain(arbitrageRowsAt(compiled, sizes, contracts, query)),
      computedAt,
    }),
  }
  return { view, all }
}
