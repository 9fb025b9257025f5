// The order fields described to a model are those that the adapters take.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { executionVenues } from '#schemas/venues'
import { orderFields, orderFieldsWords } from '#server/mcp/orderFields'
import type { ExecutionAdapter } from '#venues/lane'
import { lanes } from '#venues/registry'

interface Shape {
  properties: Record<string, unknown>
  required?: string[]
}

const laneOf = new Map<string, ExecutionAdapter>(Object.entries(lanes))

it.each(executionVenues)('the fields described for %s are those of its adapter', (venue) => {
  const shape = z.toJSONSchema(laneOf.get(venue)!.order.body, {
    io: 'input',
    unrepresentable: 'any',
  }) as unknown as Shape
  const fields = Object.keys(shape.properties).map((name) => (shape.required?.includes(name) ? name : `${name}?`))
  expect(orderFields[venue].split(' ').sort()).toEqual(fields.sort())
  expect(orderFieldsWords).toContain(`${venue}: `)
})
