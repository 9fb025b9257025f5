// The source of the generated clients: both API documents of this program, with every feature switched on.

import { version as programVersion } from '#core/version'
import { routes } from '#roles/routes'
import { streamChannels } from '#schemas/stream'
import { tradeFilterVenue } from '#schemas/venues'
import { buildAsyncApi } from '#server/http/asyncapi'
import { buildOpenApi } from '#server/http/openapi'

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
