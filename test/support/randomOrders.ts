/** How many random orders are checked with the oracle of each adapter. */
export const randomOrders = process.env.CROSSBOOK_TEST_LONG === '1' ? 1_000 : 100
