// Ids of markets: the parent and the child, both of which the venue requires for every read. YES is the long side of the child's single book.
import { ownBook, withOutcomeSuffix } from '../shared/data/binary.ts'

const hash = '0x[0-9a-fA-F]{64}'
const hashForm = new RegExp(`^${hash}$`)
const form = new RegExp(`^(${hash})-(${hash})$`)

export const isHash = (text: string): boolean => hashForm.test(text)

export const marketIdOf = (parentId: string, childId: string): string => `${parentId}-${childId}`

/** Null for anything but a market of this venue. */
export function partsOf(marketId: string): { parentId: string; childId: string } | null {
  const [, parentId, childId] = form.exec(marketId) ?? []
  return parentId === undefined || childId === undefined ? null : { parentId, childId }
}

const isMarketId = (text: string): boolean => form.test(text)

export const { idsOf, bookRef } = withOutcomeSuffix({ yes: '-long', no: '-short' }, isMarketId)

export const marketBook = ownBook(isMarketId)
