// Pages of a venue's own lists: the position it returned with one page leads to the next, and is sealed into the cursor together with the
// query.
import { cursorBinding } from '#core/cursor'
import type { TradersPage, TradersPageOf, TradersPlace } from '#venues/traderData'
import type { Traders } from '../traders.ts'

export interface CursorOf {
  kind: string
  /** What is listed. */
  of: Readonly<Record<string, string>>
}

export const pageOf = (
  { cursors }: Traders,
  { kind, of }: CursorOf,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): TradersPage => ({
  limit,
  after: cursor === undefined ? null : (cursors.decode(kind, cursorBinding(of), cursor) as TradersPlace),
})

export const nextOf = (
  { cursors }: Traders,
  { kind, of }: CursorOf,
  { next }: Pick<TradersPageOf<unknown>, 'next'>,
): string | undefined => (next === null ? undefined : cursors.encode(kind, cursorBinding(of), next))
