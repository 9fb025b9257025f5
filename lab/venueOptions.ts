// Start options of every lab venue.
import { z } from 'zod'
import type { Clock } from '#core/clock'
import type { RecordedMarket } from './recordedTapes.ts'

/** The account to open at a venue that identifies customers by wallet. */
export const WalletOf = z.object({ wallet: z.string().regex(/^0x[0-9a-fA-F]{40}$/) })

export interface LabVenueOptions {
  clock: Clock
  seed: string
  /** Synthetic messages per second and market. */
  ratePerSecond: number
  /** Minimum number of markets; 120 by default. */
  markets?: number
  /** Adds logically related questions, if the venue has some. */
  related?: boolean
  /** Flow is generated in batches this often, ms; 10 by default. */
  tickMs?: number
  /** This many markets move from the start; 500 by default. */
  movingMarkets?: number
  /** Ids of orders and fills follow from the numbers after this one; 0 by default. */
  idsAfter?: number
  port: number
  /** A client with more unread bytes is disconnected; 64 MiB by default. */
  sendQueueMaxBytes?: number
  /** Markets whose book comes from a recording. */
  recorded: readonly RecordedMarket[]
}
