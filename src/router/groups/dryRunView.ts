// A plan that is not kept, in the form of a group.
import type { RouterGroup, RouterLeg } from '#schemas/router'
import type { NewLeg } from '#storage/postgres/router/store'
import type { PlannedGroup } from '../planned.ts'
import type { RouterDeps } from '../ports.ts'
import type { LegAnswer } from './buildLegs.ts'
import { plannedLeg } from './groupView.ts'

/** `answers` null: artifacts were not requested. */
export function dryRunView(
  { executions }: Pick<RouterDeps, 'executions'>,
  { kind, closesId, plan }: PlannedGroup,
  legs: readonly NewLeg[],
  answers: readonly LegAnswer[] | null,
): RouterGroup {
  return {
    groupId: null,
    kind,
    status: 'planned',
    closesGroupId: closesId,
    closedBy: [],
    request: plan.request,
    quote: plan.quote,
    alternatives: plan.alternatives,
    leftOut: plan.leftOut,
    legs: legs.map((leg, position): RouterLeg => {
      const answer = answers?.[position]
      return {
        ...plannedLeg({ ...leg, position }),
        execution: answer?.ok === true ? answer.data : null,
        error: answer?.ok === false ? answer.error : null,
        ...(answer?.ok === true && answer.warnings !== undefined && { warnings: answer.warnings }),
        matchedSize: null,
        paidPrice: null,
        paidFee: null,
      }
    }),
    exposure: null,
    remaining: null,
    realised: null,
    createdAt: new Date(executions.clock.now()).toISOString(),
  }
}
