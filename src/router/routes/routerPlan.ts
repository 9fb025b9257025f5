// Splits an order over all markets that are verified to be equal.
import { RouterGroup, RouterPlanBody } from '#schemas/router'
import { defineRoute } from '#server/http/defineRoute'
import { createGroup } from '../groups/createGroup.ts'
import { planOrder } from '../planOrder.ts'
import type { RouterRouteDeps } from '../ports.ts'
import { access, answerWith, groupRequestOf, planBytesMax, planErrors, tag } from './shapes.ts'

export const routerPlan = defineRoute({
  operationId: 'routerPlan',
  method: 'post',
  path: '/v1/router/plan',
  access,
  keyed: true,
  summary:
    'The best split of a purchase or a sale over all verified equal markets, as unsigned orders; stored and built with persist, otherwise a dry run',
  tag,
  body: RouterPlanBody,
  bodyBytesMax: planBytesMax,
  data: RouterGroup,
  errors: [...planErrors, 'CLUSTER_NOT_FOUND'],
  async handle(input, { router }: RouterRouteDeps) {
    const { body } = input
    const request = groupRequestOf(input, router, body, body)
    return answerWith(await createGroup(router, request, () => planOrder(router, request.caller, body)))
  },
})
