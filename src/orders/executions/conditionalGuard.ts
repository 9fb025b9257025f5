// Refusals that a conditional order gives to calls bypassing it on its execution.
import { Fault } from '#core/fault'
import type { ErrorCode } from '#schemas/errors'
import type { GateRefusal } from '#storage/postgres/conditional/blockingConditions'

const refusals: Readonly<Record<GateRefusal, readonly [code: ErrorCode, message: string]>> = {
  armed: ['CONDITIONAL_ARMED', 'a conditional order holds this execution: cancel that order first'],
  attempt: [
    'CONDITIONAL_ATTEMPT_CONFLICT',
    'a conditional order on this execution, or another order of its group, has an attempt in progress',
  ],
  unreserved: [
    'RESERVATION_REQUIRED',
    'the conditional order on this execution has triggered: reserve the submit first',
  ],
  closed: [
    'CONDITIONAL_CLOSED_NOT_SUBMITTED',
    'the conditional order on this execution has ended: build a new order to submit it on its own',
  ],
  group_closed: ['OCO_GROUP_CLOSED', 'another conditional order of the group has fired'],
}

export const rejectIfConditional = (why: GateRefusal): Fault => new Fault(...refusals[why])
