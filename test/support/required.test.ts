import { expect, it } from 'vitest'
import { lacks } from './required.ts'

it('what a machine lacks fails where it is required, and nowhere else', () => {
  for (const required of ['', 'chromium', 'nginx,chromium'])
    expect(() => lacks('python', 'there is none', required)).not.toThrow()
  expect(() => lacks('python', 'there is none', 'chromium,python')).toThrow(
    'CROSSBOOK_TEST_REQUIRE names python: there is none',
  )
})
