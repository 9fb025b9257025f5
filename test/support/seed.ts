// What random tests draw: in short runs the same each time, so that they say the same of the same commit; in long runs something new.
// `CROSSBOOK_TEST_SEED` draws again what a failure named.
import fc from 'fast-check'

const { CROSSBOOK_TEST_SEED: asked, CROSSBOOK_TEST_LONG: long } = process.env

export const seed = asked !== undefined ? Number(asked) : long === '1' ? Date.now() % 1e9 : 1

fc.configureGlobal({ seed })
