// A limit as returned.
import { type RiskLimit, riskLimitUnits } from '#schemas/riskLimits'
import type { RiskLimitRow } from '#storage/postgres/risk/limits'

export const limitOf = ({ account_id, key_id, venue, kind, value, on_breach, set_at }: RiskLimitRow): RiskLimit => ({
  accountId: account_id,
  keyId: key_id,
  venue,
  kind,
  value,
  unit: riskLimitUnits[kind],
  onBreach: on_breach,
  setAt: set_at.toISOString(),
})
