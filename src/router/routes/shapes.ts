// Shared by the routes of the router.

import { callerOf, keyOf, replayHeaders, runOptionsOf } from '#orders/executions/routes/shapes'
import type { RouteInput } from '#server/http/defineRoute'
import type { CreatedGroup, GroupRequest } from '../groups/createGroup.ts'
import type { PlanOptions } from '../planOrder.ts'
import type { RouterDeps } from '../ports.ts'

/** Of a build. */
const creditsPerArtifact = 2
/** A plan without artifacts. */
export const planCredits = 2

export const access = { scope: 'trade', credits: planCredits, rowsPerCredit: 1 } as const
export const readAccess = { scope: 'trade', credits: 1, anywhere: true } as const
export const tag = 'router'
export const planBytesMax = 64 * 1024

export const planErrors = [
  'MATCHES_UNAVAILABLE',
  'CATALOG_UNAVAILABLE',
  'MARKET_NOT_FOUND',
  'VENUE_NOT_SUPPORTED',
  'EXEC_UNAVAILABLE',
] as const

type Input = Pick<RouteInput, 'principal' | 'country' | 'isBlocked' | 'call' | 'idempotencyKey' | 'requestId'>

export const groupRequestOf = (
  input: Input,
  { executions }: RouterDeps,
  body: PlanOptions,
  identity: unknown,
): GroupRequest => ({
  caller: callerOf(input),
  key: keyOf(input),
  identity,
  persist: body.persist,
  artifacts: body.artifacts,
  accounts: body.accounts,
  options: runOptionsOf(input, executions),
})

/** Each artifact costs what its build costs. */
export const answerWith = ({ data, built, replay }: CreatedGroup) => ({
  data,
  rows: Math.max(planCredits, built * creditsPerArtifact),
  ...replayHeaders(replay),
})
