// Our error codes are exactly those of the specification.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { routes } from '#roles/routes'
import { errorCodes, streamOnlyCodes } from '#schemas/errors'
import { commonErrors } from '#server/http/defineRoute'

const spec = fileURLToPath(new URL('../../../../shared/spec.md', import.meta.url))

describe('the error catalogue', () => {
  it.skipIf(!existsSync(spec))(
    'equals the list in the specification (skipped where the specification is not next to the project)',
    () => {
      const text = readFileSync(spec, 'utf8')
      const listed = /Allowed `error\.code` values: (.*)\. The stream adds (.*)\./.exec(text)
      const codesIn = (part: string) => [...part.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1]!)
      expect(Object.keys(errorCodes).toSorted()).toEqual(codesIn(listed![1]!).toSorted())
      expect([...streamOnlyCodes].toSorted()).toEqual(codesIn(listed![2]!).toSorted())
    },
  )

  it('gives every code a valid failure status, and marks as retryable the codes that a later call may avoid', () => {
    for (const [code, [status, retryable]] of Object.entries(errorCodes)) {
      expect(status, code).toBeGreaterThanOrEqual(400)
      if (status === 503) expect(retryable, code).toBe(true)
      if (status === 400 || status === 404) expect(retryable, code).toBe(false)
    }
  })

  it('contains every code that a route lists, and no other', () => {
    for (const route of routes)
      for (const code of [...commonErrors(route), ...route.errors]) expect(errorCodes).toHaveProperty(code)
  })
})
