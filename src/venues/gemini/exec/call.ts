// One authenticated call: the payload is made, signed and sent here, and nowhere else.
import type { SendOutcome } from '#net/http'
import type { LaneContext } from '../../lane.ts'
import { redactAnswer } from '../../shared/redact.ts'
import { authHeaders, type Credentials, nonceOf, type Payload, payloadText } from './auth.ts'

const timeoutMs = 10_000

/** Sent once. Reads go this way too: the HTTP client for reads would round the order ids of the answer. */
export async function call(
  { sender, clock, urls, signal }: LaneContext,
  credentials: Credentials,
  path: string,
  fields: Payload,
): Promise<SendOutcome> {
  const sent = await sender.send({
    method: 'POST',
    url: `${urls.REST}${path}`,
    text: null,
    headers: () => authHeaders(credentials, payloadText(path, nonceOf(clock.now()), fields)),
    timeoutMs,
    signal,
  })
  return redactAnswer(sent, Object.values(credentials))
}
