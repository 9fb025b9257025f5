// Parses an encoded book core.
import type { Level } from '#schemas/marketData'

export const decodeCore = (core: Buffer): { bids: Level[]; asks: Level[]; timestamp: number } =>
  JSON.parse(`${core.toString('latin1')}}`)
