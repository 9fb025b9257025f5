/** How many random orders each lane's oracle is asked about. */
export const randomOrders = process.env.CROSSBOOK_TEST_LONG === '1' ? 1_000 : 100
