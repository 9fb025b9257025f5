// Reads kept plans, and closes those whose legs ended unequal.
import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { callerOf } from '#orders/executions/routes/shapes'
import { NextCursor } from '#schemas/envelope'
import { RouterCloseBody, RouterGroup } from '#schemas/router'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import type { StoredGroup } from '#storage/postgres/router/store'
import { planClose } from '../closeGroup.ts'
import { createGroup } from '../groups/createGroup.ts'
import { groupView, readGroupState, readGroupStates } from '../groups/groupView.ts'
import type { RouterDeps, RouterRouteDeps } from '../ports.ts'
import { access, answerWith, groupRequestOf, planBytesMax, planErrors, readAccess, tag } from './shapes.ts'

const limitDefault = 20
/** Larger limits are capped at this. */
const limitMax = 50
const GroupPath = z.object({ id: z.uuid() })

async function findGroup({ store }: RouterDeps, accountId: string, id: string): Promise<StoredGroup> {
  const found = await store.find(accountId, id)
  if (found === null) throw new Fault('NOT_FOUND', 'no such group')
  return found
}

export const getRouterGroup = defineRoute({
  operationId: 'getRouterGroup',
  method: 'get',
  path: '/v1/router/groups/{id}',
  access: readAccess,
  summary:
    'A kept plan: its legs with their executions, its status, what it lacks, and its realised edge next to the quoted one',
  tag,
  params: GroupPath,
  data: RouterGroup,
  errors: ['NOT_FOUND', 'EXEC_UNAVAILABLE'],
  async handle(input, { router }: RouterRouteDeps) {
    const { accountId } = callerOf(input)
    const found = await findGroup(router, accountId, input.params.id)
    return { data: groupView(found, await readGroupState(router, accountId, found)) }
  },
})

export const listRouterGroups = defineRoute({
  operationId: 'listRouterGroups',
  method: 'get',
  path: '/v1/router/groups',
  access: readAccess,
  summary: 'The account’s kept plans, newest first',
  tag,
  query: z.object({ cursor: z.string().optional(), limit: clampedLimit(limitDefault, limitMax) }),
  data: z.array(RouterGroup),
  topLevelFields: { nextCursor: NextCursor },
  errors: ['EXEC_UNAVAILABLE'],
  async handle(input, { router }: RouterRouteDeps) {
    const { cursor, limit } = input.query
    const { accountId } = callerOf(input)
    const bind = cursorBinding({ accountId })
    const rows = await router.store.list({
      accountId,
      before: cursor === undefined ? null : String(router.cursors.decode('routerGroups', bind, cursor)),
      limit: limit + 1,
    })
    const page = rows.slice(0, limit)
    const states = await readGroupStates(router, accountId, page)
    const data = page.map((row, index) => groupView(row, states[index]!))
    const nextCursor = rows.length > limit ? router.cursors.encode('routerGroups', bind, page.at(-1)!.group.seq) : null
    return { data, siblings: nextCursor === null ? {} : { nextCursor } }
  },
})

export const closeRouterGroup = defineRoute({
  operationId: 'closeRouterGroup',
  method: 'post',
  path: '/v1/router/groups/{id}/close',
  access,
  keyed: true,
  summary:
    'A plan that closes what a group lacks once all its legs have ended: buys what is missing, or sells what is too much',
  tag,
  params: GroupPath,
  body: RouterCloseBody,
  bodyBytesMax: planBytesMax,
  data: RouterGroup,
  errors: [...planErrors, 'NOT_FOUND'],
  async handle(input, { router }: RouterRouteDeps) {
    const { body, params } = input
    const request = groupRequestOf(input, router, body, { closes: params.id, ...body })
    const found = await findGroup(router, request.caller.accountId, params.id)
    return answerWith(await createGroup(router, request, () => planClose(router, request.caller, found, body)))
  },
})
