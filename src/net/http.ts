// The door out for HTTP. JSON in, JSON out, with a deadline, a size cap, a per-host rate limit and retries for reads.

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'DELETE'
  url: string
  /** Arrays repeat the parameter; undefined leaves it out. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
  timeoutMs?: number
  signal?: AbortSignal
}

export interface HttpResponse {
  status: number
  headers: Readonly<Record<string, string>>
  /** Parsed JSON; undefined when the body is empty. */
  body: unknown
}

export interface HttpClient {
  /**
   * Resolves for 2xx and for every 4xx except 429, which the caller interprets.
   * Throws Fault `NETWORK_ERROR` (retryable, `exchange` set) for refused connections, timeouts, 5xx, bodies that are no JSON or too large,
   * and for 429 after the venue's Retry-After was honoured as far as the deadline allows.
   */
  request(request: HttpRequest): Promise<HttpResponse>
}
