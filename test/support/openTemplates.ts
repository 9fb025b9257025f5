// Template pairs without a decision, written as by a run of the matcher.
import { templateKey } from '#matching/decide/templates/templatePair'
import { latestRunId, type MatchPiece, type OpenTemplatePairRow, writeRun } from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import { insertRun } from '#storage/postgres/runLog'

export const openTemplate = (a: string, b: string, extra: Partial<OpenTemplatePairRow> = {}): OpenTemplatePairRow => ({
  key: templateKey({ a, b }),
  a,
  b,
  slots: [{ placeholder: '{person}', kind: 'person', a: 'Maria Keller', b: 'Maria Keller' }],
  examples: [{ a: 'polymarket:101', b: 'kalshi:KXKROLL-27-MK' }],
  pairs: 1,
  ...extra,
})

interface Found {
  /** The last decision that the run had read. */
  templateDecisionId?: string
  /** What else it found; default: nothing. */
  others?: AsyncIterable<MatchPiece>
}

async function* piecesOf(rows: OpenTemplatePairRow[], others?: AsyncIterable<MatchPiece>): AsyncIterable<MatchPiece> {
  yield { kind: 'openTemplates', rows }
  if (others !== undefined) yield* others
}

export async function writeOpenTemplates(
  pool: Pool,
  rows: OpenTemplatePairRow[],
  { templateDecisionId = '0', others }: Found = {},
): Promise<void> {
  const run = await insertRun(pool, 'matcher.run', 1_790_000_000_000)
  const written = { run, basedOn: await latestRunId(pool), overrideId: '0', templateDecisionId }
  await writeRun(pool, written, piecesOf(rows, others), () => ({ finishedAt: 1_790_000_001_000, counts: {} }))
}
