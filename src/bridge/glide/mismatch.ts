import { Fault } from '#lib/fault'

/** `detail` is ours: it contains none of the provider's text. Retrying would not help. */
export const mismatch = (detail: string): Fault =>
  new Fault('BRIDGE_UPSTREAM', 'the bridge’s provider answered something other than what was asked for', {
    detail,
    retryable: false,
  })
