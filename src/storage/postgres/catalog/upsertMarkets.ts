// Writes changed markets. The caller holds their marks.
import type { Queryable } from '../pool.ts'
import { wordsInIndex } from './upsertLexemes.ts'

export interface MarketRecord {
  id: string
  event_id: string | null
  position: number
  slug: string | null
  category: string | null
  tags: string[]
  active: boolean
  /** Distinct words of the title. */
  title_words: string[]
  volume: number | null
  liquidity: number | null
  /** Epoch ms. */
  created: number | null
  /** Hex. */
  digest: string
  doc: unknown
}

/** `records` as JSON text: an array of MarketRecord. */
export async function upsertMarkets(db: Queryable, venue: string, records: string): Promise<void> {
  await db.query(
    `INSERT INTO catalog_markets (venue, id, event_id, position, slug, category, tags, active,
       volume_rank, liquidity_rank, newest_rank, title_words, digest, doc)
     SELECT $1, r.id, r.event_id, r.position, r.slug, r.category, r.tags, r.active,
       coalesce(0 - r.volume, 'Infinity'), coalesce(0 - r.liquidity, 'Infinity'), coalesce(0 - r.created, 'Infinity'),
       ${wordsInIndex}, decode(r.digest, 'hex'), r.doc
     FROM jsonb_to_recordset($2::jsonb) AS r(id text, event_id text, position integer, slug text, category text, tags text[],
       active boolean, volume float8, liquidity float8, created float8, title_words text[], digest text, doc jsonb)
     ON CONFLICT (venue, id) DO UPDATE SET event_id = EXCLUDED.event_id, position = EXCLUDED.position, slug = EXCLUDED.slug,
       category = EXCLUDED.category, tags = EXCLUDED.tags, active = EXCLUDED.active, volume_rank = EXCLUDED.volume_rank,
       liquidity_rank = EXCLUDED.liquidity_rank, newest_rank = EXCLUDED.newest_rank, title_words = EXCLUDED.title_words,
       digest = EXCLUDED.digest, doc = EXCLUDED.doc`,
    [venue, records],
  )
}
