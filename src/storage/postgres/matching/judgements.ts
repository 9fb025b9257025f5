// What the LLM judge decided on template pairs, people's reviews of it, and its requests of each day. Rows are inserted and read, never changed;
// the last review of a judgement counts, and a template pair with a revoked judgement has no decision of the judge.
import type { TemplateDecision } from '#schemas/matchDecisions'
import type { Queryable } from '../pool.ts'

export interface JudgementTexts {
  /** Of both texts; see migration 035. */
  key: string
  /** Sorted. */
  a: string
  b: string
}

/** A judgement is stored once for each template pair, prompt and model. */
export interface JudgeVersion {
  promptVersion: string
  model: string
}

export interface NewJudgement extends JudgementTexts, JudgeVersion {
  verdict: 'same' | 'different' | 'undecided'
  reason: string
  /** One for each item of the checklist; empty if no answer could be read. */
  reasons: readonly { field: string; reason: string }[]
  evidence: readonly string[]
  /** Every answer as it was read. */
  answers: unknown
  /** The texts that were sent. */
  markets: unknown
}

export interface JudgementReview {
  action: 'confirm' | 'revoke'
  reason: string
  reviewedBy: string
  reviewedAt: Date
}

export interface StoredJudgement extends NewJudgement {
  id: string
  decidedAt: Date
  /** The last one; null: there is none. */
  review: JudgementReview | null
}

interface JudgementRow {
  id: string
  key: string
  a: string
  b: string
  prompt_version: string
  model: string
  verdict: NewJudgement['verdict']
  reason: string
  reasons: { field: string; reason: string }[]
  evidence: string[]
  answers: unknown
  markets: unknown
  decided_at: Date
  action: JudgementReview['action'] | null
  review_reason: string | null
  reviewed_by: string | null
  reviewed_at: Date | null
}

/** Judgements with their last review. */
const reviewed = `SELECT j.*, r.action, r.reason AS review_reason, r.reviewed_by, r.reviewed_at
  FROM match_judgements j LEFT JOIN LATERAL (
    SELECT * FROM match_judgement_reviews WHERE judgement_id = j.id ORDER BY id DESC LIMIT 1) r ON true`

const isRevoked = `EXISTS (SELECT FROM match_judgements other CROSS JOIN LATERAL (
    SELECT action FROM match_judgement_reviews WHERE judgement_id = other.id ORDER BY id DESC LIMIT 1) r
  WHERE other.key = j.key AND r.action = 'revoke')`

/** Returns the stored one: another process may have stored the same template pair before. */
export async function insertJudgement(db: Queryable, judgement: NewJudgement): Promise<StoredJudgement> {
  const { key, a, b, promptVersion, model, verdict, reason, reasons, evidence, answers, markets } = judgement
  await db.query(
    `INSERT INTO match_judgements (key, a, b, prompt_version, model, verdict, reason, reasons, evidence, answers, markets)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (key, prompt_version, model) DO NOTHING`,
    [
      ...[key, a, b, promptVersion, model, verdict, reason],
      ...[reasons, evidence, answers, markets].map((value) => JSON.stringify(value)),
    ],
  )
  const stored = await findJudgement(db, judgement)
  if (stored === null) throw new Error(`another template pair is stored under the key ${key}`)
  return stored
}

/** A revoked one of any prompt and model comes first: a person disagreed, and the judge is not used again for these texts. */
export async function findJudgement(
  db: Queryable,
  { key, a, b, promptVersion, model }: JudgementTexts & JudgeVersion,
): Promise<StoredJudgement | null> {
  const { rows } = await db.query<JudgementRow>(
    `SELECT * FROM (${reviewed} WHERE j.key = $1 AND j.a = $2 AND j.b = $3) found
     WHERE action IS NOT DISTINCT FROM 'revoke' OR (prompt_version = $4 AND model = $5)
     ORDER BY action IS NOT DISTINCT FROM 'revoke' DESC, id DESC LIMIT 1`,
    [key, a, b, promptVersion, model],
  )
  return rows[0] === undefined ? null : judgementOf(rows[0])
}

/** Those of the template pairs that have a judgement with this prompt and model, or a revoked one. */
export async function findJudgementKeys(
  db: Queryable,
  keys: readonly string[],
  { promptVersion, model }: JudgeVersion,
): Promise<Set<string>> {
  const { rows } = await db.query<{ key: string }>(
    `SELECT DISTINCT j.key FROM match_judgements j
     WHERE j.key = ANY($1) AND ((j.prompt_version = $2 AND j.model = $3) OR ${isRevoked})`,
    [keys, promptVersion, model],
  )
  return new Set(rows.map(({ key }) => key))
}

