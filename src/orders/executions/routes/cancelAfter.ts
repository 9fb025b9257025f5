// The account's dead man's switch: set, switched off and read.
import { CancelAfter, CancelAfterBody } from '#schemas/cancelAfter'
import { defineRoute } from '#server/http/defineRoute'
import type { CancelAfterState } from '#storage/postgres/executions/cancelAfter'
import { checkCancelFields } from '../bulk/cancelFields.ts'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { callerOf } from './shapes.ts'

/** It only ever cancels. */
const access = { scope: 'trade', credits: 0, anywhere: true } as const

export const setCancelAfter = defineRoute({
  operationId: 'setCancelAfter',
  method: 'post',
  path: '/v1/exec/cancel-after',
  access,
  summary: 'Sets the dead man’s switch: unless it is set again in time, the cancels of the orders in flight are built',
  tag: 'execution',
  body: CancelAfterBody,
  data: CancelAfter,
  errors: ['EXEC_UNAVAILABLE', 'NOT_IMPLEMENTED', 'VENUE_NOT_SUPPORTED'],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const { store, newId } = executions
    const { accountId, keyId } = callerOf(input)
    const { seconds, venues = null, fields = {} } = input.body
    checkCancelFields(executions, { accountId }, { fields, venues: venues ?? [] })
    if (seconds === 0) await store.endCancelAfter(accountId)
    else await store.setCancelAfter({ id: newId(), accountId, keyId, seconds, venues: distinct(venues), fields })
    return { data: shown(await store.readCancelAfter(accountId)) }
  },
})

export const getCancelAfter = defineRoute({
  operationId: 'getCancelAfter',
  method: 'get',
  path: '/v1/exec/cancel-after',
  access,
  summary: 'The dead man’s switch of the account, and the cancels that its last lapse built',
  tag: 'execution',
  data: CancelAfter,
  errors: ['EXEC_UNAVAILABLE'],
  handle: async (input, { executions: { store } }: ExecutionsRouteDeps) => ({
    data: shown(await store.readCancelAfter(callerOf(input).accountId)),
  }),
})

const distinct = (venues: readonly string[] | null): string[] | null => venues && [...new Set(venues)]

const shown = ({ armed, lastLapse }: CancelAfterState): CancelAfter => ({
  armed: armed && { seconds: armed.seconds, venues: armed.venues, deadline: armed.deadline.toISOString() },
  lastLapse: lastLapse && {
    id: lastLapse.id,
    deadline: lastLapse.deadline.toISOString(),
    status: lastLapse.status === 'done' ? 'done' : 'lapsed',
    result: lastLapse.result,
  },
})
