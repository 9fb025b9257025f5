// Webhooks: which endpoints are notified of what, and how they verify the sender.
import { createWebhook } from './routes/createWebhook.ts'
import { deleteWebhook } from './routes/deleteWebhook.ts'
import { listWebhookDeliveries } from './routes/listWebhookDeliveries.ts'
import { listWebhooks } from './routes/listWebhooks.ts'
import { resendWebhookDelivery } from './routes/resendWebhookDelivery.ts'
import { rotateWebhookSecret } from './routes/rotateWebhookSecret.ts'
import { testWebhook } from './routes/testWebhook.ts'
import { updateWebhook } from './routes/updateWebhook.ts'

export { type AttemptDeps, type AttemptResult, attempt } from './deliver.ts'
export type { WebhooksDeps, WebhooksRouteDeps } from './ports.ts'
export { endpointsMax } from './register.ts'
export { oldSecretsMax, secretOverlapMs } from './rotate.ts'
export { attemptsMax, attemptTimeoutMs, nextAttemptAt, retryAfterMs } from './schedule.ts'
export { boxKeyBytes, createSecretBox, type SecretBox } from './secretBox.ts'
export { newSecret, sign, signStandard } from './signature.ts'
export { createGuard, type Guard } from './ssrfGuard.ts'
export { testRequestsMax, testRequestWindowMs } from './testRateLimit.ts'

export const webhookRoutes = [
  createWebhook,
  listWebhooks,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  resendWebhookDelivery,
] as const
