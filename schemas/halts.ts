// Trading halts: who is halted where, by whom and why.
import { z } from 'zod'
import { singleLineText } from './text.ts'

/** One line of plain text, kept for the audit log and shown to refused callers. */
export const HaltReason = singleLineText(300)

export const haltScopes = ['account', 'venue', 'all'] as const

/** A halt as a caller sees it: what blocks its own trading. */
export const Halt = z
  .object({
    /** `account`: this account, everywhere. `venue`: this account, or all accounts, at `venue`. `all`: all accounts, everywhere. */
    scope: z.enum(haltScopes),
    venue: z.string().nullable(),
    /** Who set it; only they can lift it. */
    by: z.enum(['account', 'operator']),
    reason: z.string(),
    since: z.iso.datetime(),
  })
  .meta({ id: 'Halt' })
export type Halt = z.infer<typeof Halt>
