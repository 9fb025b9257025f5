// Shared by the routes of one endpoint.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { Principal } from '#platform/auth/principal'
import { isOrderEvent } from '#schemas/webhooks'
import type { WebhooksDeps } from '../ports.ts'

/** Any text: an invalid id is an unknown endpoint, and that is 404. */
export const EndpointPath = z.object({ id: z.string() })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isId = (text: string): boolean => uuid.test(text)

export const noSuchEndpoint = (): Fault => new Fault('WEBHOOK_NOT_FOUND', 'no such webhook endpoint')

/**
 * Events about orders belong to keys with the scope `trade`: without it a key can neither receive them nor keep them from their receiver. Throws
 * SCOPE_MISSING.
 */
export function requireTradeFor(events: readonly string[], { scopes }: Pick<Principal, 'scopes'>): void {
  const ofOrders = events.find(isOrderEvent)
  if (ofOrders === undefined || scopes.includes('trade')) return
  throw new Fault('SCOPE_MISSING', `an endpoint with ${ofOrders} needs a key with the scope trade`)
}

/** Checks the caller's scope for a change to one of its endpoints. Throws WEBHOOK_NOT_FOUND, SCOPE_MISSING. */
export async function changeableEndpoint(
  { store }: Pick<WebhooksDeps, 'store'>,
  principal: Principal,
  params: { id: string },
): Promise<string> {
  const id = endpointIdOf(params)
  const endpoint = await store.findEndpoint(principal.accountId, id)
  if (endpoint === null) throw noSuchEndpoint()
  requireTradeFor(endpoint.events, principal)
  return id
}

export function endpointIdOf({ id }: { id: string }): string {
  if (!isId(id)) throw noSuchEndpoint()
  return id
}
