// Brackets: exits that are armed when an entry order has ended, sized by what was filled of it.
import { z } from 'zod'

export const bracketStatuses = ['waiting', 'arming', 'armed', 'unfilled', 'failed', 'canceled', 'expired'] as const
export const BracketStatus = z.enum(bracketStatuses).meta({ id: 'BracketStatus' })
export type BracketStatus = z.infer<typeof BracketStatus>

export const Bracket = z
  .object({
    id: z.uuid(),
    entryExecutionId: z.uuid(),
    venue: z.string(),
    status: BracketStatus,
    /** What was filled of the entry, decimal string of contracts or shares: the size of each exit. Null until the entry has ended. */
    filledSize: z.string().nullable(),
    /** The conditional orders; null until they are armed, or when none was requested. */
    takeProfitId: z.uuid().nullable(),
    stopLossId: z.uuid().nullable(),
    /** Of the conditional orders: only one of them fires. */
    ocoGroupId: z.uuid(),
    expiresAt: z.iso.datetime(),
    lastError: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Bracket' })
export type Bracket = z.infer<typeof Bracket>
