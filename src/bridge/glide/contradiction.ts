import { Fault } from '#lib/fault'

/** `detail` is ours: none of the provider's words are in it. Asking again makes it no truer. */
export const contradiction = (detail: string): Fault =>
  new Fault('BRIDGE_UPSTREAM', 'the bridge’s provider answered something other than what was asked for', {
    detail,
    retryable: false,
  })
