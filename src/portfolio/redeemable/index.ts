// What an account can redeem.
import { listRedeemable } from './routes/listRedeemable.ts'

export const redeemableRoutes = [listRedeemable] as const
