// The client: every operation by its name, lists as async sequences, history as rows, and the stream.
import { type Clock, systemClock } from './clock.ts'
import { CrossbookError } from './errors.ts'
import {
  type ArbitrageHistoryQuery,
  type ArbitrageHistoryRow,
  type ReplayKind,
  type ReplayQuery,
  type ReplayRow,
  replay,
  replayArbitrage,
} from './history.ts'
import { callLocally, type LocalService } from './local.ts'
import {
  type Answer,
  type AnyParams,
  type Args,
  type OperationName,
  operationNames,
  type Params,
} from './operations.ts'
import { type Item, iterate, type PagedName } from './pages.ts'
import { type RetryOptions, retryDefaults } from './retry.ts'
import type { SocketConstructor } from './stream/connection.ts'
import { openStream, type Stream, type StreamOptions } from './stream/stream.ts'
import { type AnswerInfo, type CallOptions, type Opened, Transport } from './transport.ts'

export interface ClientOptions {
  /** Address of the service, such as `https://api.example.com`. */
  baseUrl: string
  /** Without a key only public operations can be called. */
  apiKey?: string
  /** Per attempt; 30 s by default. */
  timeoutMs?: number
  retry?: Partial<RetryOptions>
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch
  /** Replaces the global `WebSocket` for every stream. Required in Node 20, which has none: pass that of `ws`. */
  WebSocket?: SocketConstructor
  /** Called for every response: request id, credits, whether it repeats an earlier one. */
  onAnswer?: (info: AnswerInfo) => void
}

/** Every operation by its name. Returns the service's complete envelopes. */
export type Api = {
  readonly [Name in OperationName]: (...args: Args<Name, CallOptions>) => Promise<Answer<Name>>
}

export interface Client {
  readonly api: Api
  /** The rows of every page of a list. */
  paginate<Name extends PagedName>(
    name: Name,
    ...args: Args<Name, CallOptions>
  ): AsyncGenerator<Item<Name>, void, undefined>
  /** A response whose body is read piece by piece. Call `end` when done. */
  open<Name extends OperationName>(name: Name, ...args: Args<Name, CallOptions>): Promise<Opened>
  /** Rows of the tape, page after page; at most one page is in memory, usually less. */
  replay<Kind extends ReplayKind>(
    query: ReplayQuery<Kind>,
    options?: CallOptions,
  ): AsyncGenerator<ReplayRow<Kind>, void, undefined>
  replayArbitrage(
    query: ArbitrageHistoryQuery,
    options?: CallOptions,
  ): AsyncGenerator<ArbitrageHistoryRow, void, undefined>
  /** One socket. It opens with the first subscription. */
  stream(options?: StreamOptions): Stream
}

const timeoutMsDefault = 30_000

export const createClient = (options: ClientOptions): Client =>
  clientWith(options, { clock: systemClock, random: Math.random })

/** With a replaceable clock and random source, for tests and backtests. `local` answers calls without a network. */
export function clientWith(
  options: ClientOptions,
  { clock, random, local }: { clock: Clock; random: () => number; local?: LocalService },
): Client {
  const { apiKey, timeoutMs = timeoutMsDefault, retry, onAnswer } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const transport = new Transport({
    baseUrl,
    apiKey,
    timeoutMs,
    retry: { ...retryDefaults, ...retry },
    // A browser's fetch fails when it is called as a method of anything but the window.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    clock,
    random,
    onAnswer,
  })
  const settings = local && { service: local, clock, random, retry: transport.settings.retry }
  const call = (name: OperationName, params: AnyParams = {}, callOptions: CallOptions = {}): Promise<unknown> =>
    settings === undefined
      ? transport.fetch(name, params, callOptions, read)
      : callLocally(settings, name, params, callOptions)
  const api = Object.fromEntries(
    operationNames.map((name) => [name, (params?: AnyParams, given?: CallOptions) => call(name, params, given)]),
  )
  return {
    api: api as unknown as Api,
    paginate: (name, ...[params = {}, given]) =>
      iterate((page) => call(name, page, given) as Promise<Answer<typeof name>>, name, params as Params<typeof name>),
    open: (name, ...[params = {}, given = {}]) => transport.open(name, params as AnyParams, given),
    replay: (query, given = {}) => replay(transport, query, given),
    replayArbitrage: (query, given = {}) => replayArbitrage(transport, query, given),
    stream(streamOptions) {
      if (apiKey === undefined) throw new CrossbookError('the stream needs an API key')
      const WebSocket = options.WebSocket === undefined ? {} : { WebSocket: options.WebSocket }
      return openStream(baseUrl, apiKey, streamOptions, { clock, random, ...WebSocket })
    },
  }
}

function read(bytes: Uint8Array, { headers }: Response): unknown {
  const type = headers.get('content-type') ?? ''
  if (type.includes('application/json')) return JSON.parse(new TextDecoder().decode(bytes))
  return type.startsWith('text/') ? new TextDecoder().decode(bytes) : bytes
}
