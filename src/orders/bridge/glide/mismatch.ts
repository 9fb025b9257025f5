import { Fault } from '#core/fault'

/** `detail` is our own text and contains none of the provider's. Retrying would not help. */
export const mismatch = (detail: string): Fault =>
  new Fault('BRIDGE_UPSTREAM', 'the bridge’s provider returned something other than what was requested', {
    detail,
    retryable: false,
  })
