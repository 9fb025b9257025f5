// The routes of conditional orders with a real store, real executions and two adapters of the test venue: one with signed orders, and
// one that requires credentials with every order.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import {
  type ArtifactCipher,
  type BookAvailability,
  type BracketDeps,
  type ConditionalDeps,
  conditionalSteps,
  createArtifactSeal,
  newSealKey,
  parseSealKeys,
} from '#orders/conditional/index'
import { createExitBuilds, type ExecutionsDeps, validateConditional } from '#orders/executions/index'
import { createBracketStore } from '#storage/postgres/brackets/store'
import { createConditionalStore } from '#storage/postgres/conditional/store'
import type { Pool } from '#storage/postgres/pool'
import type { Reply, WorldOptions } from '#test/src/server/http/world'
import { testLane } from '#test/support/execution/lane'
import { createExecutionWorld } from '#test/support/execution/world'
import type { Built, ExecutionAdapter, LaneExecution } from '#venues/lane'
import { evening, noon } from './book.ts'

/** The signature of a hosted order. */
export const signature = 'canary-signature-51d0e7'

/** Buys or sells at 0.5; its artifact expires if its body says so. */
export function tradingLane(): ExecutionAdapter {
  const base = testLane({}, 'limitless')
  const Body = z.strictObject({
    size: z.number().positive(),
    sell: z.boolean().optional(),
    until: z.number().optional(),
  })
  const built = (body: z.infer<typeof Body>, id: string): Built => ({
    unsigned: { id, size: body.size, sell: body.sell === true, until: body.until ?? null },
    terms: {
      marketId: 'm1',
      outcomeId: 'o1',
      outcomeSide: 'YES',
      isBuy: body.sell !== true,
      price: '0.5',
      size: String(body.size),
    },
    notionalUsd: String(body.size),
    feeEstimate: null,
    bounds: { sizeMax: 1_000 },
    clientRef: id,
    warnings: [],
    owner: null,
  })
  return {
    ...base,
    order: {
      body: Body,
      gatherFacts: async () => ({}),
      build: (context, body) => built(body as z.infer<typeof Body>, context.randomUuid()),
    },
    describe: (unsigned) => ({
      ...(base.describe(unsigned) as Extract<ReturnType<ExecutionAdapter['describe']>, { intent: 'order' | 'modify' }>),
      isBuy: unsigned.sell !== true,
      price: '0.5',
      expiresAt: unsigned.until as number | null,
    }),
    submit: {
      ...base.submit!,
      body: z.strictObject({ signature: z.string() }),
      prepare: async (_context, { unsigned }, send) => {
        if ((send as { signature: string }).signature !== signature)
          throw new Fault('INVALID_SIGNATURE', 'signature: it is not the owner’s')
        return { submittedArtifact: { ...unsigned }, venueRef: null }
      },
      async relay({ sender, urls, signal }, { unsigned }) {
        const url = `${urls.REST}/orders/${unsigned.id}`
        const sent = await sender.send({ method: 'POST', url, text: null, headers: {}, timeoutMs: 2_000, signal })
        if (sent.kind !== 'answered') return { kind: 'unknown', cause: null }
        return { kind: 'accepted', venueRef: String(unsigned.id), status: 'acked', fills: [] }
      },
      lateBound: () => null,
      fields: ['signature'],
    },
  }
}

/** Requires credentials, and otherwise equals the signed adapter. */
const keyedLane = (): ExecutionAdapter => {
  const { submit } = testLane()
  return { ...tradingLane(), slug: 'novig', submit: { ...submit!, lateBound: () => null } }
}

/** Takes an artifact for a minute after its build, and otherwise equals the signed adapter. */
const shortLivedLane = (): ExecutionAdapter => {
  const lane = tradingLane()
  const acceptsUntil = ({ createdAt }: LaneExecution): number => createdAt + 60_000
  return { ...lane, slug: 'pascal', submit: { ...lane.submit!, acceptsUntil } }
}

export async function openConditionalWorld(
  pool: Pool,
  {
    hosted = true,
    lit = true,
    clock = new ManualClock(noon.getTime()),
    log,
    geofence,
  }: { hosted?: boolean; lit?: boolean; clock?: ManualClock; log?: Log; geofence?: WorldOptions['geofence'] } = {},
) {
  const ring = newSealKey()
  const seal: ArtifactCipher = createArtifactSeal(() => parseSealKeys(ring))
  const store = createConditionalStore(pool, conditionalSteps)
  const bookAvailability: { next: BookAvailability } = { next: 'live' }
  const conditionalOf = (executions: ExecutionsDeps): ConditionalDeps => ({
    store,
    orders: { examine: (caller, id, signed) => validateConditional(executions, caller, id, signed) },
    books: { availability: async () => bookAvailability.next },
    seal: hosted ? seal : null,
    clock,
    newId: () => randomUUID(),
  })
  const bracketsOf = (executions: ExecutionsDeps): BracketDeps => ({
    store: createBracketStore(pool),
    builds: createExitBuilds(executions),
    conditional: conditionalOf(executions),
  })
  const world = await createExecutionWorld(pool, {
    lanes: [tradingLane(), keyedLane(), shortLivedLane()],
    clock,
    ...(log === undefined ? {} : { log }),
    geofence,
    families: lit ? { conditional: true } : {},
    conditional: conditionalOf,
    brackets: bracketsOf,
  })
  const { call, post } = world.world
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
  return {
    ...world,
    clock,
    conditionals: store,
    brackets: bracketsOf(world.deps),
    seal,
    standing: bookAvailability,
    async built(venue: 'limitless' | 'novig' | 'pascal' = 'limitless', body: object = {}): Promise<string> {
      const reply = await post(`/v1/exec/${venue}/orders/build`, { size: 5, ...body }, keyed(randomUUID()))
      return reply.json.data.executionId
    },
    arm: (body: object, key: string = randomUUID()): Promise<Reply> =>
      post(
        '/v1/exec/conditional',
        { trigger: { when: 'at_or_above', price: 0.6 }, fireMode: 'client', expiresAt: evening.toISOString(), ...body },
        keyed(key),
      ),
    list: (query = ''): Promise<Reply> => call('GET', `/v1/exec/conditional${query === '' ? '' : `?${query}`}`),
    one: (id: string): Promise<Reply> => call('GET', `/v1/exec/conditional/${id}`),
    cancelOrder: (id: string, key: string = randomUUID()): Promise<Reply> =>
      post(`/v1/exec/conditional/${id}/cancel`, {}, keyed(key)),
    report: (id: string, body: object): Promise<Reply> => post(`/v1/exec/conditional/${id}/report`, body),
    reserve: async (venue: string, executionId: string): Promise<Reply> =>
      post(`/v1/exec/${venue}/orders/${executionId}/reservations`, {}),
    submitTo: (venue: string, executionId: string, body: object, key: string = randomUUID()): Promise<Reply> =>
      post(`/v1/exec/${venue}/orders/${executionId}/submit`, body, keyed(key)),
    triggered: async (id: string): Promise<boolean> =>
      (await store.trigger([{ id, evidence: { bookTime: 1 } }], new Date(clock.now()))).length === 1,
  }
}
export type ConditionalWorld = Awaited<ReturnType<typeof openConditionalWorld>>
