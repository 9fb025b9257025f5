// Held markets that relations connect. Every relation is a set of answers of which at most one, or exactly one, is true: "A implies B" is
// "at most one of A and not B". Questions that are not held are eliminated where that loses nothing, and equal questions become one.
//
// A literal is 2 × question, plus one for its negation.
import { setImmediate } from 'node:timers/promises'
import type { Answer, Relation } from '#arbitrage/structures/index'

export interface ExclusiveSet {
  members: readonly number[]
  /** Exactly one of them is true. */
  isComplete: boolean
}

export interface Group {
  /** Questions are numbered from zero. */
  questions: number
  sets: readonly ExclusiveSet[]
  /** The literal of a held question's YES. */
  literalOf: ReadonlyMap<string, number>
  /** Literals that are known to be true. */
  known: readonly number[]
  /** Ids of the relations that connect its markets. */
  relations: readonly string[]
}

export interface GroupInput {
  /** Held questions, each with its market: those of one market are in one group. */
  held: ReadonlyMap<string, string>
  relations: readonly Relation[]
  /** Answers to questions that are known. */
  known: ReadonlyMap<string, boolean>
}

interface NamedSet {
  members: number[]
  isComplete: boolean
  relations: string[]
}

export const opposite = (literal: number): number => literal ^ 1
export const questionOf = (literal: number): number => literal >> 1

/** With more relations, other work of the process runs between the steps. */
const relationsPerTurn = 500

/** Every held question is in one of them. */
export async function groupsOf({ held, relations, known }: GroupInput): Promise<Group[]> {
  const nextTurn = async (): Promise<void> => {
    if (relations.length > relationsPerTurn) await setImmediate()
  }
  const numbers = new Map<string, number>()
  const numberOf = (question: string): number => {
    const number = numbers.get(question) ?? numbers.size
    numbers.set(question, number)
    return number
  }
  for (const question of held.keys()) numberOf(question)
  const sets = relations.map((relation): NamedSet => {
    const { members, isComplete } = answersOf(relation)
    const literals = members.map(({ market, side }) => 2 * numberOf(market) + (side === 'no' ? 1 : 0))
    return { members: literals, isComplete, relations: [relation.id] }
  })
  await nextTurn()
  const kept = new Uint8Array(numbers.size)
  for (const question of [...held.keys(), ...known.keys()]) {
    const number = numbers.get(question)
    if (number !== undefined) kept[number] = 1
  }
  const relevant = eliminate(sets, numbers.size, kept)
  await nextTurn()
  const merged = mergeEqual(relevant, numbers.size)
  const keptClasses = new Uint8Array(numbers.size)
  for (let number = 0; number < kept.length; number++)
    if (kept[number] === 1) keptClasses[questionOf(merged.resolve(2 * number))] = 1
  await nextTurn()
  const reduced = eliminate(merged.sets, numbers.size, keptClasses)
  await nextTurn()
  return connected({ held, known, numbers, resolve: merged.resolve, equalities: merged.equalities, sets: reduced })
}

function answersOf(relation: Relation): { members: readonly Answer[]; isComplete: boolean } {
  if (relation.kind === 'outcomes') return { members: relation.members, isComplete: relation.complete }
  const answer = (market: string, side: Answer['side']): Answer => ({ market, side })
  const { a, b } = relation
  switch (relation.kind) {
    case 'same':
      return { members: [answer(a, 'yes'), answer(b, 'no')], isComplete: true }
    case 'inverse':
      return { members: [answer(a, 'yes'), answer(b, 'yes')], isComplete: true }
    case 'a_implies_b':
      return { members: [answer(a, 'yes'), answer(b, 'no')], isComplete: false }
    case 'b_implies_a':
      return { members: [answer(a, 'no'), answer(b, 'yes')], isComplete: false }
    case 'exclusive':
      return { members: [answer(a, 'yes'), answer(b, 'yes')], isComplete: false }
  }
}

/**
 * Without questions that are neither kept nor in more than one set: such an answer can be false if another member is true, and true if none
 * is. What remains allows the same answers to all other questions.
 */
function eliminate(sets: readonly NamedSet[], questions: number, kept: Uint8Array): NamedSet[] {
  const within = Array.from({ length: questions }, () => new Set<NamedSet>())
  const left = sets.map((set) => ({ ...set, members: [...set.members] }))
  for (const set of left) for (const literal of set.members) within[questionOf(literal)]!.add(set)
  const candidates = [...within.keys()]
  for (let question = candidates.pop(); question !== undefined; question = candidates.pop()) {
    const [set] = within[question]!
    if (kept[question] === 1 || set === undefined || within[question]!.size > 1) continue
    const others = set.members.filter((literal) => questionOf(literal) !== question)
    // With both of its answers in the set, it cannot be chosen freely.
    if (others.length < set.members.length - 1) continue
    within[question]!.delete(set)
    set.members = others
    set.isComplete = false
    if (others.length > 1) continue
    set.members = []
    for (const literal of others) {
      within[questionOf(literal)]!.delete(set)
      candidates.push(questionOf(literal))
    }
  }
  return left.filter(({ members }) => members.length > 0)
}

