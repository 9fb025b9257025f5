// Access of the tools to the running gateway: over HTTP, with a caller's key, like any other client.
export interface GatewayAt {
  url: string
  apiKey: string
}

export interface GatewayRequest {
  method?: 'GET' | 'POST'
  path: string
  /** Undefined values are omitted. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export interface ToolResult {
  data: unknown
  asOf?: string | null
  meta?: Readonly<Record<string, unknown>>
}

const answerWithinMs = 20_000

/** Throws a message with the code of the gateway's refusal, or why there is no answer. */
export async function requestGateway(
  { url, apiKey }: GatewayAt,
  request: GatewayRequest,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { method = 'GET', path, query = {}, body, headers } = request
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )
  const response = await callGateway(`${url}${path}${parameters.size === 0 ? '' : `?${parameters}`}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  })
  const answer = (await response.json().catch(() => ({}))) as Partial<ToolResult> & {
    error?: { code: string; message: string }
  }
  if (answer.error !== undefined) throw new Error(`${answer.error.code}: ${answer.error.message}`)
  if (answer.data === undefined) throw new Error(`${url} answers ${response.status}, and not as a gateway does`)
  return answer as ToolResult
}

/** Throws an Error that names the address and the cause. */
export async function callGateway(address: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
  const late = AbortSignal.timeout(answerWithinMs)
  try {
    return await fetch(address, { ...init, signal: AbortSignal.any([init.signal, late]) })
  } catch (error) {
    if (init.signal.aborted) throw error
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
    const why = late.aborted
      ? `no answer within ${answerWithinMs / 1_000} s`
      : (cause?.code ?? cause?.message ?? message)
    throw new Error(`cannot reach the gateway at ${new URL(address).origin}: ${why}`)
  }
}
