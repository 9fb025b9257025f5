// Creates, reads and cancels brackets.
import { Fault } from '#core/fault'
import { Bracket } from '#schemas/brackets'
import { defineRoute } from '#server/http/defineRoute'
import { bracketOf } from '#storage/postgres/brackets/bracketRow'
import { BracketBody, createBracket as create } from '../brackets/create.ts'
import type { BracketRouteDeps } from '../brackets/ports.ts'
import { access, ConditionalPath, callerOf, replayHeaders } from './shapes.ts'

const noSuchBracket = (): Fault => new Fault('CONDITIONAL_NOT_FOUND', 'no such bracket')

export const createBracket = defineRoute({
  operationId: 'createBracket',
  method: 'post',
  path: '/v1/exec/conditional/bracket',
  family: 'conditional',
  access: { ...access, credits: 2 },
  keyed: true,
  summary: 'Arms a take-profit and a stop once an entry order has ended, sized by what was filled of it; client mode',
  tag: 'execution',
  body: BracketBody,
  data: Bracket,
  errors: [
    'EXECUTION_NOT_FOUND',
    'EXECUTION_TERMINAL',
    'EXEC_UNAVAILABLE',
    'VENUE_NOT_SUPPORTED',
    'VENUE_REGION_BLOCKED',
    'NOT_IMPLEMENTED',
    'NOT_SUPPORTED',
    'ARTIFACT_BOUNDS_VIOLATION',
    'MARKET_NOT_FOUND',
    'OUTCOME_NOT_FOUND',
    'CATALOG_UNAVAILABLE',
    'NETWORK_ERROR',
    'PAPER_NO_LIVE_BOOK',
  ],
  async handle(input, { brackets }: BracketRouteDeps) {
    const { row, replay } = await create(brackets, callerOf(input), input.idempotencyKey!, input.body)
    return { data: bracketOf(row), ...replayHeaders(replay) }
  },
})

export const getBracket = defineRoute({
  operationId: 'getBracket',
  method: 'get',
  path: '/v1/exec/conditional/bracket/{id}',
  family: 'conditional',
  access: { ...access, credits: 1, anywhere: true },
  summary: 'One bracket, with the conditional orders that were armed from it',
  tag: 'execution',
  params: ConditionalPath,
  data: Bracket,
  errors: ['CONDITIONAL_NOT_FOUND', 'EXEC_UNAVAILABLE'],
  async handle(input, { brackets: { store } }: BracketRouteDeps) {
    const row = await store.find(callerOf(input).accountId, input.params.id)
    if (row === null) throw noSuchBracket()
    return { data: bracketOf(row) }
  },
})

export const cancelBracket = defineRoute({
  operationId: 'cancelBracket',
  method: 'post',
  path: '/v1/exec/conditional/bracket/{id}/cancel',
  family: 'conditional',
  access: { ...access, credits: 0, anywhere: true },
  summary: 'Cancels a bracket whose entry has not ended; repeating it is harmless',
  tag: 'execution',
  params: ConditionalPath,
  data: Bracket,
  errors: ['CONDITIONAL_NOT_FOUND', 'CONDITIONAL_NOT_ARMED', 'EXEC_UNAVAILABLE'],
  async handle(input, { brackets: { store, conditional } }: BracketRouteDeps) {
    const result = await store.cancel(callerOf(input).accountId, input.params.id, new Date(conditional.clock.now()))
    switch (result.kind) {
      case 'canceled':
        return { data: bracketOf(result.row) }
      case 'not_found':
        throw noSuchBracket()
      case 'not_waiting':
        throw new Fault(
          'CONDITIONAL_NOT_ARMED',
          `the bracket is ${result.row.status}: cancel the conditional orders that were armed from it`,
        )
    }
  },
})
