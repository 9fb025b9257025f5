// Property tests draw the same cases in every short run, so that it says the same of the same commit; long runs draw new ones.
import fc from 'fast-check'

if (process.env.CROSSBOOK_TEST_LONG !== '1') fc.configureGlobal({ seed: 1 })
