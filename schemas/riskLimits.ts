// Risk limits: what orders may not exceed before they leave, and for whom.
import { z } from 'zod'

export const riskLimitKinds = [
  'notional',
  'openNotional',
  'openOrders',
  'position',
  'orderRate',
  'priceCollar',
  'dailyLoss',
  'exposure',
] as const
export const RiskLimitKind = z.enum(riskLimitKinds).meta({ id: 'RiskLimitKind' })
export type RiskLimitKind = z.infer<typeof RiskLimitKind>

/** What a value of each kind counts. */
export const riskLimitUnits = {
  notional: 'USD',
  openNotional: 'USD',
  openOrders: 'orders',
  position: 'contracts',
  orderRate: 'orders per minute',
  priceCollar: 'probability',
  dailyLoss: 'USD',
  exposure: 'USD',
} as const satisfies Record<RiskLimitKind, string>

export const OnBreach = z.enum(['refuse', 'halt'])
export type OnBreach = z.infer<typeof OnBreach>

export const RiskLimitValue = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be a plain decimal number, 0 and up, with at most six decimals')

export const RiskLimit = z
  .object({
    accountId: z.uuid(),
    /** Null: all keys of the account together. */
    keyId: z.uuid().nullable(),
    /** Null: all venues together. */
    venue: z.string().nullable(),
    kind: RiskLimitKind,
    /** Decimal string in `unit`. */
    value: z.string(),
    unit: z.string(),
    /** `halt`: a breach also halts the account, at `venue` or everywhere. */
    onBreach: OnBreach,
    setAt: z.iso.datetime(),
  })
  .meta({ id: 'RiskLimit' })
export type RiskLimit = z.infer<typeof RiskLimit>

/** As operators see it. */
export const StoredRiskLimit = RiskLimit.extend({
  account: z.string().describe('Name of the account'),
  setBy: z.string().describe('The key, or the name of the operator'),
}).meta({ id: 'StoredRiskLimit' })
export type StoredRiskLimit = z.infer<typeof StoredRiskLimit>

/** As the account sees it. */
export const RiskLimitUse = RiskLimit.extend({
  used: z
    .string()
    .nullable()
    .describe('In the unit of the limit, now; null: unknown, or it is different for each order'),
}).meta({ id: 'RiskLimitUse' })
export type RiskLimitUse = z.infer<typeof RiskLimitUse>
