// Outbound HTTP. JSON in, JSON out, with a deadline, a size cap, a per-host rate limit and retries for reads.

type Headers = Readonly<Record<string, string>>
export type MadeHeaders = Headers | (() => Headers | Promise<Headers>)

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'DELETE'
  url: string
  /** Arrays repeat the parameter; undefined omits it. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  body?: unknown
  /** Created when the rate limit admits the request: a signature is as old as its sending. */
  headers?: MadeHeaders
  /** Further headers, created at each sending, after any wait: for signatures that contain the time. */
  sign?(): Readonly<Record<string, string>>
  timeoutMs?: number
  signal?: AbortSignal
  /** Cost against the venue's allowance, in its own units; 1 by default. */
  weight?: number
  /** How long to wait out a rest that the venue requested with a 429; refused at once by default. */
  patienceMs?: number
  /** Refused at once if its turn would come later than that; by default it waits. */
  lineMs?: number
  /** The actual cost according to the answer, if `weight` is its maximum: the rest is refunded. */
  costOf?(answer: HttpResponse): number
  /**
   * For answers too long to be buffered: a 2xx is passed on piece by piece as it comes, and `body` is undefined. An error it throws is the venue's
   * failure.
   */
  take?(piece: Buffer): void
  /** Called with the whole body as it came, before anything is decided from it, also of an answer that fails; not for one that `take` received. */
  received?(body: Buffer, answer: Pick<HttpResponse, 'status' | 'headers'>): void
}

export interface HttpResponse {
  status: number
  headers: Readonly<Record<string, string>>
  /** Parsed JSON; undefined when the body is empty. */
  body: unknown
}

export interface HttpClient {
  /**
   * Resolves for 2xx and for every 4xx except 429, which the caller interprets. Throws Fault `NETWORK_ERROR` (retryable, `exchange` set)
   * for refused connections, timeouts, 5xx, bodies that are not JSON or too large, and for 429, which rests the host: `retryAfterSeconds`
   * says how long. While it rests no reads are sent; after one for a caller, no callers' reads.
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
  /**
   * Created when the request's turn has come: a signature is as old as its sending. An error while creating them is the cause of
   * `not_sent`.
   */
  headers: MadeHeaders
  /** Counts from the sending. */
  timeoutMs: number
  /** Checked last, after the headers are created. False: it has waited too long and is not sent. */
  mayLeave?: () => boolean
  signal: AbortSignal
  /** The requesting account: accounts take turns when requests queue for a venue. */
  account?: string
}

export type SendOutcome =
  | { kind: 'answered'; status: number; headers: Readonly<Record<string, string>>; text: string }
  /** It never left, or no connection was made: nothing can have arrived. */
  | { kind: 'not_sent'; cause: unknown }
  /** It may have arrived. Silence is not refusal. */
  | { kind: 'unknown'; cause: unknown }

export interface HttpSender {
  /** Never throws, never retries, follows no redirect. */
  send(request: SendRequest): Promise<SendOutcome>
}
