// Every built lane. A venue's folder exports it from exec/index.ts; the data half of the same folder stands in registry.ts.
import type { ExecutionVenue } from '#schemas/venues'
import { geminiLane } from './gemini/exec/index.ts'
import { hyperliquidLane } from './hyperliquid/exec/index.ts'
import { kalshiLane } from './kalshi/exec/index.ts'
import type { Lane } from './lane.ts'
import { polymarketLane } from './polymarket/exec/index.ts'
import { polymarketUsLane } from './polymarket_us/exec/index.ts'

export const lanes = {
  gemini: geminiLane,
  hyperliquid: hyperliquidLane,
  kalshi: kalshiLane,
  polymarket: polymarketLane,
  polymarket_us: polymarketUsLane,
} as const satisfies Partial<Record<ExecutionVenue, Lane>>

export type LaneVenue = keyof typeof lanes
