// Latency of a request, drawn from its name alone: the order of calls has no influence.
import { createHash } from 'node:crypto'
import type { FillModelSettings } from './types.ts'

/** Whole ms, log-normal. */
export function latencyMs(settings: FillModelSettings, name: string): number {
  if (settings.latencyMedianMs <= 0) return 0
  if (settings.latencySigma === 0) return Math.round(settings.latencyMedianMs)
  const words = createHash('sha256').update(`${settings.seed}\n${name}`).digest()
  // Box-Muller; the first number is above zero.
  const radius = Math.sqrt(-2 * Math.log((words.readUInt32LE(0) + 1) / 4_294_967_296))
  const normal = radius * Math.cos((2 * Math.PI * words.readUInt32LE(4)) / 4_294_967_296)
  return Math.round(settings.latencyMedianMs * Math.exp(settings.latencySigma * normal))
}
