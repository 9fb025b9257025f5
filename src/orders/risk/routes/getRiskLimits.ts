// The caller's own limits, with how much of them is used now.
import { z } from 'zod'
import { RiskLimitUse } from '#schemas/riskLimits'
import { defineRoute } from '#server/http/defineRoute'
import type { RiskRouteDeps } from '../ports.ts'
import { readLimitUses } from '../uses.ts'

export const getRiskLimits = defineRoute({
  operationId: 'getRiskLimits',
  method: 'get',
  path: '/v1/exec/risk-limits',
  access: { scope: 'trade', credits: 1, anywhere: true },
  summary: 'The risk limits that apply to orders of this key, and how much of them is used now',
  tag: 'execution',
  heavy: true,
  data: z.array(RiskLimitUse),
  errors: ['EXEC_UNAVAILABLE'],
  handle: async ({ principal }, { risk }: RiskRouteDeps) => ({ data: await readLimitUses(risk, principal!) }),
})
