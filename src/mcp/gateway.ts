// Access of the tools to the running gateway: over HTTP, with a caller's key, like any other client.
export interface GatewayAt {
  url: string
  apiKey: string
}

export interface Asked {
  method?: 'GET' | 'POST'
  path: string
  /** Undefined values are omitted. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export interface Told {
  data: unknown
  asOf?: string | null
  meta?: Readonly<Record<string, unknown>>
}

const answerWithinMs = 20_000

/** Throws a message with the code of the gateway's refusal. */
export async function ask({ url, apiKey }: GatewayAt, asked: Asked, signal: AbortSignal): Promise<Told> {
  const { method = 'GET', path, query = {}, body, headers } = asked
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )
  const response = await fetch(`${url}${path}${parameters.size === 0 ? '' : `?${parameters}`}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
  })
  const answer = (await response.json()) as Told & { error?: { code: string; message: string } }
  if (answer.error !== undefined) throw new Error(`${answer.error.code}: ${answer.error.message}`)
  return answer
}
