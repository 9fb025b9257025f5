// Requests from commands to a gateway, and the message when it cannot be reached.
import { callGateway, type GatewayAt, requestGateway } from '#server/mcp/gateway'

const never = new AbortController().signal

interface Request extends GatewayAt {
  path: string
  /** Makes it a POST. */
  body?: object
}

/** `data` and `meta` are as the gateway's document has them. */
export async function askGateway<T, Meta = unknown>({
  path,
  body,
  ...gateway
}: Request): Promise<{ data: T; asOf: string | null; meta: Meta }> {
  const answer = await requestGateway(gateway, { method: body === undefined ? 'GET' : 'POST', path, body }, never)
  return { data: answer.data as T, asOf: answer.asOf ?? null, meta: answer.meta as Meta }
}

/** Why no stream could be opened: the socket itself does not say. */
export async function streamDiagnosis(url: string): Promise<Error> {
  try {
    const { status } = await callGateway(url, { signal: never })
    return new Error(`${url} answers ${status}, but opens no stream`)
  } catch (error) {
    return error as Error
  }
}
