// The definition of the net edge. All amounts are integers in micro-dollars for the whole size of the row, so the result is exact.

/**
 * What is left of the payout after both legs are bought and the winning one has settled. Which leg wins is unknown, so the larger of the two
 * settlement fees is charged. NaN where a leg cannot be priced.
 *
 * `payout`: what the pair pays, one dollar per contract. `costYes`, `costNo`: price paid plus taker fee. `settlementYes`, `settlementNo`: fee
 * that the leg's venue charges if that leg wins.
 */
export const netEdge = (
  payout: number,
  costYes: number,
  costNo: number,
  settlementYes: number,
  settlementNo: number,
): number => payout - costYes - costNo - Math.max(settlementYes, settlementNo)
