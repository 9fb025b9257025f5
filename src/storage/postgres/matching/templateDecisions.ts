// Operators' decisions on template pairs: recorded, withdrawn and read, never changed. The last one of a template pair applies.
import type { TemplateDecision } from '#schemas/matchDecisions'
import type { Queryable } from '../pool.ts'

export interface TemplateTexts {
  /** Of both texts; see migration 036. */
  key: string
  /** Sorted. */
  a: string
  b: string
}

export interface NewTemplateDecision extends TemplateTexts {
  action: 'decide' | 'withdraw'
  /** Null for a withdrawal, like the relation. */
  verdict: TemplateDecision['verdict'] | null
  relation: TemplateDecision['relation'] | null
  reasons: TemplateDecision['reasons']
  evidence: TemplateDecision['evidence']
  /** Pairs of market keys that were shown: the market with the first text first. */
  examples: readonly { a: string; b: string }[]
  decidedBy: string
  /** The API key, or the user of the command line. */
  recordedBy: string
  /** Of an imported decision; default: now. */
  decidedAt?: Date
}

export interface StoredTemplateDecision extends Omit<NewTemplateDecision, 'decidedAt'> {
  id: string
  decidedAt: Date
  recordedAt: Date
  /** The last one of its template pair. */
  last: boolean
}

interface DecisionRow {
  id: string
  key: string
  a: string
  b: string
  action: NewTemplateDecision['action']
  verdict: NewTemplateDecision['verdict']
  relation: NewTemplateDecision['relation']
  reasons: { field: string; reason: string }[]
  evidence: string[]
  examples: { a: string; b: string }[]
  decided_by: string
  decided_at: Date
  recorded_by: string
  recorded_at: Date
  last: boolean
}

const columns = [
  ...['key', 'a', 'b', 'action', 'verdict', 'relation', 'reasons', 'evidence', 'examples'],
  ...['decided_by', 'decided_at', 'recorded_by'],
].join(', ')

const given = `jsonb_to_recordset($1::jsonb) AS given (
  key text, a text, b text, action text, verdict text, relation text, reasons jsonb, evidence jsonb, examples jsonb,
  decided_by text, decided_at timestamptz, recorded_by text, place integer)`

/** Any number works as long as nothing else on the server uses it alone. */
const decisionsLock = 724_610

/** Until the end of the transaction no other one that calls this records a decision. */
export const lockTemplateDecisions = async (db: Queryable): Promise<void> =>
  void (await db.query(`SELECT pg_advisory_xact_lock(${decisionsLock})`))

/** In the given order. */
export async function insertTemplateDecisions(
  db: Queryable,
  decisions: readonly NewTemplateDecision[],
): Promise<StoredTemplateDecision[]> {
  if (decisions.length === 0) return []
  const { rows } = await db.query<DecisionRow>(
    `INSERT INTO match_template_decisions (${columns})
     SELECT ${columns.replace('decided_at', 'coalesce(decided_at, now())')} FROM ${given} ORDER BY place
     RETURNING *, true AS last`,
    [
      JSON.stringify(
        decisions.map(({ decidedBy, decidedAt, recordedBy, ...rest }, place) => ({
          ...rest,
          place,
          decided_by: decidedBy,
          decided_at: decidedAt?.toISOString() ?? null,
          recorded_by: recordedBy,
        })),
      ),
    ],
  )
  return rows.map(decisionOf)
}

/** Every decision that applies, with the id of the last one read: a greater one was recorded later. */
export async function findActiveTemplateDecisions(
  db: Queryable,
): Promise<{ decisions: TemplateDecision[]; lastId: string }> {
  const { rows } = await db.query<DecisionRow>(
    'SELECT DISTINCT ON (key) *, true AS last FROM match_template_decisions ORDER BY key, id DESC',
  )
  const lastId = rows.reduce((last, row) => (BigInt(row.id) > last ? BigInt(row.id) : last), 0n)
  return { decisions: rows.flatMap((row) => operatorDecision(decisionOf(row)) ?? []), lastId: String(lastId) }
}

/** Read of one template pair: the newest ones. */
const historyMax = 100

/** Of one template pair, newest first. */
export async function findTemplateDecisions(db: Queryable, key: string): Promise<StoredTemplateDecision[]> {
  const { rows } = await db.query<DecisionRow>(
    `SELECT *, row_number() OVER (ORDER BY id DESC) = 1 AS last FROM match_template_decisions WHERE key = $1
     ORDER BY id DESC LIMIT ${historyMax}`,
    [key],
  )
  return rows.map(decisionOf)
}

/** The last of each of these template pairs, withdrawn or not. */
export async function findLastTemplateDecisions(
  db: Queryable,
  keys: readonly string[],
): Promise<Map<string, StoredTemplateDecision>> {
  const { rows } = await db.query<DecisionRow>(
    `SELECT DISTINCT ON (key) *, true AS last FROM match_template_decisions WHERE key = ANY($1) ORDER BY key, id DESC`,
    [keys],
  )
  return new Map(rows.map((row) => [row.key, decisionOf(row)]))
}

/** Those that apply, newest first, before the id `before`. */
export async function listTemplateDecisions(
  db: Queryable,
  before: string | null,
  limit: number,
): Promise<StoredTemplateDecision[]> {
  const { rows } = await db.query<DecisionRow>(
    `SELECT *, true AS last FROM match_template_decisions d
     WHERE action = 'decide' AND ($1::bigint IS NULL OR id < $1)
       AND NOT EXISTS (SELECT FROM match_template_decisions later WHERE later.key = d.key AND later.id > d.id)
     ORDER BY id DESC LIMIT $2`,
    [before, limit],
  )
  return rows.map(decisionOf)
}

/** As the matcher reads it; null for a withdrawal. */
export function operatorDecision(row: StoredTemplateDecision): TemplateDecision | null {
  const { a, b, verdict, relation, reasons, evidence, decidedAt, decidedBy } = row
  if (verdict === null || relation === null) return null
  const source = 'operator' as const
  return { a, b, verdict, relation, reasons, evidence, decidedAt: decidedAt.toISOString(), decidedBy, source }
}

const decisionOf = (row: DecisionRow): StoredTemplateDecision => ({
  id: row.id,
  key: row.key,
  a: row.a,
  b: row.b,
  action: row.action,
  verdict: row.verdict,
  relation: row.relation,
  reasons: row.reasons,
  evidence: row.evidence,
  examples: row.examples,
  decidedBy: row.decided_by,
  decidedAt: row.decided_at,
  recordedBy: row.recorded_by,
  recordedAt: row.recorded_at,
  last: row.last,
})
