import { expect, it } from 'vitest'
import { lacks } from './required.ts'

it('fails for a missing requirement only when it is required', () => {
  for (const required of ['', 'chromium', 'nginx,chromium'])
    expect(() => lacks('python', 'not installed', required)).not.toThrow()
  expect(() => lacks('python', 'not installed', 'chromium,python')).toThrow(
    'CROSSBOOK_TEST_REQUIRE names python: not installed',
  )
})
