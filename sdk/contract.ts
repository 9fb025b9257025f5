// The source of the generated clients: both API documents of this program, with every feature switched on.
import { buildAsyncApi } from '#http/asyncapi'
import { buildOpenApi } from '#http/openapi'
import { routes } from '#http/routes'
import { version as programVersion } from '#lib/version'
import { streamChannels } from '#schemas/stream'
import { tradeFilterVenue } from '#schemas/venues'

export type Json = Readonly<Record<string, unknown>>

export interface Documents {
  version: string
  openapi: Json
  asyncapi: Json
}

/** Through JSON, as a client reads them. */
const viaJson = (document: object): Json => JSON.parse(JSON.stringify(document)) as Json

export const documents = (version = programVersion): Documents => ({
  version,
  openapi: viaJson(buildOpenApi(routes, { version })),
  asyncapi: viaJson(buildAsyncApi(version, { channels: [...streamChannels], pendingTrades: tradeFilterVenue })),
})
