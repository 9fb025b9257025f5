// The exposure of an account: its holdings, the relations between their markets, and the groups that follow. What a group can pay is computed
// only for those that are returned.
import type { Relation } from '#arbitrage/structures/index'
import { Fault } from '#core/fault'
import type { ErrorCode } from '#schemas/errors'
import { marketKey } from '../journal/settlements.ts'
import type { JournalView } from '../ports.ts'
import { Budget } from './budget.ts'
import { concentration, type Part } from './concentration.ts'
import { type Evaluation, questionsOf, withHoldings, workPerRequest } from './evaluate.ts'
import { type Group, groupsOf } from './groups.ts'
import { type Holding, type Holdings, holdingsOf, isHeld } from './holdings.ts'
import { currencyOf } from './money.ts'
import type { ExposureDeps, FoundRelations, MarketFacts } from './ports.ts'

export interface HeldGroup {
  /** The first of its markets. */
  id: string
  group: Group
  holdings: Holding[]
}

/** Sources without which there is less to say: payouts without the catalog, groups of several markets without the matcher. */
export type ExposureSource = 'catalog' | 'matches'

export interface AccountExposure {
  /** What the positions come from. */
  journal: JournalView
  /** Epoch ms. */
  asOf: number
  held: Holdings
  /** Of which every relation is verified. */
  groups: Part<HeldGroup>[]
  /** By question. */
  groupOf: ReadonlyMap<string, HeldGroup>
  /** With the minor relations as well, by question. */
  joined: ReadonlyMap<string, HeldGroup>
  /** Those evaluated so far. */
  evaluated: Map<HeldGroup, Evaluation | null>
  /** Usable ones, by id. */
  relations: ReadonlyMap<string, Relation>
  /** There are more relations than were read. */
  isCut: boolean
  unavailable: ExposureSource[]
  budget: Budget
}

export async function readExposure(deps: ExposureDeps, accountId: string): Promise<AccountExposure> {
  const portfolio = await deps.portfolio.read(accountId, { marks: false })
  const positions = portfolio.positions.filter(isHeld)
  const markets = [...new Map(positions.map((each) => [marketKey(each.venue, each.marketId), each])).values()]
  const unavailable = new Set<ExposureSource>()
  // Without the catalog's prices resolved markets look open.
  if (portfolio.unavailable.includes('catalog')) unavailable.add('catalog')
  const [facts, found] = await Promise.all([
    orWithout<ReadonlyMap<string, MarketFacts>>(deps.findMarkets(markets), 'CATALOG_UNAVAILABLE', new Map(), () =>
      unavailable.add('catalog'),
    ),
    orWithout<FoundRelations>(deps.findRelations(markets), 'MATCHES_UNAVAILABLE', noRelations, () =>
      unavailable.add('matches'),
    ),
  ])
  const held = holdingsOf(positions, facts)
  const usable = [...found.relations.flatMap((relation) => without(relation, held.unrelated)), ...held.own]
  const groups = await groupsWith(
    held,
    usable.filter(({ band }) => band === 'verified'),
  )
  const groupOf = byQuestion(groups)
  const joined = await groupsWith(
    held,
    usable.filter(({ band }) => band === 'verified' || band === 'minor'),
  )
  return {
    journal: portfolio,
    asOf: portfolio.asOf,
    held,
    groups: parted(held, groupOf),
    groupOf,
    joined: byQuestion(joined),
    evaluated: new Map(),
    relations: new Map(usable.map((relation) => [relation.id, relation])),
    isCut: found.isCut,
    unavailable: [...unavailable].sort(),
    budget: new Budget(workPerRequest),
  }
}

const noRelations: FoundRelations = { relations: [], isCut: false }

async function orWithout<T>(work: Promise<T>, code: ErrorCode, nothing: T, missing: () => void): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== code) throw error
    missing()
    return nothing
  }
}

/** What a relation says about the other markets. */
function without(relation: Relation, unrelated: ReadonlySet<string>): Relation | [] {
  if (relation.kind !== 'outcomes') return unrelated.has(relation.a) || unrelated.has(relation.b) ? [] : relation
  const members = relation.members.filter(({ market }) => !unrelated.has(market))
  if (members.length === relation.members.length) return relation
  return members.length < 2 ? [] : { ...relation, members, complete: false }
}

/** Amounts in different currencies are never added up, so that their markets are in different groups. */
export async function groupsWith(
  { holdings, own, known }: Holdings,
  relations: readonly Relation[],
): Promise<HeldGroup[]> {
  const found: HeldGroup[] = []
  for (const [currency, part] of Map.groupBy(holdings, ({ money }) => currencyOf(money))) {
    // An unknown currency is like no other.
    const usable = currency === null ? own : relations
    const groups = await groupsOf({ held: questionsOf(part), relations: usable, known })
    for (const [group, ofGroup] of withHoldings(groups, part))
      found.push({ id: firstMarket(ofGroup), group, holdings: ofGroup })
  }
  return found
}

const firstMarket = (holdings: readonly Holding[]): string => holdings.map(({ market }) => market).sort()[0]!

const parted = ({ holdings }: Holdings, groupOf: ReadonlyMap<string, HeldGroup>): Part<HeldGroup>[] =>
  concentration(holdings, ({ answer }) => {
    const group = groupOf.get(answer.market)!
    return { name: group.id, key: group }
  })

const byQuestion = (groups: readonly HeldGroup[]): Map<string, HeldGroup> =>
  new Map(groups.flatMap((group) => [...group.group.literalOf.keys()].map((question) => [question, group])))
