// The features of this deployment: what OpenAPI, AsyncAPI and the lists of routes and events show.
import { streamChannels } from '#schemas/stream'
import type { EnabledFeatures } from '#server/http/enabledRoutes'
import type { StreamChannels } from '#stream/ports'
import { showsOptionPrices } from '#venues/venue'
import { deliverableEvents } from '../webhooks.ts'
import type { GatewayRoleOptions } from './options.ts'

export function enabledFeatures(
  { config, venues }: Pick<GatewayRoleOptions, 'config' | 'venues'>,
  channels: StreamChannels,
  pendingTrades: string | null,
): EnabledFeatures {
  const isPriced = venues.some(({ manifest, context }) => showsOptionPrices(manifest.data, context))
  return {
    families: {
      history: config.history.enabled,
      webhooks: config.webhooks.routes,
      conditional: config.conditional.enabled,
      traders: config.traders.enabled,
      feeds: config.feeds.enabled,
      openOrders: config.openOrders,
      venueMetrics: config.venueMetrics,
      bridge: config.bridge.enabled,
      sports: config.sports.enabled,
    },
    channels: streamChannels.filter((channel) => channels[channel] !== undefined && (channel !== 'price' || isPriced)),
    pendingTrades,
    webhookEvents: deliverableEvents(config),
  }
}
