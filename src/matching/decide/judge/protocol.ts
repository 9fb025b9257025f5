// Decides on a template pair with a language model, or leaves it undecided. Nothing of an answer is taken on trust:
//
//   suitable? ─► stored? ─► first pass ─► second pass, sides swapped ─► all items the same ─► control ─► same
//                               │                   │                          │                 │
//                               ├───────────────────┘                          │      calls another question the same
//              no complete checklist, or a quotation                           ├─► one item different in both ─► different
//                 that is not in the texts ─► undecided ◄──────────────────────┴─ the control fails, or anything else
//
// Typed contradictions and vetoes of the matcher win over the result.
import { Fault } from '#core/fault'
import { plainLine } from '#core/plainText'
import {
  type JudgeVersion,
  judgeDecision,
  type NewJudgement,
  type StoredJudgement,
} from '#storage/postgres/matching/index'
import { combine, parseAnswer, type ReadAnswer, readAnswer, turnedChecklist } from './answer.ts'
import { type Checklist, checklistFields } from './checklist.ts'
import {
  type Complete,
  type Judge,
  type JudgeRequest,
  type JudgeResult,
  type JudgeStore,
  RequestRefused,
} from './ports.ts'
import { controlOf, promptOf, promptVersion, type SentPair, swapped } from './prompt.ts'
import { sentMarket, whyUnsuitable } from './texts.ts'

export interface JudgeOptions {
  complete: Complete
  store: JudgeStore
  /** Name of the model; stored with every judgement. */
  model: string
  /** Requests per UTC day, of all processes together. */
  dailyBudget: number
}

/** For people; a reason or quotation is longer only if the model does not stop. */
const shownMax = 300
const keptMax = 4_000

/** One pass: what was written, and what it counts for. */
interface Pass {
  text: string
  read: ReadAnswer
}

export function createJudge({ complete, store, model, dailyBudget }: JudgeOptions): Judge {
  const version: JudgeVersion = { promptVersion, model }

  /** `later`: requests of this judgement after this one, for which the budget must be sufficient. */
  async function pass(
    pair: SentPair,
    read: (text: string) => ReadAnswer,
    later: number,
    signal: AbortSignal,
  ): Promise<Pass> {
    const completion = await complete(promptOf(pair), () => store.countRequest(dailyBudget - later), signal)
    if ('problem' in completion) return { text: '', read: completion }
    return { text: completion.text, read: read(completion.text) }
  }

  async function judge({ pair, a, b }: JudgeRequest, signal: AbortSignal): Promise<NewJudgement> {
    const sent: SentPair = {
      first: sentMarket(a, pair.a),
      second: sentMarket(b, pair.b),
      placeholders: pair.slots.map(({ placeholder, kind, a: first, b: second }) => ({
        placeholder,
        kind,
        first: plainLine(first),
        second: plainLine(second),
      })),
    }
    const passes: Pass[] = []
    const stored = (verdict: NewJudgement['verdict'], reason: string, checklist?: Checklist): NewJudgement => ({
      key: pair.key,
      a: pair.a,
      b: pair.b,
      ...version,
      verdict,
      reason: shown(reason),
      reasons: checklist === undefined ? [] : reasonsOf(checklist),
      evidence: checklist === undefined ? [] : evidenceOf(checklist),
      answers: passes.map(({ text }) => kept(text)),
      markets: { [a.key]: sent.first, [b.key]: sent.second },
    })

    const one = await pass(sent, (text) => readAnswer(text, sent), 2, signal)
    passes.push(one)
    if ('problem' in one.read) return stored('undecided', `first pass: ${one.read.problem}`)
    const { checklist } = one.read
    const turned = swapped(sent)
    const two = await pass(turned, (text) => readAnswer(text, turned), 1, signal)
    passes.push(two)
    if ('problem' in two.read) return stored('undecided', `second pass: ${two.read.problem}`, checklist)
    const { verdict, reason } = combine(checklist, turnedChecklist(two.read.checklist))
    if (verdict !== 'same') return stored(verdict, reason, checklist)
    const control = await pass(controlOf(sent), parseAnswer, 0, signal)
    passes.push(control)
    if ('problem' in control.read) return stored('undecided', `control: ${control.read.problem}`, checklist)
    if (control.read.checklist.act.verdict === 'same')
      return stored('undecided', 'control: the model calls an unrelated question the same', checklist)
    return stored('same', reason, checklist)
  }

  return {
    async decide(request, signal = new AbortController().signal) {
      const { key, a, b } = request.pair
      const unsuitable = whyUnsuitable(request)
      if (unsuitable !== null) return undecided(unsuitable, 'unsuitable')
      const known = await store.find({ key, a, b, ...version })
      if (known !== null) return resultOf(known, 'stored')
      let judgement: NewJudgement
      try {
        judgement = await judge(request, signal)
      } catch (error) {
        if (error instanceof RequestRefused) return undecided('the requests of today are used up', 'over_budget')
        if (error instanceof Fault && error.code === 'NETWORK_ERROR')
          return undecided([error.message, error.detail ?? []].flat().join(': '), 'unavailable')
        throw error
      }
      return resultOf(await store.insert(judgement), 'answered')
    },
    known: (keys) => store.findKeys(keys, version),
  }
}

const undecided = (reason: string, state: JudgeResult['state']): JudgeResult => ({
  verdict: 'undecided',
  decision: null,
  reason,
  state,
})

function resultOf(judgement: StoredJudgement, state: JudgeResult['state']): JudgeResult {
  const { review, verdict, reason } = judgement
  if (review?.action === 'revoke') return undecided(`revoked by ${review.reviewedBy}: ${review.reason}`, state)
  return { verdict, decision: judgeDecision(judgement), reason, state }
}

/** A model's text, safe to store and to show on one line. */
const shown = (text: string): string => plainLine(text.slice(0, shownMax).toWellFormed())
const kept = (text: string): string => plainLine(text.slice(0, keptMax).toWellFormed())

const reasonsOf = (checklist: Checklist): { field: string; reason: string }[] =>
  checklistFields.map((field) => {
    const { verdict, reason } = checklist[field]
    return { field, reason: shown(reason.trim() === '' ? verdict : `${verdict}: ${reason}`) }
  })

const evidenceOf = (checklist: Checklist): string[] =>
  checklistFields.flatMap((field) => {
    const { first, second } = checklist[field]
    return first === null && second === null ? [] : [`${field}: ${quoted(first)} / ${quoted(second)}`]
  })

const quoted = (quotation: string | null): string => (quotation === null ? 'not stated' : `“${shown(quotation)}”`)
