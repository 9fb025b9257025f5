// The switch that stops trading, in words: who is halted where, by whom and why.
import { z } from 'zod'
import { plainLine } from './text.ts'

/** For the audit and for refused callers: one line of plain text. */
export const HaltReason = plainLine(300)

export const haltScopes = ['account', 'venue', 'all'] as const

/** As a caller sees it: what stands in the way of its own trading. */
export const Halt = z
  .object({
    /** `account`: this account, everywhere. `venue`: this account, or all accounts, at `venue`. `all`: all accounts, everywhere. */
    scope: z.enum(haltScopes),
    venue: z.string().nullable(),
    /** Who set it, and alone lifts it. */
    by: z.enum(['account', 'operator']),
    reason: z.string(),
    since: z.iso.datetime(),
  })
  .meta({ id: 'Halt' })
export type Halt = z.infer<typeof Halt>
