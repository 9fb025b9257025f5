// What an account can redeem.
import { listRedeemable } from './listRedeemable.ts'

export const redeemableRoutes = [listRedeemable] as const
