// What costs most of a minute for every short run: one of these a day, in long runs all.
const { CROSSBOOK_TEST_LONG, CROSSBOOK_TEST_DAY } = process.env

const turns = ['sports', 'structures', 'option-prices', 'pending-fills', 'open-orders', 'compose services'] as const

/** Days since 1970; `CROSSBOOK_TEST_DAY` takes another day's turn. */
const today = Number(CROSSBOOK_TEST_DAY ?? Math.floor(Date.now() / 86_400_000))

export const isTurnOf = (name: (typeof turns)[number]): boolean =>
  CROSSBOOK_TEST_LONG === '1' || turns[today % turns.length] === name
