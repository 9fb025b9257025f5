// Writes one run of the matcher, all or nothing. Rows go in pieces into temporary tables of this transaction; the database then finds what is new,
// changed or gone, so that a run without changes writes nothing.

import { inTransaction, isStillResting, type Pool, type Queryable } from '../pool.ts'
import type { Run, RunCounts, RunLogRow } from '../runLog.ts'
import { finishRun } from '../runLog.ts'
import type { MatchPairRow } from './matchRow.ts'
import {
  mergingOpenTemplatePairs,
  type OpenTemplatePairRow,
  stageOpenTemplatePairs,
  stagingOpenTemplatePairs,
} from './openTemplatePairs.ts'

export interface ClusterRow {
  id: string
  question: string
  members: { venue: string; market_id: string; polarity: 'same' | 'inverse' }[]
}

/** A relation within one event, in the form its readers use. */
export interface EventRelationRow {
  id: string
  venue: string
  event_id: string
  relation: unknown
}

export type MatchPiece =
  | { kind: 'clusters'; rows: ClusterRow[] }
  | { kind: 'pairs'; rows: MatchPairRow[] }
  | { kind: 'relations'; rows: EventRelationRow[] }
  | { kind: 'openTemplates'; rows: OpenTemplatePairRow[] }

export interface WrittenRun {
  run: Run
  /** The run that was stored when this one began; null if there was none. */
  basedOn: string | null
  overrideId: string
  /** The last decision on a template pair that was read; absent: none. */
  templateDecisionId?: string
}

export interface RunEnd {
  finishedAt: number
  counts: RunCounts
}

/** A large first run has many rows. */
const transactionMs = 300_000

/** Throws if another process wrote a run meanwhile: ids would no longer follow the clusters they came from. */
export async function writeRun(
  pool: Pool,
  { run, basedOn, overrideId, templateDecisionId = '0' }: WrittenRun,
  pieces: AsyncIterable<MatchPiece>,
  end: () => RunEnd,
): Promise<RunLogRow | null> {
  return inTransaction(
    pool,
    async (client) => {
      await client.query(staging)
      await client.query(stagingOpenTemplatePairs)
      for await (const { kind, rows } of pieces) {
        if (rows.length === 0) continue
        await client.query(stages[kind], [storableJson(rows)])
      }
      await refuseOvertaken(client, basedOn)
      for (const statement of merging) await client.query(statement)
      const { finishedAt, counts } = end()
      await client.query(
        `INSERT INTO match_state (run_id, override_id, template_decision_id, finished_at)
         VALUES ($1, $2, $3, to_timestamp($4::float8 / 1000))
         ON CONFLICT (only_row) DO UPDATE
         SET run_id = excluded.run_id, override_id = excluded.override_id,
           template_decision_id = excluded.template_decision_id, finished_at = excluded.finished_at`,
        [run.id, overrideId, templateDecisionId, finishedAt],
      )
      return finishRun(client, run, { finishedAt, ok: true, counts })
    },
    { statementTimeoutMs: transactionMs, settings: isStillResting },
  )
}

async function refuseOvertaken(client: Queryable, basedOn: string | null): Promise<void> {
  // Writers wait for each other here, readers never wait.
  await client.query('LOCK TABLE match_state IN SHARE ROW EXCLUSIVE MODE')
  const { rows } = await client.query<{ run_id: string }>('SELECT run_id FROM match_state')
  const stored = rows[0]?.run_id ?? null
  if (stored !== basedOn)
    throw new Error(`another process stored run ${stored} while this one worked on from ${basedOn ?? 'nothing'}`)
}

const staging = `
  CREATE TEMP TABLE new_clusters (id text COLLATE "C" PRIMARY KEY, question text, digest bytea) ON COMMIT DROP;
  CREATE TEMP TABLE new_members (venue text COLLATE "C", market_id text COLLATE "C", cluster_id text COLLATE "C",
    position smallint, polarity text, PRIMARY KEY (venue, market_id)) ON COMMIT DROP;
  CREATE TEMP TABLE new_pairs (LIKE match_pairs, PRIMARY KEY (a_venue, a_market_id, b_venue, b_market_id)) ON COMMIT DROP;
  CREATE TEMP TABLE new_event_relations (LIKE match_event_relations, PRIMARY KEY (id)) ON COMMIT DROP`

const stageClusters = `
  WITH given AS MATERIALIZED (SELECT row FROM jsonb_array_elements($1::jsonb) AS row),
  clusters AS (
    INSERT INTO new_clusters SELECT row->>'id', row->>'question', sha256(convert_to(row::text, 'UTF8')) FROM given)
  INSERT INTO new_members (cluster_id, venue, market_id, polarity, position)
    SELECT row->>'id', member->>'venue', member->>'market_id', member->>'polarity', place - 1
    FROM given CROSS JOIN jsonb_array_elements(row->'members') WITH ORDINALITY AS members(member, place)`

