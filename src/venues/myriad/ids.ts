// Ids of markets and outcomes. A market number is unique only within one network and one trading model, since pools and order books are
// numbered separately: the id has all three, so it also says how the book is read.
import { ownBook } from '../shared/data/binary.ts'

export type Model = 'amm' | 'ob'

export interface Place {
  networkId: string
  model: Model
  id: string
}

const marketForm = /^(\d{1,9}):(amm|ob):(\d{1,15})$/
const outcomeForm = /^(\d{1,9}:(?:amm|ob):\d{1,15}):(\d{1,3})$/

/** `56:ob:730` */
export const marketIdOf = ({ networkId, model, id }: Place): string => `${networkId}:${model}:${id}`

/** `56:ob:730:0` */
export const outcomeIdOf = (marketId: string, outcome: string): string => `${marketId}:${outcome}`

export function placeOf(marketId: string): Place | null {
  const [, networkId, model, id] = marketForm.exec(marketId) ?? []
  return networkId === undefined ? null : { networkId, model: model as Model, id: id! }
}

/** Null for anything but an outcome of this venue. */
export function outcomeOf(outcomeId: string): (Place & { marketId: string; outcome: string }) | null {
  const [, marketId, outcome] = outcomeForm.exec(outcomeId) ?? []
  return marketId === undefined ? null : { ...placeOf(marketId)!, marketId, outcome: outcome! }
}

/** Every outcome has a book of its own: its orders, or what its pool gives for it. */
export const bookRef = ownBook((text) => outcomeForm.test(text))
