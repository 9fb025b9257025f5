// All routes parse numbers in queries in the same way.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseLimit } from '#history/replayParams'
import { routes } from '#roles/routes'

const slips = ['', ' 5', '5 ', '0x10', '1e1', '+5', '05', '5\n', '1_0', 'five', ['5', '5']]
const isNumber = (type: unknown): boolean => type === 'number' || type === 'integer'

const counted = routes.flatMap(({ operationId, query }) => {
  if (query === null) return []
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).flatMap(([name, schema]) =>
    isNumber((schema as { type?: unknown }).type) ? [{ operationId, name, query }] : [],
  )
})

describe('a number in a query', () => {
  it('there are some', () => expect(counted.length).toBeGreaterThan(10))

  it.each(counted)('$operationId $name', ({ name, query }) => {
    const issueOf = (value: unknown) =>
      query.safeParse({ [name]: value }).error?.issues.find(({ path }) => path[0] === name)
    expect(issueOf('5')).toBeUndefined()
    expect(slips.filter((slip) => issueOf(slip) === undefined)).toEqual([])
  })

  it('of replay', () => {
    for (const slip of slips)
      if (typeof slip === 'string') expect(() => parseLimit(slip), slip).toThrow('limit must be')
  })
})
