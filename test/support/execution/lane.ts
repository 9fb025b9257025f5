// The adapter of the test venue: everything an adapter can do, without the specifics of a real venue.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { Secret } from '#core/secret'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import { type Built, defineLane, type ExecutionAdapter, type LaneContext } from '#venues/lane'

const Order = z.strictObject({ size: z.number().positive(), owner: z.string().optional() })
const Send = z.strictObject({ apiSecret: z.string().transform((text) => new Secret(text)) })

interface Truth {
  status: 'acked' | 'filled' | 'failed' | 'expired' | 'canceled' | null
  fills: string[]
}

const built = (unsigned: JsonObject, clientRef: string): Built => ({
  unsigned,
  terms: null,
  notionalUsd: typeof unsigned.size === 'number' ? String(unsigned.size) : null,
  feeEstimate: null,
  bounds: { sizeMax: 1_000 },
  clientRef,
  warnings: [],
  owner: null,
})

/** Not a version of a real adapter: the document's statements about their artifacts do not apply. */
export const testBuildVersion = 101

/** `slug` must be one of the specification for the path to be an execution venue. */
export const testLane = (more: Partial<ExecutionAdapter> = {}, slug: ExecutionVenue = 'novig'): ExecutionAdapter => ({
  ...defineLane({
    slug,
    buildVersion: testBuildVersion,
    urls: { REST: 'http://unset' },
    ownerRequired: false,
    blockedCountries: ['US'],
    artifacts: { order: z.looseObject({}) },
    order: {
      body: Order,
      gatherFacts: async () => ({}),
      build: (context: LaneContext, { size }) => {
        const id = context.randomUuid()
        return built({ id, size }, id)
      },
    },
    checkBounds(unsigned, bounds) {
      if (Number(unsigned.size ?? 0) > Number(bounds.sizeMax))
        throw new Fault('ARTIFACT_BOUNDS_VIOLATION', 'the size is beyond the bounds')
    },
    describe({ cancels, replaces, size, to }) {
      if (to !== undefined) return { intent: 'redeem', instrument: String(to) }
      if (cancels !== undefined) return { intent: 'cancel', orderId: String(cancels) }
      return {
        ...(replaces === undefined
          ? ({ intent: 'order' } as const)
          : ({ intent: 'modify', orderId: String(replaces) } as const)),
        instrument: 'the only market',
        outcomeSide: null,
        isBuy: true,
        price: null,
        size: String(size),
        currency: 'USD',
        costMax: String(size),
        bringsMin: null,
        fee: null,
        timeInForce: 'good-til-cancel',
        expiresAt: null,
      }
    },
    cancel: {
      body: z.strictObject({}),
      build: async (_context, target) => built({ cancels: target.venueRef }, target.venueRef!),
    },
    modify: {
      replaces: true,
      body: z.strictObject({ size: z.number().positive() }),
      build: async ({ randomUuid }, { venueRef }, { size }) => {
        const id = randomUuid()
        return built({ replaces: venueRef, id, size }, id)
      },
    },
    submit: {
      body: Send,
      prepare: async (_context, { unsigned }) => ({ submittedArtifact: unsigned, venueRef: null }),
      async relay({ sender, urls, signal }, { unsigned }, _prepared, { apiSecret }) {
        const { cancels, replaces, id } = unsigned
        const sent = await sender.send({
          method: cancels === undefined ? 'POST' : 'DELETE',
          url: `${urls.REST}/orders/${replaces === undefined ? (cancels ?? id) : `${replaces}/replace/${id}`}`,
          text: null,
          headers: { 'x-secret': apiSecret.reveal() },
          timeoutMs: 20_000,
          signal,
        })
        if (sent.kind === 'not_sent') return { kind: 'refused', reason: 'nothing was sent', code: 'NETWORK_ERROR' }
        if (sent.kind !== 'answered') return { kind: 'unknown', cause: sent.cause }
        const response = JSON.parse(sent.text) as { reason?: string; filled?: boolean }
        const reason = String(response.reason)
        if (sent.status === 401) return { kind: 'refused', reason }
        if (sent.status === 429) return { kind: 'refused', reason, code: 'NETWORK_ERROR' }
        if (sent.status === 400) return { kind: 'rejected', reason }
        if (sent.status === 500) return { kind: 'unknown', cause: reason, httpStatus: 500, text: reason }
        const status = response.filled === true ? 'filled' : 'acked'
        return { kind: 'accepted', venueRef: String(unsigned.id ?? unsigned.cancels), status, fills: [] }
      },
      lateBound: (_execution, signedBy) => ({
        untilMs: signedBy + 60_000,
        rule: 'signatures older than 30 s are refused',
      }),
      fields: ['apiSecret'],
    },
    refresh: {
      body: z.strictObject({}),
      credentialFree: true,
      asks: 'anybody',
      async read({ http, urls }, { venueRef, clientRef, intent }) {
        const id = venueRef ?? clientRef!
        const { body } = await http.request({ url: `${urls.REST}/orders/${id}` })
        const { status, fills } = body as Truth
        const found = {
          venueRef: status === null ? null : id,
          shown: status !== null,
          undone: intent === 'cancel' ? status === 'acked' : status === null,
        }
        // The status of the order determines that of its cancellation.
        if (intent === 'cancel') return { ...found, status: status === 'canceled' ? 'acked' : null, fills: [] }
        return {
          ...found,
          status,
          fills: fills.map((key) => ({ key, fill: { key }, filledAt: 1_790_000_000_000 })),
        }
      },
      fields: [],
    },
  }),
  ...more,
})
