// Allocates a number of units to the levels of several venues, in the order steps of each venue.
import { ceilTo, floorTo, type Piece, type Seller } from './offers.ts'

/** Units by venue, at least `floors`. Fewer than `wanted` if the levels hold no more, or no step is small enough. */
export function allocate(
  pieces: readonly Piece[],
  floors: ReadonlyMap<string, number>,
  wanted: number,
): Map<string, number> {
  const taken = new Map(floors)
  const of = ({ id }: Seller): number => taken.get(id) ?? 0
  let missing = [...floors.values()].reduce((left, units) => left - units, wanted)
  for (const { seller, upTo } of pieces) {
    const { stepUnits } = seller.market
    const had = of(seller)
    const has = Math.min(floorTo(upTo, stepUnits), floorTo(had + missing, stepUnits))
    if (has <= had) continue
    taken.set(seller.id, has)
    missing -= has - had
  }
  if (missing > 0) exchange(pieces, floors, taken, missing)
  return taken
}

/** The remainder is smaller than a step of the venues that have more: one of them gives up a step, and another takes back the excess. */
function exchange(
  pieces: readonly Piece[],
  floors: ReadonlyMap<string, number>,
  taken: Map<string, number>,
  missing: number,
): void {
  const of = ({ id }: Seller): number => taken.get(id) ?? 0
  for (const { seller } of pieces) {
    const step = ceilTo(missing, seller.market.stepUnits)
    if (of(seller) + step > seller.unitsMax) continue
    const tooMuch = step - missing
    const other = pieces.findLast(
      ({ seller: one }) =>
        one !== seller && tooMuch % one.market.stepUnits === 0 && of(one) - (floors.get(one.id) ?? 0) >= tooMuch,
    )
    if (other === undefined) continue
    taken.set(seller.id, of(seller) + step)
    taken.set(other.seller.id, of(other.seller) - tooMuch)
    return
  }
}
