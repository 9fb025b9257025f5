// Which of the plans that close a group leaves more.

export interface ClosingChoice {
  mode: 'complete' | 'unwind'
  /** Every trade is filled by its plan. */
  isWhole: boolean
  /** Micros with all fees; below zero for what is received. */
  paid: number
}

/** `payout`: of the contracts that are completed, micros; null: not known. What is known precedes what is not. */
export function bestClosing<Choice extends ClosingChoice>(choices: readonly Choice[], payout: number | null): Choice {
  return choices.reduce((a, b) => (isBetter(b, a, payout) ? b : a))
}

function isBetter(b: ClosingChoice, a: ClosingChoice, payout: number | null): boolean {
  if (a.isWhole !== b.isWhole) return b.isWhole
  if (!b.isWhole) return false
  const [worthB, worthA] = [worthOf(b, payout), worthOf(a, payout)]
  return worthB !== null && (worthA === null || worthB > worthA)
}

/** What is completed pays at the end, what is undone brings its price now. */
function worthOf({ mode, paid }: ClosingChoice, payout: number | null): number | null {
  if (mode === 'unwind') return -paid
  return payout === null ? null : payout - paid
}
