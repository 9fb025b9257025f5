// Novig's fees. Its documentation says that consumers who trade with each other pay nothing, and that there is a schedule for others; the public rows
// name no rate. https://docs.novig.com
import type { MarketFees } from '#schemas/fees'

export const feeModel = (): MarketFees => ({
  fee: {
    kind: 'unknown',
    reason: 'the public rows name no fee, and who pays one depends on the account and on the event',
  },
  settlementFee: { kind: 'unknown', reason: 'the venue does not say what a settlement costs' },
})
