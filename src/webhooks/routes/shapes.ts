// Shared by the routes of one endpoint.
import { z } from 'zod'
import { Fault } from '#lib/fault'

/** Any text: an invalid id is an unknown endpoint, and that is 404. */
export const EndpointPath = z.object({ id: z.string() })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isId = (text: string): boolean => uuid.test(text)

export const noSuchEndpoint = (): Fault => new Fault('WEBHOOK_NOT_FOUND', 'no such webhook endpoint')

export function endpointIdOf({ id }: { id: string }): string {
  if (!isId(id)) throw noSuchEndpoint()
  return id
}
