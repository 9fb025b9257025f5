// Whether a Hyperliquid account is ready to buy outcomes. HIP-4 spends straight from the spot balance, so there is nothing to
// transfer: the answer is the spendable amount, and an empty list of steps.
import { z } from 'zod'
import { defineRoute } from '#server/http/defineRoute'
import type { FundingDeps } from '../ports.ts'

const Body = z
  .strictObject({
    owner: z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
      .transform((address) => address.toLowerCase()),
  })
  .meta({ examples: [{ owner: '0x14791697260e4c9a71f18484c9f997b308e59325' }] })

const Readiness = z.object({
  venue: z.literal('hyperliquid'),
  owner: z.string(),
  ledger: z.literal('spot'),
  token: z.string(),
  /** Decimal strings. */
  total: z.string(),
  hold: z.string(),
  spendable: z.string().describe('total minus hold'),
  ready: z.boolean().describe('something can be spent'),
  steps: z.array(z.never()).describe('always empty: nothing has to be moved'),
})

export const getSpotFundingSteps = defineRoute({
  operationId: 'getHyperliquidFundingSteps',
  method: 'post',
  path: '/v1/funding/hyperliquid/steps',
  liveOnly: true,
  access: { scope: 'trade', credits: 1 },
  summary: 'Spot readiness of a Hyperliquid account: total minus hold, and no transfer steps',
  tag: 'funding',
  body: Body,
  data: Readiness,
  errors: ['NOT_SUPPORTED', 'NETWORK_ERROR'],
  async handle({ body: { owner }, call }, { funding }: FundingDeps) {
    const { coin, total, hold, spendable } = await funding.spotBalance(owner, call.signal)
    const ready = /[1-9]/.test(spendable)
    return {
      data: { venue: 'hyperliquid', owner, ledger: 'spot', token: coin, total, hold, spendable, ready, steps: [] },
    }
  },
})
