// What commands ask a gateway, and the words for one that cannot be reached.
import { ask, type GatewayAt, reach } from '#mcp/gateway'

const never = new AbortController().signal

interface Request extends GatewayAt {
  path: string
  /** Makes it a POST. */
  body?: object
}

/** `data` is as the gateway's document has it. */
export async function askGateway<T>({ path, body, ...gateway }: Request): Promise<{ data: T; asOf: string | null }> {
  const { data, asOf = null } = await ask(gateway, { method: body === undefined ? 'GET' : 'POST', path, body }, never)
  return { data: data as T, asOf }
}

/** Why no stream could be opened: the socket itself does not say. */
export async function whyNoStream(url: string): Promise<Error> {
  try {
    const { status } = await reach(url, { signal: never })
    return new Error(`${url} answers ${status}, but opens no stream`)
  } catch (error) {
    return error as Error
  }
}
