// Webhooks: what is delivered, and what seals their secrets.
import { family, flag, key32, words } from './envReaders.ts'

export const webhooks = family(
  {
    /** The webhook routes, and job events to the endpoints registered for them. */
    CROSSBOOK_WEBHOOKS: flag(false),
    /** Delivery of `execution.status.changed`. */
    CROSSBOOK_EXECUTION_WEBHOOKS: flag(false),
    /** 32 bytes in base64 that seal the signing secrets; defaults to a file in the data directory. */
    CROSSBOOK_WEBHOOK_SECRET_KEY: key32.optional(),
    /**
     * Receivers that may be private and without https. Any key that can register an endpoint can make this program call them.
     */
    CROSSBOOK_WEBHOOK_ALLOW: words(/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):\d{1,5}$/, 'must be host:port, host in lower case'),
  },
  (value) => ({
    routes: value.CROSSBOOK_WEBHOOKS,
    executions: value.CROSSBOOK_EXECUTION_WEBHOOKS,
    secretKey: value.CROSSBOOK_WEBHOOK_SECRET_KEY,
    allow: value.CROSSBOOK_WEBHOOK_ALLOW,
  }),
)
