// Webhook endpoints over HTTP.
import { randomUUID } from 'node:crypto'
import type { CursorCodec } from '#core/cursor'
import { boxKeyBytes, createSecretBox } from '#platform/webhooks/index'
import { createWebhookStore } from '#storage/postgres/webhooks/store'
import type { RouteDeps } from '../routes.ts'
import { openGuard, openSecretBox } from '../webhooks.ts'
import type { GatewayRoleOptions } from './options.ts'

export const openWebhooks = ({
  config,
  stores: { pool },
  cursors,
  clock,
}: Pick<GatewayRoleOptions, 'config' | 'stores' | 'clock'> & { cursors: CursorCodec }): RouteDeps['webhooks'] => ({
  store: createWebhookStore(pool),
  guard: openGuard(config),
  // Routes that are switched off need no key, and create none.
  box: config.webhooks.routes ? openSecretBox(config) : createSecretBox(Buffer.alloc(boxKeyBytes)),
  cursors,
  clock,
  newId: () => randomUUID(),
})
