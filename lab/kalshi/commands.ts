// A kalshi client's socket commands as zod schemas, and error codes as the venue numbers them.
import { z } from 'zod'

export const channels = [
  'orderbook_delta',
  'ticker',
  'trade',
  'fill',
  'market_positions',
  'user_orders',
  'market_lifecycle_v2',
  'multivariate',
  'communications',
  'order_group_updates',
] as const
export type Channel = (typeof channels)[number]
export const isChannel = (name: string): name is Channel => (channels as readonly string[]).includes(name)

/** Channels whose frames carry `seq`: the counter belongs to the sid. `trade` has one in recordings of 2026. */
export const sequenced: ReadonlySet<Channel> = new Set(['orderbook_delta', 'trade', 'order_group_updates'])

export const Command = z.looseObject({
  id: z.int().optional(),
  cmd: z.string(),
  params: z
    .looseObject({
      channels: z.array(z.string()).optional(),
      market_ticker: z.string().optional(),
      market_tickers: z.array(z.string()).optional(),
      sid: z.int().optional(),
      sids: z.array(z.int()).optional(),
      action: z.string().optional(),
      use_yes_price: z.boolean().optional(),
      send_initial_snapshot: z.boolean().optional(),
    })
    .optional(),
})
export type Command = z.output<typeof Command>
export type Params = NonNullable<Command['params']>

export const errors = {
  unprocessable: [1, 'Unable to process message'],
  params: [2, 'Params required'],
  channels: [3, 'Channels required'],
  sids: [4, 'Subscription IDs required'],
  command: [5, 'Unknown command'],
  already: [6, 'Already subscribed'],
  sid: [7, 'Unknown subscription ID'],
  channel: [8, 'Unknown channel name'],
  parameter: [11, 'Invalid parameter'],
  oneSid: [12, 'Exactly one subscription ID is required'],
  unsupportedAction: [13, 'Unsupported action'],
  tickers: [14, 'Market ticker required'],
  action: [15, 'Action required'],
  market: [16, 'Market not found'],
} as const
export type ErrorName = keyof typeof errors
