// What can come out of a group: all combinations of answers that its relations allow, or at least the one that pays least. Both are searches
// that try an answer, let the relations decide what follows, and go back. A search that exceeds its budget ends with a bound that is safe.
import { smaller } from '../ledger/amounts.ts'
import { Assignment } from './assignment.ts'
import type { Budget } from './budget.ts'
import { type Group, opposite } from './groups.ts'
import { PayoffBound } from './payoffBound.ts'

/** Answers by question, 1 for yes. */
export type World = Uint8Array

export interface Worlds {
  /** One for each combination of answers to the wanted questions. */
  worlds: World[]
  /** False: there are more, or the search was cut short. */
  isComplete: boolean
}

/** Linear in the answers: what a group pays if all are no, and what each yes adds. */
export interface Payoff {
  base: bigint
  gains: readonly bigint[]
}

export interface Least {
  /** Nothing that the relations allow pays less. */
  payoff: bigint
  /** One in which exactly that is paid; null if the search was cut short. */
  world: World | null
}

/** Null: the relations contradict each other or what is known. */
export async function worldsOf(
  group: Group,
  wanted: readonly number[],
  max: number,
  budget: Budget,
): Promise<Worlds | null> {
  const answers = new Assignment(group)
  if (!answers.begin()) return null
  const worlds: World[] = []
  let isCut = false
  const end = await explore({
    answers,
    budget,
    next: () => literalOf(wanted.find((question) => answers.value[question]! < 0)),
    async leaf() {
      const world = await completion(answers, budget)
      if (world === 'spent') isCut = true
      else if (world !== null) worlds.push(world)
      return isCut || worlds.length > max
    },
  })
  const isComplete = end.kind === 'done' && !isCut && worlds.length <= max
  if (isComplete && worlds.length === 0) return null
  return { worlds: worlds.slice(0, max), isComplete }
}

/** The combination of answers that pays least. Null as above. */
export async function leastOf(group: Group, { base, gains }: Payoff, budget: Budget): Promise<Least | null> {
  const answers = new Assignment(group)
  if (!answers.begin()) return null
  const bound = new PayoffBound(group, gains)
  const order = [...gains.keys()].filter((question) => gains[question] !== 0n)
  order.sort((a, b) => compare(size(gains[b]!), size(gains[a]!)) || a - b)
  let least: { payoff: bigint; world: World } | null = null
  /** Combinations of which it was not determined whether the relations allow them. */
  let open: bigint | null = null
  const end = await explore({
    answers,
    budget,
    next() {
      const question = order.find((each) => answers.value[each]! < 0)
      return question === undefined ? -1 : 2 * question + (gains[question]! > 0n ? 1 : 0)
    },
    bound() {
      budget.spend(bound.work)
      return bound.below(answers)
    },
    limit: () => least?.payoff ?? null,
    async leaf() {
      const world = await completion(answers, budget)
      const payoff = bound.below(answers)
      if (world === 'spent') open = open === null || payoff < open ? payoff : open
      else if (world !== null) least = { payoff, world }
      return world === 'spent'
    },
  })
  const found = least as { payoff: bigint; world: World } | null
  const bounds = [open as bigint | null, end.kind === 'done' ? null : end.bound].filter((each) => each !== null)
  if (bounds.length === 0) return found === null ? null : { payoff: base + found.payoff, world: found.world }
  const lowest = [...bounds, ...(found === null ? [] : [found.payoff])].reduce(smaller)
  return { payoff: base + lowest, world: found !== null && lowest === found.payoff ? found.world : null }
}

/** Some answers to all that is still open. Null: there are none. The assignment is left as it was. */
async function completion(answers: Assignment, budget: Budget): Promise<World | 'spent' | null> {
  let world: World | null = null
  const end = await explore({
    answers,
    budget,
    next: () => literalOf(firstOpen(answers)),
    async leaf() {
      world = Uint8Array.from(answers.value)
      return true
    },
  })
  const found = world as World | null
  return found ?? (end.kind === 'spent' ? 'spent' : null)
}

const firstOpen = ({ value }: Assignment): number | undefined => {
  const question = value.indexOf(-1)
  return question < 0 ? undefined : question
}
const literalOf = (question: number | undefined): number => (question === undefined ? -1 : 2 * question)
const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount)
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

interface Exploration {
  answers: Assignment
  budget: Budget
  /** The answer to try first, its opposite being tried afterwards; −1: all that matter are given. */
  next(): number
  /** True: end here. */
  leaf(): Promise<boolean>
  /** What is paid at least from here on. */
  bound?(): bigint
  /** Nothing is sought that pays this or more. */
  limit?(): bigint | null
}

/** `bound`: what is paid at least in the part that was not searched. */
type End = { kind: 'done' } | { kind: 'stopped' | 'spent'; bound: bigint | null }

interface Choice {
  mark: number
  /** Still to be tried; −1: nothing. */
  other: number
  bound: bigint | null
}

async function explore({ answers, budget, next, leaf, bound, limit }: Exploration): Promise<End> {
  const start = answers.mark
  const path: Choice[] = []
  const end = (kind: 'stopped' | 'spent', here: bigint | null): End => {
    answers.takeBack(start)
    const open = path.flatMap((choice) => (choice.other < 0 || choice.bound === null ? [] : choice.bound))
    const bounds = here === null ? open : [...open, here]
    return { kind, bound: bounds.length === 0 ? null : bounds.reduce(smaller) }
  }
  const give = (literal: number): boolean => {
    const before = answers.work
    const isAllowed = answers.give(literal)
    budget.spend(answers.work - before + answers.value.length + 1)
    return isAllowed
  }
  for (let isOpen = true; ; ) {
    if (budget.isTurnOver) await budget.nextTurn()
    const here = isOpen ? (bound?.() ?? null) : null
    if (budget.isSpent) return end('spent', here)
    const reached = limit?.() ?? null
    if (isOpen && (here === null || reached === null || here < reached)) {
      const literal = next()
      if (literal >= 0) {
        path.push({ mark: answers.mark, other: opposite(literal), bound: here })
        isOpen = give(literal)
        continue
      }
      if (await leaf()) return end('stopped', null)
    }
    let choice = path.at(-1)
    while (choice !== undefined && choice.other < 0) {
      path.pop()
      choice = path.at(-1)
    }
    if (choice === undefined) {
      answers.takeBack(start)
      return { kind: 'done' }
    }
    answers.takeBack(choice.mark)
    const { other } = choice
    choice.other = -1
    isOpen = give(other)
  }
}
