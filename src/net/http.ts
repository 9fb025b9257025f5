// The door out for HTTP. JSON in, JSON out, with a deadline, a size cap, a per-host rate limit and retries for reads.

type Headers = Readonly<Record<string, string>>
export type MadeHeaders = Headers | (() => Headers | Promise<Headers>)

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'DELETE'
  url: string
  /** Arrays repeat the parameter; undefined leaves it out. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  body?: unknown
  /** Made when the rate limit lets the request go: a signature is as old as its sending. */
  headers?: MadeHeaders
  /** More headers, made anew at each sending, after any wait: for signatures that carry the time. */
  sign?(): Readonly<Record<string, string>>
  timeoutMs?: number
  signal?: AbortSignal
  /** Of the venue's allowance, in its own units; 1 where nothing is said. */
  weight?: number
  /** Waits so long for the end of a rest that the venue asked for with a 429; refused at once where nothing is said. */
  patienceMs?: number
  /** Refused at once where its turn would come later than that; it waits where nothing is said. */
  lineMs?: number
  /** What the answer shows that it cost, of a `weight` that is the most it can: the rest is given back. */
  costOf?(answer: HttpResponse): number
  /** For answers too long to be held: a 2xx is handed over piece by piece as it comes, and `body` is undefined. What it throws is the venue's failure. */
  take?(piece: Buffer): void
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
   * and for 429, which rests the host: `retryAfterSeconds` says how long. While it rests nobody's read is sent; behind one for a caller, no
   * caller's.
   */
  request(request: HttpRequest): Promise<HttpResponse>
}

/** Exactly these bytes, exactly once. */
export interface SendRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With its query. */
  url: string
  /** Body as signed; null sends none. */
  text: string | null
  /** Made when the request's turn has come: a signature is as old as its sending. What making them throws is the cause of `not_sent`. */
  headers: MadeHeaders
  /** Counts from the sending. */
  timeoutMs: number
  /** Asked last, behind the making of the headers. False: it has waited too long and is not sent. */
  mayLeave?: () => boolean
  signal: AbortSignal
  /** Whose request it is: those of different accounts take turns where requests wait for a venue. */
  account?: string
}

export type SendOutcome =
  | { kind: 'answered'; status: number; headers: Readonly<Record<string, string>>; text: string }
  /** It never left, or no connection was made: nothing can have arrived. */
  | { kind: 'not_sent'; cause: unknown }
  /** It may have arrived. Silence is not refusal. */
  | { kind: 'unknown'; cause: unknown }

export interface HttpSender {
  /** Never throws, never tries twice, follows no redirect. */
  send(request: SendRequest): Promise<SendOutcome>
}
