// Webhooks of this deployment: the guard with the operator's exceptions, the key of the signing secrets, and the delivered events.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import { createPinnedSender } from '#net/ipPinnedSender'
import { createResolve } from '#net/resolve'
import {
  type AttemptDeps,
  boxKeyBytes,
  createGuard,
  createSecretBox,
  type Guard,
  type SecretBox,
} from '#platform/webhooks/index'
import { isOrderEvent, jobEvents, type WebhookEvent, webhookEvents } from '#schemas/webhooks'

export const openGuard = (config: Config): Guard =>
  createGuard({ resolve: createResolve(), allowed: new Set(config.webhooks.allow) })

/** Every process of the deployment needs the same key; without a configured one it is a file in this data directory. */
export function openSecretBox({ webhooks, dataDir }: Config): SecretBox {
  return createSecretBox(Buffer.from(webhooks.secretKey ?? webhookKeyIn(dataDir), 'base64'))
}

/** Made if it is not there. */
export function webhookKeyIn(dataDir: string): string {
  const file = join(dataDir, 'webhook.key')
  mkdirSync(dataDir, { recursive: true })
  try {
    writeFileSync(file, `${randomBytes(boxKeyBytes).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    // Created at an earlier start.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

export const openAttempts = (config: Config, clock: Clock): AttemptDeps | null =>
  config.webhooks.routes || config.webhooks.executions
    ? { guard: openGuard(config), sender: createPinnedSender(), box: openSecretBox(config), clock }
    : null

/** Each flag enables its own events. */
export const deliverableEvents = ({ webhooks }: Config): WebhookEvent[] => [
  ...(webhooks.routes ? Object.values(jobEvents) : []),
  ...(webhooks.executions ? webhookEvents.filter(isOrderEvent) : []),
]
