// The review of template pairs, and of pairs whose prices differ, in PostgreSQL.
import { Fault } from '#core/fault'
import type { TemplateDecision } from '#schemas/matchDecisions'
import type { MatchRelation } from '#schemas/matches'
import type { ImportResult, RecordedDecision } from '#schemas/matchReview'
import {
  countOpenTemplatePairs,
  findLastTemplateDecisions,
  findOpenTemplatePair,
  findTemplateDecisions,
  insertTemplateDecisions,
  listOpenTemplatePairs,
  listTemplateDecisions,
  lockTemplateDecisions,
  type NewTemplateDecision,
  operatorDecision,
  type StoredTemplateDecision,
} from '#storage/postgres/matching/index'
import { asUnavailable, inTransaction, type Pool, type Queryable } from '#storage/postgres/pool'
import { templateKey } from '../templates/templatePair.ts'
import type { Decider, Decision, DecisionPage, MatchReview } from './ports.ts'
import { listPriceDifferences, reviewPriceDifference } from './priceDifferences.ts'
import { reviewedPairs } from './reviewedPairs.ts'

export function createPostgresMatchReview(pool: Pool): MatchReview {
  const read = <T>(work: Promise<T>): Promise<T> => asUnavailable('MATCHES_UNAVAILABLE', work)

  async function listOpen(limit: number) {
    const [pairs, total] = await Promise.all([listOpenTemplatePairs(pool, limit), countOpenTemplatePairs(pool)])
    return { pairs: pairs.map(({ examples: _, ...pair }) => pair), total }
  }

  /** The open pair, if the last run listed it, and its decisions, newest first: one of the two exists. */
  async function known(key: string) {
    if (!isTemplateKey(key)) throw unknownPair(key)
    const [open, decisions] = await Promise.all([findOpenTemplatePair(pool, key), findTemplateDecisions(pool, key)])
    const texts = open ?? decisions[0]
    if (texts === undefined) throw unknownPair(key)
    const examples = open?.examples ?? decisions.find((each) => each.examples.length > 0)?.examples ?? []
    return { open, decisions, a: texts.a, b: texts.b, examples }
  }

  async function find(key: string) {
    const { open, decisions, a, b, examples } = await known(key)
    return {
      ...{ key, a, b, slots: open?.slots ?? [], pairs: open?.pairs ?? null },
      ...{ openInterest: open?.openInterest ?? null, edge: open?.edge ?? null },
      examples: await reviewedPairs(pool, examples),
      decisions: decisions.map(recorded),
    }
  }

  async function decide(key: string, { relation, reason, by, recordedBy }: Decision): Promise<RecordedDecision> {
    const { a, b, examples } = await known(key)
    return afterLast(key, async (client, last) => {
      // Sent twice.
      if (last?.relation === relation && last.decidedBy === by && reason === undefined) return recorded(last)
      return insert(client, {
        action: 'decide',
        ...{ key, a, b, verdict: verdictOf(relation), relation, reasons: reasonsOf(reason), examples },
        evidence: examples.map((pair) => `${pair.a} ${pair.b}`),
        ...{ decidedBy: by, recordedBy },
      })
    })
  }

  async function withdraw(key: string, { reason, by, recordedBy }: Decider & { reason?: string | undefined }) {
    const { a, b, examples } = await known(key)
    return afterLast(key, async (client, last) => {
      if (last?.action !== 'decide') throw new Fault('NOT_FOUND', 'no decision applies to this template pair')
      return insert(client, {
        action: 'withdraw',
        ...{ key, a, b, verdict: null, relation: null, reasons: reasonsOf(reason), examples },
        ...{ evidence: [], decidedBy: by, recordedBy },
      })
    })
  }

  /** One after the other: each sees what the one before has recorded. */
  const afterLast = <T>(
    key: string,
    work: (client: Queryable, last: StoredTemplateDecision | undefined) => Promise<T>,
  ): Promise<T> =>
    inTransaction(pool, async (client) => {
      await lockTemplateDecisions(client)
      return work(client, (await findLastTemplateDecisions(client, [key])).get(key))
    })

  async function insert(client: Queryable, decision: NewTemplateDecision): Promise<RecordedDecision> {
    const [stored] = await insertTemplateDecisions(client, [decision])
    return recorded(stored!)
  }

  async function listDecisions(before: string | null, limit: number): Promise<DecisionPage> {
    const rows = await listTemplateDecisions(pool, before, limit + 1)
    const page = rows.slice(0, limit)
    return {
      decisions: page.flatMap((row) => operatorDecision(row) ?? []),
      nextBefore: rows.length > limit ? page.at(-1)!.id : null,
    }
  }

  async function importDecisions(
    decisions: readonly TemplateDecision[],
    { replace, recordedBy }: { replace: boolean; recordedBy: string },
  ): Promise<ImportResult> {
    // The last one of each template pair counts, as in a file that is read from its beginning.
    const byKey = new Map(decisions.map((decision) => [templateKey(decision), decision]))
    return inTransaction(pool, async (client) => {
      await lockTemplateDecisions(client)
      const present = await findLastTemplateDecisions(client, [...byKey.keys()])
      const result = { imported: 0, unchanged: 0, skipped: 0 }
      const wanted: NewTemplateDecision[] = []
      for (const [key, decision] of byKey) {
        const last = present.get(key)
        if (last?.relation === decision.relation) result.unchanged++
        else if (last?.action === 'decide' && !replace) result.skipped++
        else wanted.push(imported(key, decision, recordedBy))
      }
      result.imported = (await insertTemplateDecisions(client, wanted)).length
      return result
    })
  }

  return {
    listOpen: (limit) => read(listOpen(limit)),
    find: (key) => read(find(key)),
    decide: (key, decision) => read(decide(key, decision)),
    withdraw: (key, withdrawal) => read(withdraw(key, withdrawal)),
    listDecisions: (before, limit) => read(listDecisions(before, limit)),
    importDecisions: (decisions, options) => read(importDecisions(decisions, options)),
    listPriceDifferences: (after, limit) => read(listPriceDifferences(pool, after, limit)),
    reviewPriceDifference: (pair, review) => read(reviewPriceDifference(pool, pair, review)),
  }
}

/** Any other text names no template pair. */
const isTemplateKey = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

const unknownPair = (key: string): Fault =>
  new Fault('NOT_FOUND', 'no such template pair: it is neither open nor decided', { detail: key.slice(0, 64) })

const verdictOf = (relation: MatchRelation): TemplateDecision['verdict'] =>
  relation === 'identity' || relation === 'complement' ? 'same' : 'different'

const reasonsOf = (reason: string | undefined): TemplateDecision['reasons'] =>
  reason === undefined ? [] : [{ field: 'review', reason }]

function imported(key: string, decision: TemplateDecision, recordedBy: string): NewTemplateDecision {
  const { a, b, verdict, relation, reasons, evidence, decidedBy, decidedAt } = decision
  return {
    action: 'decide',
    ...{ key, a, b, verdict, relation, reasons, evidence, examples: [] },
    ...{ decidedBy, decidedAt: new Date(decidedAt), recordedBy },
  }
}

const recorded = (row: StoredTemplateDecision): RecordedDecision => ({
  id: row.id,
  action: row.action,
  verdict: row.verdict,
  relation: row.relation,
  reasons: [...row.reasons],
  decidedBy: row.decidedBy,
  decidedAt: row.decidedAt.toISOString(),
  applies: row.last && row.action === 'decide',
})
