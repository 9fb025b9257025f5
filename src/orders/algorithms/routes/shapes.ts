// Shared by the routes of execution algorithms.
import { z } from 'zod'
import type { RouteInput } from '#server/http/defineRoute'
import type { Caller } from '../ports.ts'

export const AlgorithmPath = z.object({ id: z.uuid() })

export const access = { scope: 'trade', feature: 'conditionalOrders' } as const

export const callerOf = (input: Pick<RouteInput, 'principal' | 'country' | 'isBlocked' | 'call'>): Caller => ({
  accountId: input.principal!.accountId,
  keyId: input.principal!.keyId,
  country: input.country,
  isBlocked: input.isBlocked,
  signal: input.call.signal,
})
