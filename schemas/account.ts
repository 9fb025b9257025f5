// What an account can read about itself: its rights, credits and caps, and the requests it made.
import { z } from 'zod'

/** Cheapest first. */
export const PlanName = z.enum(['free', 'builder', 'pro', 'enterprise']).meta({ id: 'PlanName' })

export const SpendCap = z
  .object({
    scope: z.enum(['account', 'key']),
    day: z.iso.date().describe('The UTC day of the reservations: today'),
    dailyUsd: z.string().describe('Decimal dollars'),
    reservedUsd: z.string().describe('Decimal dollars held by orders built today, except those that ended unfilled'),
  })
  .meta({ id: 'SpendCap' })
export type SpendCap = z.infer<typeof SpendCap>

export const Credits = z
  .object({
    unlimited: z.boolean().describe('Usage is counted and never refused; there is no balance'),
    balance: z.int().nullable().describe('What the account has, including what running gateways hold'),
    leased: z.int().nullable().describe('The part of the balance set aside by running gateways'),
    included: z
      .object({ month: z.string().describe('YYYY-MM, UTC'), credits: z.int() })
      .nullable()
      .describe('Included in the plan for the current month; null if the plan includes none'),
  })
  .meta({ id: 'Credits' })

export const Account = z
  .object({
    accountId: z.uuid(),
    name: z.string(),
    createdAt: z.iso.datetime(),
    keyId: z.uuid(),
    plan: PlanName,
    scopes: z.array(z.enum(['read', 'trade', 'review', 'admin'])),
    features: z.record(z.string(), z.boolean()),
    limits: z.object({
      requestsPerMinute: z.int(),
      creditsPerMonth: z.int().nullable().describe('null: not limited'),
      streamConnections: z.int(),
      subscriptionsPerConnection: z.int(),
      historyDays: z.int().nullable().describe('null: the whole history'),
    }),
    credits: Credits,
    spendCaps: z.array(SpendCap).describe('Caps of the account and of this key; empty: not capped'),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof Account>

export const AccountKey = z
  .object({
    keyId: z.uuid(),
    prefix: z.string().describe('The first characters of the key, to recognise it by'),
    plan: PlanName,
    scopes: z.array(z.enum(['read', 'trade', 'review', 'admin'])),
    live: z.boolean().describe('It works: not revoked as of now'),
    createdAt: z.iso.datetime(),
    lastUsedDay: z.iso.date().nullable().describe('UTC; null: never used'),
    revokedAt: z.iso.datetime().nullable().describe('May lie ahead: a rotated key that works until then'),
  })
  .meta({ id: 'AccountKey' })
export type AccountKey = z.infer<typeof AccountKey>

export const UsageLine = z
  .object({
    day: z.iso.date().describe('UTC'),
    operationId: z.string(),
    calls: z.int().describe('Answered calls; refused and failed ones are not counted'),
    credits: z.int(),
  })
  .meta({ id: 'UsageLine' })
export type UsageLine = z.infer<typeof UsageLine>

export const KeyUsage = z
  .object({
    keyId: z.uuid(),
    calls: z.int(),
    credits: z.int(),
  })
  .meta({ id: 'KeyUsage' })
export type KeyUsage = z.infer<typeof KeyUsage>

export const Usage = z
  .object({
    from: z.iso.date(),
    to: z.iso.date().describe('Inclusive'),
    total: z.object({ calls: z.int(), credits: z.int() }),
    lines: z.array(UsageLine).describe('By day, then by operation'),
    byKey: z.array(KeyUsage).describe('The same calls by key, most calls first; revoked keys too'),
  })
  .meta({ id: 'Usage' })
export type Usage = z.infer<typeof Usage>
