// The clients of a paper account: every request is refused before it leaves.
import { Fault } from '#core/fault'
import type { HttpClient, HttpSender } from '#net/http'

const refusal = (): Fault => new Fault('NOT_SUPPORTED', 'a paper account sends nothing to a venue')

export const refusingClient: HttpClient = {
  request: () => Promise.reject(refusal()),
}

export const refusingSender: HttpSender = {
  send: async () => ({ kind: 'not_sent', cause: refusal() }),
}
