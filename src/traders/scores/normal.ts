// The normal distribution function, as far as scores need it.

/** Abramowitz and Stegun 7.1.26: within 1.5e-7 of the truth. https://personal.math.ubc.ca/~cbm/aands/page_299.htm */
export function normalShare(z: number): number {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const tail =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp(-x * x)
  return z >= 0 ? 1 - tail / 2 : tail / 2
}
