// Kalshi's fees as data, and the arithmetic on them. Fee = rate × multiplier × contracts × price × (1 − price), then rounded up.
// Fee schedule PDF (effective 2026-02-05); https://docs.kalshi.com/getting_started/fee_rounding. No settlement fee on binary markets.
import { z } from 'zod'
import type { MarketFees } from '#schemas/fees'

/** Which rates apply. `series` decides; an event may override. */
export interface FeeSchedule {
  feeType: string
  multiplier: number
  /** Per contract × price × (1 − price), before the multiplier. */
  takerRate: number
  /** 0: makers pay nothing. Null: charged, but no verified rate is published. */
  makerRate: number | null
}

const takerRate = 0.07
const makerRates: Readonly<Record<string, number | null | undefined>> = {
  quadratic: 0,
  quadratic_with_maker_fees: 0.0175,
  // A single source mentions half the taker rate, which is not enough evidence.
  quadratic_with_combo_maker_fees: null,
}

export interface FeeFields {
  fee_type?: string | null
  fee_multiplier?: number | null
}
export interface FeeOverrides {
  fee_type_override?: string | null
  fee_multiplier_override?: number | null
}

/** Null without a verified model: unknown type (including `flat`), unknown multiplier. */
export function feeSchedule(series: FeeFields | null, event: FeeOverrides | null): FeeSchedule | null {
  const feeType = event?.fee_type_override ?? series?.fee_type
  const multiplier = event?.fee_multiplier_override ?? series?.fee_multiplier
  if (feeType === null || feeType === undefined || multiplier === null || multiplier === undefined) return null
  const makerRate = Object.hasOwn(makerRates, feeType) ? makerRates[feeType] : undefined
  if (makerRate === undefined || !(multiplier >= 0)) return null
  return { feeType, multiplier, takerRate, makerRate }
}

/** As the normalizer stored it in the catalog. */
const StoredFees = z.object({ takerRate: z.number().min(0), multiplier: z.number().min(0) })

/** The published schedule of a market from the catalog; unknown when the series names none. */
export function feeModel({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): MarketFees {
  const stored = StoredFees.safeParse(sourceMetadata.fees)
  // Only binary markets are known to settle free of charge.
  const marketType = sourceMetadata.marketType
  const binary = marketType === undefined || marketType === 'binary'
  return {
    fee: stored.success
      ? {
          kind: 'kalshi_quadratic',
          rate: stored.data.takerRate,
          multiplier: stored.data.multiplier,
          rounding: 'cent',
        }
      : { kind: 'unknown', reason: 'the series names no known fee schedule' },
    settlementFee: binary ? { kind: 'none' } : { kind: 'unknown', reason: `market type ${String(marketType)}` },
  }
}

/** `cent`: the published schedule, for estimates. `centicent`: the exchange's trade fee of one fill. */
export type FeeRounding = 'cent' | 'centicent'

export interface FeeQuestion {
  schedule: FeeSchedule
  role: 'taker' | 'maker'
  /** Whole or fractional, in hundredths at the finest. */
  contracts: number
  priceMicros: number
  rounding: FeeRounding
}

/** Dollars, exact before rounding up; null when the rate is not known. */
export function feeUsd({ schedule, role, contracts, priceMicros, rounding }: FeeQuestion): number | null {
  const rate = role === 'taker' ? schedule.takerRate : schedule.makerRate
  if (rate === null) return null
  // Scales: rate and multiplier in ten-thousandths, contracts in hundredths, prices in millionths.
  const numerator =
    BigInt(Math.round(rate * 1e4)) *
    BigInt(Math.round(schedule.multiplier * 1e4)) *
    BigInt(Math.round(contracts * 100)) *
    BigInt(priceMicros) *
    BigInt(1_000_000 - priceMicros)
  const stepsPerDollar = rounding === 'cent' ? 100n : 10_000n
  const denominator = 10n ** 22n / stepsPerDollar
  const steps = (numerator + denominator - 1n) / denominator
  return Number(steps) / Number(stepsPerDollar)
}
