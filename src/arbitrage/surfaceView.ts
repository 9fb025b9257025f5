// The surface as seen by a gateway, whether computed in the same process or received over the bus.
import { Fault } from '#core/fault'
import type { ArbitrageAudience } from './channel.ts'
import { validContracts } from './compileSurface.ts'
import { type ArbitrageQuery, arbitrageRows, compatRow, type FoundRow } from './fetchArbitrage.ts'
import { unknownVenue } from './filter.ts'
import type { PublishedRows } from './publishedRows.ts'

export interface SurfaceView {
  /** Where stream subscribers go. */
  audience: ArbitrageAudience
  /**
   * The rows as last published; null while none may be shown. `venuesLeftOut`: how many members did not fit into clusters of more than ten
   * venues; null where several processes share the clusters.
   */
  rows(): { rows: PublishedRows; computedAt: number; venuesLeftOut: number | null } | null
  /** Contracts on each side of the published rows. */
  contracts: number
  /** The same rows for another size; null if currently unknown. */
  rowsAt(contracts: number, query: ArbitrageQuery): Promise<SizedRows | null>
  /** Runs a read in slices, interleaved with other work; null when too many wait. */
  run<T>(read: Generator<void, T, void>): Promise<T | null>
  /** If the gateway owns it. */
  stop?(): Promise<void>
}

export interface SizedRows {
  /** Best first. */
  rows: FoundRow[]
  computedAt: number
}

export const unavailable = (): Fault =>
  new Fault('ARBITRAGE_UNAVAILABLE', 'the arbitrage surface is not computed right now: try again shortly', {
    retryAfterSeconds: 2,
  })

/** The router verb's reads: the rows best first, at the published size unless another is requested. */
export const surfaceReads = (view: SurfaceView) => ({
  get contracts() {
    return view.contracts
  },
  validContracts,
  unknownVenue,
  compat: compatRow,
  async read(
    contracts: number | undefined,
    query: ArbitrageQuery,
  ): Promise<SizedRows & { venuesLeftOut: number | null }> {
    const published = view.rows()
    if (published === null) throw unavailable()
    const { venuesLeftOut } = published
    if (contracts === undefined || contracts === view.contracts) {
      const rows = await view.run(arbitrageRows(published.rows, query))
      // Withheld while the read waited: they are no longer valid.
      if (rows === null || view.rows() === null) throw unavailable()
      return { rows, computedAt: published.computedAt, venuesLeftOut }
    }
    const sized = await view.rowsAt(contracts, query)
    if (sized === null || view.rows() === null) throw unavailable()
    return { ...sized, venuesLeftOut }
  },
})
