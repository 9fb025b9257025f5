// Builds the legs of an arbitrage row, or of a structure, at the size and the edge that are available now.
import { z } from 'zod'
import { RouterArbitrageBody, RouterGroup } from '#schemas/router'
import { defineRoute } from '#server/http/defineRoute'
import { planArbitrage, planStructure } from '../arbitrage.ts'
import { createGroup } from '../groups/createGroup.ts'
import type { RouterRouteDeps } from '../ports.ts'
import { access, answerWith, groupRequestOf, planBytesMax, planErrors, tag } from './shapes.ts'

const Id = z.string().min(1).max(512)

const shared = {
  method: 'post',
  access: { ...access, feature: 'arbitrage' },
  keyed: true,
  tag,
  body: RouterArbitrageBody,
  bodyBytesMax: planBytesMax,
  data: RouterGroup,
} as const

export const routerArbitrage = defineRoute({
  ...shared,
  operationId: 'routerArbitrage',
  path: '/v1/router/arbitrage/{clusterId}',
  summary:
    'The two legs of a cluster, or of one of its rows, at the size and the edge available now; refused below minEdge; stored and built with persist',
  params: z.object({ clusterId: Id }),
  errors: [...planErrors, 'ARBITRAGE_UNAVAILABLE', 'CLUSTER_NOT_FOUND'],
  async handle(input, { router }: RouterRouteDeps) {
    const { body, params } = input
    const request = groupRequestOf(input, router, body, { ...params, ...body })
    return answerWith(
      await createGroup(router, request, () => planArbitrage(router, request.caller, params.clusterId, body)),
    )
  },
})

export const routerStructure = defineRoute({
  ...shared,
  operationId: 'routerStructure',
  path: '/v1/router/structures/{structureId}',
  summary:
    'The legs of a structure at the size and the edge available now; refused below minEdge; stored and built with persist',
  params: z.object({ structureId: Id }),
  errors: [...planErrors, 'ARBITRAGE_UNAVAILABLE', 'NOT_FOUND'],
  async handle(input, { router }: RouterRouteDeps) {
    const { body, params } = input
    const request = groupRequestOf(input, router, body, { ...params, ...body })
    return answerWith(
      await createGroup(router, request, () => planStructure(router, request.caller, params.structureId, body)),
    )
  },
})