interface Merged {
  /** Over representatives, each once. */
  sets: NamedSet[]
  /** By representative, the relations that state an equality. */
  equalities: readonly { literal: number; relations: readonly string[] }[]
  /** The representative of a literal. */
  resolve(literal: number): number
}

/** "Exactly one of two" is an equality. */
function mergeEqual(sets: readonly NamedSet[], questions: number): Merged {
  /** The literal that a question's YES equals; its own for a representative. */
  const equal = Array.from({ length: questions }, (_, question) => 2 * question)
  const resolve = (literal: number): number => {
    let at = literal
    while (equal[questionOf(at)] !== (at & ~1)) at = equal[questionOf(at)]! ^ (at & 1)
    equal[questionOf(literal)] = at ^ (literal & 1)
    return at
  }
  const equalities: Merged['equalities'][number][] = []
  for (const { members, isComplete, relations } of sets) {
    if (!isComplete || members.length !== 2) continue
    const [one, two] = [resolve(members[0]!), resolve(opposite(members[1]!))]
    equalities.push({ literal: members[0]!, relations })
    // If the two are already equal or opposite, the set below says whether that is a contradiction.
    if (questionOf(one) !== questionOf(two)) equal[questionOf(one)] = two ^ (one & 1)
  }
  const byMembers = new Map<string, NamedSet>()
  for (const { members, isComplete, relations } of sets) {
    const literals = members.map(resolve).sort((a, b) => a - b)
    // An answer and its opposite: always true.
    if (literals.length === 2 && literals[0] === opposite(literals[1]!)) continue
    const name = `${isComplete} ${literals.join(' ')}`
    const before = byMembers.get(name)
    if (before === undefined) byMembers.set(name, { members: literals, isComplete, relations: [...relations] })
    else before.relations.push(...relations)
  }
  return { sets: [...byMembers.values()], equalities, resolve }
}

interface Connection extends Pick<GroupInput, 'held' | 'known'>, Merged {
  numbers: ReadonlyMap<string, number>
}

function connected({ held, known, numbers, sets, equalities, resolve }: Connection): Group[] {
  const head = Array.from({ length: numbers.size }, (_, question) => question)
  const headOf = (question: number): number => {
    let at = question
    while (head[at] !== at) {
      // Halves the path for the next time.
      head[at] = head[head[at]!]!
      at = head[at]!
    }
    return at
  }
  const join = (one: number, two: number): void => {
    if (headOf(one) !== headOf(two)) head[headOf(one)] = headOf(two)
  }
  for (const { members } of sets) for (const literal of members) join(questionOf(members[0]!), questionOf(literal))
  const classOf = (question: string): number => questionOf(resolve(2 * numbers.get(question)!))
  const marketQuestion = new Map<string, number>()
  for (const [question, market] of held) {
    join(marketQuestion.get(market) ?? classOf(question), classOf(question))
    marketQuestion.set(market, classOf(question))
  }

  const drafts = new Map<number, Draft>()
  for (const question of held.keys()) {
    const at = headOf(classOf(question))
    if (!drafts.has(at)) drafts.set(at, new Draft())
    drafts.get(at)!.hold(question, resolve(2 * numbers.get(question)!))
  }
  for (const set of sets) drafts.get(headOf(questionOf(set.members[0]!)))?.add(set)
  for (const { literal, relations } of equalities) {
    const draft = drafts.get(headOf(questionOf(resolve(literal))))
    for (const relation of relations) draft?.relations.add(relation)
  }
  for (const [question, isTrue] of known) {
    const number = numbers.get(question)
    if (number === undefined) continue
    const literal = resolve(2 * number + (isTrue ? 0 : 1))
    drafts.get(headOf(questionOf(literal)))?.know(literal)
  }
  return [...drafts.values()].map((draft) => draft.group())
}

/** A group with its questions numbered as they appear. */
class Draft {
  readonly relations = new Set<string>()
  private readonly numbers = new Map<number, number>()
  private readonly sets: ExclusiveSet[] = []
  private readonly literals = new Map<string, number>()
  private readonly known: number[] = []

  hold(question: string, literal: number): void {
    this.literals.set(question, this.own(literal))
  }

  add({ members, isComplete, relations }: NamedSet): void {
    this.sets.push({ members: members.map((literal) => this.own(literal)), isComplete })
    for (const relation of relations) this.relations.add(relation)
  }

  know(literal: number): void {
    this.known.push(this.own(literal))
  }

  group(): Group {
    return {
      questions: this.numbers.size,
      sets: this.sets,
      literalOf: this.literals,
      known: this.known,
      relations: [...this.relations],
    }
  }

  private own(literal: number): number {
    const question = questionOf(literal)
    const number = this.numbers.get(question) ?? this.numbers.size
    this.numbers.set(question, number)
    return 2 * number + (literal & 1)
  }
}
