// Sets, lifts and reads trading halts.
import { z } from 'zod'
import { Halt, HaltReason, haltScopes } from '#schemas/halts'
import { defineRoute } from '#server/http/defineRoute'
import { VenueName } from '#server/http/venueName'
import { haltAccount, haltsOf, resumeAccount } from '../halts.ts'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { callerOf, venueErrors } from './shapes.ts'

const HaltBody = z
  .strictObject({
    /** `all` is reserved for the operator. */
    scope: z.enum(haltScopes),
    /** With the scope `venue`. */
    venue: VenueName.optional(),
    reason: HaltReason,
  })
  .meta({ examples: [{ scope: 'account', reason: 'looking into it' }] })
const Changed = z.object({
  /** False: the state was already so. */
  changed: z.boolean(),
  /** Every halt that stops this account now, including the operator's. */
  halts: z.array(Halt),
})
/** Halting is allowed from anywhere; resuming is not. */
const access = { scope: 'trade', credits: 0, anywhere: true } as const
const errors = [...venueErrors, 'PERMISSION_DENIED'] as const

export const haltTrading = defineRoute({
  operationId: 'haltTrading',
  method: 'post',
  path: '/v1/exec/halt',
  access,
  summary:
    'Stops the account’s trading, everywhere or at one venue: after the response, only cancels and redemptions are sent',
  tag: 'execution',
  body: HaltBody,
  data: Changed,
  errors,
  handle: async (input, { executions }: ExecutionsRouteDeps) => ({
    data: await haltAccount(executions, callerOf(input), input.body),
  }),
})

export const resumeTrading = defineRoute({
  operationId: 'resumeTrading',
  method: 'delete',
  path: '/v1/exec/halt',
  access: { scope: 'trade', credits: 0 },
  summary: 'Lifts a halt that the account has set; an operator’s halt stays',
  tag: 'execution',
  body: HaltBody,
  data: Changed,
  errors,
  handle: async (input, { executions }: ExecutionsRouteDeps) => ({
    data: await resumeAccount(executions, callerOf(input), input.body),
  }),
})

export const getHalts = defineRoute({
  operationId: 'getHalts',
  method: 'get',
  path: '/v1/exec/halt',
  access,
  summary: 'The halts that apply to the account now, including the operator’s',
  tag: 'execution',
  data: z.array(Halt),
  errors: ['EXEC_UNAVAILABLE'],
  handle: async (input, { executions }: ExecutionsRouteDeps) => ({
    data: await haltsOf(executions, callerOf(input)),
  }),
})