/** The decisions that apply: of each template pair the newest judgement, unless it is undecided or one of them was revoked. */
export async function findJudgeDecisions(db: Queryable): Promise<TemplateDecision[]> {
  const { rows } = await db.query<
    Pick<JudgementRow, 'a' | 'b' | 'verdict' | 'reasons' | 'evidence' | 'decided_at' | 'model' | 'prompt_version'>
  >(
    `SELECT a, b, verdict, reasons, evidence, decided_at, model, prompt_version FROM (
       SELECT DISTINCT ON (j.key) * FROM match_judgements j WHERE NOT ${isRevoked} ORDER BY j.key, j.id DESC) newest
     WHERE verdict <> 'undecided' ORDER BY key`,
  )
  return rows.flatMap(
    ({ decided_at, prompt_version, ...row }) =>
      judgeDecision({ ...row, promptVersion: prompt_version, decidedAt: decided_at }) ?? [],
  )
}

/** As the matcher reads it; null for an undecided one. Whether it was revoked is checked elsewhere. */
export function judgeDecision({
  a,
  b,
  verdict,
  reasons,
  evidence,
  decidedAt,
  model,
  promptVersion,
}: Omit<NewJudgement, 'key' | 'reason' | 'answers' | 'markets'> & { decidedAt: Date }): TemplateDecision | null {
  if (verdict === 'undecided') return null
  return {
    a,
    b,
    verdict,
    relation: verdict === 'same' ? 'identity' : 'overlap',
    reasons: [...reasons],
    evidence: [...evidence],
    decidedAt: decidedAt.toISOString(),
    decidedBy: `LLM judge ${model}, prompt ${promptVersion}`,
    source: 'judge',
  }
}

/** Newest first, before the id `before`. */
export async function listJudgements(
  db: Queryable,
  {
    before = null,
    limit,
    verdict = null,
  }: { before?: string | null; limit: number; verdict?: NewJudgement['verdict'] | null },
): Promise<StoredJudgement[]> {
  const { rows } = await db.query<JudgementRow>(
    `${reviewed} WHERE ($1::bigint IS NULL OR j.id < $1) AND ($2::text IS NULL OR j.verdict = $2)
     ORDER BY j.id DESC LIMIT $3`,
    [before, verdict, limit],
  )
  return rows.map(judgementOf)
}

/** Decided and not reviewed, at most `perVerdict` of each verdict: the same ones for the same seed. */
export async function sampleJudgements(db: Queryable, seed: string, perVerdict: number): Promise<StoredJudgement[]> {
  const { rows } = await db.query<JudgementRow>(
    `SELECT * FROM (
       SELECT *, row_number() OVER (PARTITION BY verdict ORDER BY md5(concat_ws(chr(10), $1::text, id)), id) AS place
       FROM (${reviewed} WHERE j.verdict <> 'undecided') decided WHERE action IS NULL) sampled
     WHERE place <= $2 ORDER BY place, verdict DESC`,
    [seed, perVerdict],
  )
  return rows.map(judgementOf)
}

/** The judgement with this review; null if there is no such judgement. A later review replaces it: `confirm` takes back a revocation. */
export async function insertJudgementReview(
  db: Queryable,
  id: string,
  { action, reason, reviewedBy }: Omit<JudgementReview, 'reviewedAt'>,
): Promise<StoredJudgement | null> {
  const { rowCount } = await db.query(
    `INSERT INTO match_judgement_reviews (judgement_id, action, reason, reviewed_by)
     SELECT id, $2, $3, $4 FROM match_judgements WHERE id = $1`,
    [id, action, reason, reviewedBy],
  )
  if (rowCount === 0) return null
  const { rows } = await db.query<JudgementRow>(`${reviewed} WHERE j.id = $1`, [id])
  return rows[0] === undefined ? null : judgementOf(rows[0])
}

/** Greater with every review; 0 without any. Cheap enough to query every second. */
export async function findLastReviewId(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ id: string }>('SELECT coalesce(max(id), 0) AS id FROM match_judgement_reviews')
  return rows[0]!.id
}

/** Counts one request of today, UTC, before it is sent. False, and nothing is counted, if there were `requestsMax` already. */
export async function countJudgeRequest(db: Queryable, requestsMax: number): Promise<boolean> {
  if (requestsMax < 1) return false
  const { rows } = await db.query(
    `INSERT INTO match_judge_requests AS r (day, requests) VALUES ((now() AT TIME ZONE 'UTC')::date, 1)
     ON CONFLICT (day) DO UPDATE SET requests = r.requests + 1 WHERE r.requests < $1 RETURNING requests`,
    [requestsMax],
  )
  return rows.length > 0
}

const judgementOf = (row: JudgementRow): StoredJudgement => ({
  id: row.id,
  key: row.key,
  a: row.a,
  b: row.b,
  promptVersion: row.prompt_version,
  model: row.model,
  verdict: row.verdict,
  reason: row.reason,
  reasons: row.reasons,
  evidence: row.evidence,
  answers: row.answers,
  markets: row.markets,
  decidedAt: row.decided_at,
  review: reviewOf(row),
})

function reviewOf({ action, review_reason, reviewed_by, reviewed_at }: JudgementRow): JudgementReview | null {
  if (action === null || review_reason === null || reviewed_by === null || reviewed_at === null) return null
  return { action, reason: review_reason, reviewedBy: reviewed_by, reviewedAt: reviewed_at }
}
