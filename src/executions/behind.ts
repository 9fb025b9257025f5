// What a conditional order behind an execution says to whoever goes past it.
import { Fault } from '#lib/fault'
import type { ErrorCode } from '#schemas/errors'
import type { GateRefusal } from '#storage/postgres/conditional/gate'

const refusals: Readonly<Record<GateRefusal, readonly [code: ErrorCode, message: string]>> = {
  armed: ['CONDITIONAL_ARMED', 'a conditional order waits behind this execution: cancel that one first'],
  attempt: [
    'CONDITIONAL_ATTEMPT_CONFLICT',
    'a conditional order behind this execution, or another one of its group, has an attempt under way',
  ],
  unreserved: [
    'RESERVATION_REQUIRED',
    'the conditional order behind this execution has triggered: reserve the submit first',
  ],
  closed: [
    'CONDITIONAL_CLOSED_NOT_SUBMITTED',
    'the conditional order behind this execution has ended: build the order anew to submit it by itself',
  ],
  group_closed: ['OCO_GROUP_CLOSED', 'another conditional order of the group has fired'],
}

export const refusedBehind = (why: GateRefusal): Fault => new Fault(...refusals[why])
