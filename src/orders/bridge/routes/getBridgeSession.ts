// Reads a session as its provider shows it now.

import { BridgeSession } from '#schemas/bridge'
import { defineRoute } from '#server/http/defineRoute'
import type { BridgeRouteDeps } from '../ports.ts'
import { callerOf, metaOf, metaSchema, noSuchSession, providerErrors, SessionPath, sessionOf } from './shapes.ts'

export const getBridgeSession = defineRoute({
  operationId: 'getBridgeSession',
  method: 'get',
  path: '/v1/bridge/session/{id}',
  family: 'bridge',
  liveOnly: true,
  access: { scope: 'read', credits: 1, anywhere: true },
  summary: 'A session of the account: paymentStatus, and sponsoredTransactionHash once the money has arrived',
  tag: 'bridge',
  params: SessionPath,
  data: BridgeSession,
  topLevelFields: metaSchema,
  errors: ['NOT_SUPPORTED', 'BRIDGE_SESSION_NOT_FOUND', ...providerErrors],
  async handle(input, { bridge }: BridgeRouteDeps) {
    const session = await sessionOf(bridge, input)
    const found = await bridge.provider.find(session, callerOf(input))
    if (found === null) throw noSuchSession()
    return { rawData: found.json, siblings: metaOf(bridge) }
  },
})
