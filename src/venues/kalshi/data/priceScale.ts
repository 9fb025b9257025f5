// The scale of NO prices. We request YES prices (`use_yes_price`), and the venue has announced that its default will change and the flag will be
// removed; so every two-sided snapshot is checked.
import { ONE } from '#core/price'

/**
 * Which reading of the NO levels (flat: price, size, …) leaves bid and ask uncrossed: true as YES prices, false as NO prices, null when
 * both or neither do. With more than a few levels the wrong reading nearly always crosses.
 */
export function yesPriceByEvidence(yes: readonly number[], no: readonly number[]): boolean | null {
  if (yes.length === 0 || no.length === 0) return null
  let bid = 0
  let low = ONE
  let high = 0
  for (let i = 0; i < yes.length; i += 2) bid = Math.max(bid, yes[i] as number)
  for (let i = 0; i < no.length; i += 2) {
    low = Math.min(low, no[i] as number)
    high = Math.max(high, no[i] as number)
  }
  const fitsYes = bid < low
  const fitsNo = bid < ONE - high
  return fitsYes === fitsNo ? null : fitsYes
}
