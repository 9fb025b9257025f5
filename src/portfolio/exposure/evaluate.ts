// The worst and the best that can come out of a group of holdings, and every outcome between them while there are few.
import type { ExposureBound } from '#schemas/exposure'
import type { Budget } from './budget.ts'
import { type Group, groupsOf } from './groups.ts'
import type { Holding, Holdings } from './holdings.ts'
import { leastOf, type World, worldsOf } from './outcomes.ts'
import { type GroupPayoff, negated, paidIn, payoffOf } from './payoff.ts'

/** More are not listed. */
export const outcomesMax = 64
/** Outcomes times holdings of one list. */
const listEntriesMax = 2_000
/** Of the budget of a request, for one search. */
const workPerSearch = 4_000_000
/** Of a request: about a second. */
export const workPerRequest = 20_000_000

interface Outcome {
  payoff: bigint
  pays: readonly Holding[]
}

export interface Evaluation {
  worst: bigint
  best: bigint
  /** Empty: both are exact. */
  bounds: ReadonlySet<ExposureBound>
  /** Worst first. */
  outcomes: Outcome[]
  hasAllOutcomes: boolean
  /** What one holding is paid in the worst and in the best outcome; null if these were not found. */
  partOf(holding: Holding): { worst: bigint | null; best: bigint | null }
}

/** Null: the relations contradict each other or what is known. */
export async function evaluate(group: Group, holdings: readonly Holding[], budget: Budget): Promise<Evaluation | null> {
  budget.spend(group.sets.reduce((sum, { members }) => sum + members.length, group.questions + holdings.length))
  const payoff = payoffOf(group, holdings)
  const max = Math.min(outcomesMax, Math.floor(listEntriesMax / holdings.length))
  const all = max < 2 ? null : await worldsOf(group, payoff.decisive, max, budget.part(workPerSearch))
  if (max >= 2 && all === null) return null
  if (all?.isComplete === true) {
    const worlds = all.worlds
      .map((world) => ({ world, paid: paidIn(payoff.payoff, world) }))
      .sort((a, b) => (a.paid < b.paid ? -1 : a.paid > b.paid ? 1 : 0))
    const [worst, best] = [worlds[0]!, worlds.at(-1)!]
    return {
      ...found(
        payoff,
        holdings,
        worlds.map(({ world }) => world),
        { worst: worst.world, best: best.world },
      ),
      worst: worst.paid,
      best: best.paid,
      hasAllOutcomes: true,
    }
  }
  const least = await leastOf(group, payoff.payoff, budget.part(workPerSearch))
  const most = await leastOf(group, negated(payoff.payoff), budget.part(workPerSearch))
  if (least === null || most === null) return null
  const listed = [least.world, most.world].filter((world) => world !== null)
  return {
    ...found(payoff, holdings, listed, { worst: least.world, best: most.world }),
    worst: least.payoff,
    best: -most.payoff,
    hasAllOutcomes: false,
  }
}

function found(
  payoff: GroupPayoff,
  holdings: readonly Holding[],
  worlds: readonly World[],
  { worst, best }: { worst: World | null; best: World | null },
): Omit<Evaluation, 'worst' | 'best' | 'hasAllOutcomes'> {
  const paidTo = (holding: Holding, world: World | null): bigint | null =>
    world === null ? null : payoff.paidTo(holding, world)
  return {
    bounds: new Set(worst === null || best === null ? ['search_limit'] : []),
    outcomes: worlds.map((world) => ({
      payoff: paidIn(payoff.payoff, world),
      pays: holdings.filter((holding) => payoff.pays(holding, world)),
    })),
    partOf: (holding) => ({ worst: paidTo(holding, worst), best: paidTo(holding, best) }),
  }
}

/** As above; if the relations contradict each other, without them: what each market pays at least, added up, holds in any case. */
export async function evaluateSafely(
  group: Group,
  holdings: readonly Holding[],
  own: Holdings['own'],
  budget: Budget,
): Promise<Evaluation> {
  const evaluation = await evaluate(group, holdings, budget)
  if (evaluation !== null) return evaluation
  const apart = await groupsOf({ held: questionsOf(holdings), relations: own, known: new Map() })
  const sum = await evaluateAll(apart, holdings, async (one, held) => {
    const ofMarket = await evaluate(one, held, budget)
    if (ofMarket === null) throw new Error('the outcomes of one market contradict each other')
    return ofMarket
  })
  return {
    ...sum,
    bounds: new Set<ExposureBound>([...sum.bounds, 'contradiction']),
    outcomes: [],
    hasAllOutcomes: false,
    partOf: () => ({ worst: null, best: null }),
  }
}

/** Groups have nothing to do with each other, so that their worst cases can come together. */
export async function evaluateAll(
  groups: readonly Group[],
  holdings: readonly Holding[],
  evaluateOne: (group: Group, holdings: readonly Holding[]) => Promise<Pick<Evaluation, 'worst' | 'best' | 'bounds'>>,
): Promise<Pick<Evaluation, 'worst' | 'best' | 'bounds'>> {
  const sum = { worst: 0n, best: 0n, bounds: new Set<ExposureBound>() }
  for (const [group, held] of withHoldings(groups, holdings)) {
    const one = await evaluateOne(group, held)
    sum.worst += one.worst
    sum.best += one.best
    for (const bound of one.bounds) sum.bounds.add(bound)
  }
  return sum
}

/** Each question with its market. */
export const questionsOf = (holdings: readonly Holding[]): Map<string, string> =>
  new Map(holdings.map(({ answer, market }) => [answer.market, market]))

export function withHoldings(groups: readonly Group[], holdings: readonly Holding[]): [Group, Holding[]][] {
  const groupOf = new Map(groups.flatMap((group) => [...group.literalOf.keys()].map((question) => [question, group])))
  const held = new Map<Group, Holding[]>()
  for (const holding of holdings) {
    const group = groupOf.get(holding.answer.market)
    if (group === undefined) continue
    const before = held.get(group)
    if (before === undefined) held.set(group, [holding])
    else before.push(holding)
  }
  return [...held]
}
