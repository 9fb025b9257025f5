// A dummy execution for the warm-up of a fire: it uses an armed lane, but is sent nowhere.
import { z } from 'zod'
import { canonicalJson, sha256 } from '#core/canonicalJson'
import type { NewExecution } from '#storage/postgres/executions/insertExecutions'
import { warmupId } from '#storage/postgres/warmupId'
import type { ArtifactSummary, ExecutionAdapter } from '#venues/lane'
import type { ConditionalAdapter } from './ports.ts'

const artifact = canonicalJson({})
const hash = sha256(artifact)
const described: ArtifactSummary = {
  intent: 'order',
  instrument: '',
  outcomeSide: null,
  isBuy: true,
  price: null,
  size: null,
  currency: null,
  costMax: null,
  bringsMin: null,
  fee: null,
  timeInForce: null,
  expiresAt: null,
}

/** No venue, so that a halt of one does not concern it. */
export const warmupVenue = 'warm-up'

/** The lane with nothing of its venue's own in the way of a submit; it sends nothing. */
export function warmupAdapter({ lane, context }: ConditionalAdapter): ConditionalAdapter {
  const { refresh: _refresh, settlementOnly: _settlementOnly, ...rest } = lane
  const submit: ExecutionAdapter['submit'] = {
    body: z.strictObject({}),
    fields: [],
    prepare: async (_context, { unsigned }) => ({ submittedArtifact: unsigned, venueRef: null }),
    relay: async () => {
      throw new Error('a warm-up order is not sent')
    },
  }
  return { lane: { ...rest, checkBounds: () => undefined, describe: () => described, submit }, context }
}

export function warmupExecution({ buildVersion }: ExecutionAdapter, accountId: string, at: Date): NewExecution {
  const id = warmupId()
  return {
    id,
    accountId,
    keyId: accountId,
    venue: warmupVenue,
    intent: 'order',
    buildVersion,
    unsigned: artifact,
    unsignedSha256: hash,
    bounds: {},
    terms: null,
    owner: null,
    clientRef: null,
    notionalUsd: '1',
    roomUsd: '1',
    feeEstimate: null,
    warnings: [],
    collateral: null,
    buildResult: null,
    summary: null,
    targetId: null,
    key: { kind: 'build', key: id, bodySha256: hash },
    at,
  }
}
