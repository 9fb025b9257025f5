// Every route that takes a venue refuses an empty name: it means neither no venue nor all of them.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '#roles/routes'

const naming = routes.flatMap(({ operationId, params, query }) =>
  [params, query].flatMap((schema) => {
    if (schema === null) return []
    const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
    return ['venue', 'toVenue'].filter((name) => name in properties).map((name) => ({ operationId, name, schema }))
  }),
)

describe('an empty venue name', () => {
  it('can be sent to some routes', () => expect(naming.length).toBeGreaterThan(10))

  it.each(naming)('is refused by $operationId', ({ name, schema }) => {
    const issues = schema.safeParse({ [name]: '' }).error?.issues ?? []
    expect(issues.filter(({ path }) => path[0] === name)).not.toEqual([])
  })
})
