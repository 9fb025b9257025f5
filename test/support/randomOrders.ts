/** How many random orders are checked with the oracle of each adapter. */
export const randomOrders = process.env.CROSSBOOK_TEST_LONG === '1' ? 1_000 : 100

/** The same for cancellations and modifications, each of which takes two or more requests. */
export const randomChanges = process.env.CROSSBOOK_TEST_LONG === '1' ? 1_000 : 25
