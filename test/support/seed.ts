// The seed of random tests: the same in all short runs, so that a commit always gives the same result; random in long runs.
// `CROSSBOOK_TEST_SEED` repeats the seed of a failure.
import fc from 'fast-check'

const { CROSSBOOK_TEST_SEED: given, CROSSBOOK_TEST_LONG: long } = process.env

export const seed = given !== undefined ? Number(given) : long === '1' ? Date.now() % 1e9 : 1

fc.configureGlobal({ seed })
