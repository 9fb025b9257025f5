// Shared by the routes of the review.
import { z } from 'zod'
import type { Principal } from '#platform/auth/principal'
import type { Decider } from '../ports.ts'

/** Any text: an invalid key is an unknown template pair, and that is 404. */
export const TemplatePath = z.object({ key: z.string() })

/** Decisions apply to every account: only keys that an operator has given this scope may take them. */
export const reviewAccess = { scope: 'review', credits: 1 } as const
export const readAccess = { scope: 'read', credits: 1 } as const
export const tag = 'matching'

export const keyOf = ({ keyId }: Principal): string => `key ${keyId}`

export const deciderOf = (by: string | undefined, principal: Principal): Decider => ({
  by: by ?? keyOf(principal),
  recordedBy: keyOf(principal),
})
