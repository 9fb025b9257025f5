// Shared by the two verbs that filter the caller's own rows.
import { setImmediate } from 'node:timers/promises'
import { jsonArray } from '#core/jsonArray'
import type { Row } from '../criteria.ts'
import type { VerbAnswer } from '../defineVerb.ts'
import { toIso } from '../fields.ts'
import type { Markets } from '../markets.ts'
import { emulated } from './shapes.ts'

/** The API family's limit. */
export const filterBodyBytesMax = 2 * 1024 * 1024
/** Rows per call; a body of real ones has fewer. */
export const rowsMax = 10_000
/** Rows checked and written before yielding to other work. */
const rowsPerTurn = 100

export function filterRows(
  markets: Markets,
  rows: readonly Row[],
  fits: (row: Row) => boolean,
): VerbAnswer | Promise<VerbAnswer> {
  return rows.length <= rowsPerTurn ? emulated(markets, rows.filter(fits)) : filterMany(markets, rows, fits)
}

async function filterMany(markets: Markets, rows: readonly Row[], fits: (row: Row) => boolean): Promise<VerbAnswer> {
  const kept: Buffer[] = []
  for (let from = 0; from < rows.length; from += rowsPerTurn) {
    for (const row of rows.slice(from, from + rowsPerTurn)) if (fits(row)) kept.push(Buffer.from(JSON.stringify(row)))
    await setImmediate()
  }
  const siblings = { asOf: toIso(markets.clock.now()), provenance: { source: 'computed' } }
  return { encoded: jsonArray(kept), siblings }
}
