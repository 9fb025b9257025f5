// A position of our journal, as far as it is compared.
export interface OurPosition {
  marketId: string
  outcomeId: string
  quantity: string
  /** Fees included; null: unknown. */
  averageCost: string | null
  /** Paid in this outcome; null: unknown. */
  fees: string | null
  /** The market has ended, or is not in our catalog: a venue need not list it any longer. */
  isEnded: boolean
  /** Epoch ms. */
  updatedAt: number
}
