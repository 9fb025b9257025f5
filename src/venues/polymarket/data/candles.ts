// Which of the venue's price samples a candle is read from, and how far back they reach.
import type { OutcomeRef } from '../../venue.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
export const candleResolutionsMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 6 * hourMs, dayMs] as const

/** The venue refuses spans of more than 15 days. */
export const spanMaxMs = 14 * dayMs
/** Windows read of one range: about four months. */
export const windowsMax = 8
/** Samples wanted per candle, as far as the venue has them. */
const samplesPerCandle = 12
/** Widths the venue keeps, seconds, and how far back each surely reaches. */
const grains = [
  { seconds: 60, reachMs: 7 * dayMs },
  { seconds: 300, reachMs: 60 * dayMs },
  { seconds: 1_800, reachMs: 90 * dayMs },
  { seconds: 10_800, reachMs: Number.POSITIVE_INFINITY },
] as const
/** Kept for the whole life of a market. */
export const wholeLife = grains[3]
/** How far the catalog's times of opening and closing may be off. */
const slackMs = dayMs

/** The widest that still gives the samples wanted; further back only wider ones are left. */
export function grainOf(resolutionMs: number, ageMs: number): number {
  const wanted = grains.findLast(({ seconds }) => seconds * 1000 * samplesPerCandle <= resolutionMs) ?? grains[0]
  return (grains.find(({ seconds, reachMs }) => seconds >= wanted.seconds && ageMs < reachMs) ?? wholeLife).seconds
}

/** From the catalog: nothing was traded before or after. */
export function livesOf({ metadata }: OutcomeRef): { earliestMs: number | null; latestMs: number | null } {
  const at = (name: string): number | null => {
    const time = typeof metadata[name] === 'string' ? Date.parse(metadata[name]) : Number.NaN
    return Number.isNaN(time) ? null : time
  }
  const [start, end] = [at('startDate'), at('closedTime')]
  return { earliestMs: start === null ? null : start - slackMs, latestMs: end === null ? null : end + slackMs }
}
