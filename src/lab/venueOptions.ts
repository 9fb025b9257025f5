// Owns what every lab venue is started with.
import { z } from 'zod'
import type { Clock } from '#lib/clock'
import type { RecordedMarket } from './tapes.ts'

/** Whose account is opened at a venue that knows its customers by their wallets. */
export const WalletOf = z.object({ wallet: z.string().regex(/^0x[0-9a-fA-F]{40}$/) })

export interface LabVenueOptions {
  clock: Clock
  seed: string
  /** Synthetic messages per second and market. */
  ratePerSecond: number
  /** At least so many markets; 120 unless told. */
  markets?: number
  /** Questions that bear on each other beside the others, where the venue has some. */
  related?: boolean
  /** Flow is generated in batches this often, ms; 10 unless told. */
  tickMs?: number
  /** So many markets move from the start; 500 unless told. */
  movingMarkets?: number
  port: number
  /** A client with more than this unread is cut; 64 MiB unless told. */
  sendQueueMaxBytes?: number
  /** Markets whose book comes from a recording. */
  recorded: readonly RecordedMarket[]
}