const pairFields = `a_venue, a_market_id, b_venue, b_market_id, cluster_id, score, band, polarity, relation, relation_band, differences,
  resolution, resolution_equivalence, override`

const stagePairs = `
  INSERT INTO new_pairs (${pairFields}, digest, updated_at)
    SELECT p.a_venue, p.a_market_id, p.b_venue, p.b_market_id, p.cluster_id, p.score, p.band, p.polarity, p.relation,
      p.relation_band, p.differences, p.resolution, p.resolution_equivalence, p.override, sha256(convert_to(row::text, 'UTF8')), now()
    FROM jsonb_array_elements($1::jsonb) AS row CROSS JOIN jsonb_populate_record(NULL::match_pairs, row) AS p`

const stageRelations = `
  INSERT INTO new_event_relations (id, venue, event_id, relation, digest, updated_at)
    SELECT row->>'id', row->>'venue', row->>'event_id', row->'relation', sha256(convert_to(row::text, 'UTF8')), now()
    FROM jsonb_array_elements($1::jsonb) AS row`

const stages: Readonly<Record<MatchPiece['kind'], string>> = {
  clusters: stageClusters,
  pairs: stagePairs,
  relations: stageRelations,
  openTemplates: stageOpenTemplatePairs,
}

const pairKey = '(a_venue, a_market_id, b_venue, b_market_id)'

/** PostgreSQL's text allows neither NUL nor lone surrogates; truncated titles contain the latter. */
function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(value, (_, member) =>
    typeof member === 'string' ? member.replaceAll('\0', '').toWellFormed() : member,
  )
}

/** Clusters before their members, and deletions last: a member always has its cluster. */
const merging = [
  'ANALYZE new_clusters',
  'ANALYZE new_members',
  'ANALYZE new_pairs',
  `INSERT INTO match_clusters (id, question, digest) SELECT id, question, digest FROM new_clusters
   ON CONFLICT (id) DO UPDATE SET question = excluded.question, digest = excluded.digest, updated_at = now()
   WHERE match_clusters.digest <> excluded.digest`,
  `DELETE FROM match_members m WHERE NOT EXISTS (
     SELECT FROM new_members n WHERE n.venue = m.venue AND n.market_id = m.market_id)`,
  `INSERT INTO match_members (venue, market_id, cluster_id, position, polarity)
   SELECT venue, market_id, cluster_id, position, polarity FROM new_members
   ON CONFLICT (venue, market_id) DO UPDATE
   SET cluster_id = excluded.cluster_id, position = excluded.position, polarity = excluded.polarity
   WHERE (match_members.cluster_id, match_members.position, match_members.polarity)
     <> (excluded.cluster_id, excluded.position, excluded.polarity)`,
  'DELETE FROM match_clusters c WHERE NOT EXISTS (SELECT FROM new_clusters n WHERE n.id = c.id)',
  `DELETE FROM match_pairs p WHERE NOT EXISTS (
     SELECT FROM new_pairs n WHERE (n.a_venue, n.a_market_id, n.b_venue, n.b_market_id) = (p.a_venue, p.a_market_id, p.b_venue, p.b_market_id))`,
  `INSERT INTO match_pairs (${pairFields}, digest, updated_at) SELECT ${pairFields}, digest, updated_at FROM new_pairs
   ON CONFLICT ${pairKey} DO UPDATE SET cluster_id = excluded.cluster_id, score = excluded.score, band = excluded.band,
     polarity = excluded.polarity, relation = excluded.relation, relation_band = excluded.relation_band, differences = excluded.differences,
     resolution = excluded.resolution,
     resolution_equivalence = excluded.resolution_equivalence, override = excluded.override, digest = excluded.digest,
     updated_at = excluded.updated_at
   WHERE match_pairs.digest <> excluded.digest`,
  'ANALYZE new_event_relations',
  'DELETE FROM match_event_relations r WHERE NOT EXISTS (SELECT FROM new_event_relations n WHERE n.id = r.id)',
  `INSERT INTO match_event_relations (id, venue, event_id, relation, digest, updated_at)
   SELECT id, venue, event_id, relation, digest, updated_at FROM new_event_relations
   ON CONFLICT (id) DO UPDATE SET venue = excluded.venue, event_id = excluded.event_id, relation = excluded.relation,
     digest = excluded.digest, updated_at = excluded.updated_at
   WHERE match_event_relations.digest <> excluded.digest`,
  'ANALYZE new_open_template_pairs',
  mergingOpenTemplatePairs,
]
