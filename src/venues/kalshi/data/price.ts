// Valid prices on Kalshi's book.
import { ONE } from '#core/price'

/** A resting order has a price strictly between 0 and 1. */
export const isLevelPrice = (micros: number): boolean => micros > 0 && micros < ONE
