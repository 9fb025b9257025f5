// A lane whose orders a test fills by itself: it takes prices, sizes and options as the build bodies of venues do.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import { testLane } from '#test/support/execution/lane'
import type { Built, ExecutionAdapter, RelayOutcome } from '#venues/lane'

/** The signature that its orders need. */
export const signature = 'canary-signature-7ad2'

const Body = z.strictObject({
  isBuy: z.boolean(),
  price: z.number().gt(0).lt(1),
  size: z.number().positive(),
  timeInForce: z.enum(['good-til-cancel', 'immediate-or-cancel']).optional(),
  postOnly: z.boolean().optional(),
})

export interface AlgorithmLaneOptions {
  /** Each relay of an order. */
  relayOrder?(order: { id: string; size: string }): Promise<RelayOutcome>
  needsSignature?: boolean
}

export function algorithmLane({ relayOrder, needsSignature = true }: AlgorithmLaneOptions = {}): ExecutionAdapter {
  const base = testLane({}, 'limitless')
  const built = (body: z.infer<typeof Body>, id: string): Built => ({
    unsigned: { id, ...body },
    terms: {
      marketId: 'm1',
      outcomeId: 'o1',
      outcomeSide: 'YES',
      isBuy: body.isBuy,
      price: String(body.price),
      size: String(body.size),
    },
    notionalUsd: String(body.size),
    feeEstimate: null,
    bounds: { sizeMax: 1_000 },
    clientRef: id,
    warnings: [],
    owner: null,
  })
  const accepted = async ({ id }: { id: string }): Promise<RelayOutcome> => ({
    kind: 'accepted',
    venueRef: id,
    status: 'acked',
    fills: [],
  })
  return {
    ...base,
    orderOptions: { timeInForce: ['good-til-cancel', 'immediate-or-cancel'], postOnly: true },
    order: {
      body: Body,
      gatherFacts: async () => ({}),
      build: (context, body) => built(body as z.infer<typeof Body>, context.randomUuid()),
    },
    describe: (unsigned) => {
      const described = base.describe(unsigned)
      if (described.intent !== 'order') return described
      return {
        ...described,
        isBuy: unsigned.isBuy !== false,
        price: String(unsigned.price),
        timeInForce: (unsigned.timeInForce ?? 'good-til-cancel') as 'good-til-cancel',
      }
    },
    submit: {
      ...base.submit!,
      body: needsSignature ? z.strictObject({ signature: z.string() }) : z.looseObject({}),
      prepare: async (_context, { unsigned }, send) => {
        if (needsSignature && (send as { signature: string }).signature !== signature)
          throw new Fault('INVALID_SIGNATURE', 'signature: it is not the owner’s')
        return { submittedArtifact: { ...unsigned } as JsonObject, venueRef: null }
      },
      async relay(_context, { unsigned }) {
        if (unsigned.cancels !== undefined) return accepted({ id: String(unsigned.cancels) })
        return (relayOrder ?? accepted)({ id: String(unsigned.id), size: String(unsigned.size) })
      },
      lateBound: () => null,
      fields: needsSignature ? ['signature'] : [],
    },
  }
}
