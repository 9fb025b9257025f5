// The public exports of @crossbook/client.
export { type Api, type Client, type ClientOptions, createClient } from './client.ts'
export type { Backoff } from './clock.ts'
export { ApiError, ConnectionError, CrossbookError, type ErrorCode, StreamError } from './errors.ts'
export type { components, operations, paths } from './generated/api.ts'
export type {
  ArbitrageHistoryQuery,
  ArbitrageHistoryRow,
  CandleRow,
  L2Row,
  ReplayKind,
  ReplayQuery,
  ReplayRow,
  TobRow,
  TradeRow,
} from './history.ts'
export type { Answer, OperationName, Params } from './operations.ts'
export type { Item, PagedName } from './pages.ts'
export type { RetryOptions } from './retry.ts'
export {
  type ExecutedGroup,
  type ExecuteOptions,
  executeGroup,
  type FollowOptions,
  followGroup,
  planClosing,
  type RefusedLeg,
  type RouterGroup,
  type RouterLeg,
  submitLegs,
} from './router.ts'
export { type Ed25519Signer, ed25519Signer } from './signing/ed25519.ts'
export {
  type ArtifactKind,
  artifactKind,
  type BytesSigner,
  type Signed,
  type Signer,
  type SignOptions,
  sign,
  type TypedData,
  type UnsignedTransaction,
} from './signing/sign.ts'
export type { Strategy, StrategyClock, StrategyContext } from './strategy.ts'
export type {
  BookEvent,
  BookGapEvent,
  BookOptions,
  BookSubscription,
  MarketStaleEvent,
  VenueBooksSubscription,
} from './stream/books.ts'
export type { Socket, SocketConstructor } from './stream/connection.ts'
export type * from './stream/frames.ts'
export type { OrdersEvent, OrdersSubscription } from './stream/orders.ts'
export type {
  FeedTickerSubscription,
  PriceSubscription,
  TradesOptions,
  TradesSubscription,
} from './stream/passThroughChannels.ts'
export {
  type PortfolioEvent,
  type PortfolioPosition,
  type PortfolioSubscription,
  type PortfolioTotals,
  positionKey,
  totalsKey,
} from './stream/portfolio.ts'
export type { Dropped } from './stream/queue.ts'
export type { ReplayOptions, ReplaySubscription } from './stream/replay.ts'
export type { Stream, StreamEvent, StreamOptions } from './stream/stream.ts'
export type { CommonEvent } from './stream/subscription.ts'
export type {
  ArbitrageOptions,
  ArbitrageSubscription,
  RowsEvent,
  StructuresOptions,
  StructuresSubscription,
  SurfaceGapEvent,
} from './stream/surface.ts'
export type { AnswerInfo, CallOptions, Opened } from './transport.ts'
export {
  type Delivery,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.ts'
