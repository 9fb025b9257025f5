// A core as the numbers in it.
import type { Level } from '#schemas/marketData'

export const decodeCore = (core: Buffer): { bids: Level[]; asks: Level[]; timestamp: number } =>
  JSON.parse(`${core.toString('latin1')}}`)
