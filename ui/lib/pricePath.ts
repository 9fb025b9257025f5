// A line of probabilities over time as an SVG path: 0 at the bottom, 1 at the top.

export interface PricePoint {
  /** Epoch ms. */
  at: number
  value: number
}

export function pricePath(
  points: readonly PricePoint[],
  { from, to }: { from: number; to: number },
  { width, height }: { width: number; height: number },
): string {
  // A single moment is drawn in the middle.
  const x = (at: number): number => (to > from ? ((at - from) / (to - from)) * width : width / 2)
  return points
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, value }, index) => `${index === 0 ? 'M' : 'L'}${tenths(x(at))} ${tenths((1 - value) * height)}`)
    .join(' ')
}

const tenths = (number: number): number => Math.round(number * 10) / 10
