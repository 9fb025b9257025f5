// Apart from the schemas: the dashboard uses it, and loads no validator.

/** Shares that are open: not those of a resolved market, which are worth their payout. */
export const isOpenPosition = ({ quantity, settlement }: { quantity: string; settlement: object | null }): boolean =>
  settlement === null && quantity !== '0'
