// The message for an invalid input: where, and what would be valid.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { formatIssues } from '#core/formatZodIssues'

const Depth = z.union([z.literal(1), z.literal(5), z.literal('all')])
const Input = z.strictObject({
  depth: Depth.optional(),
  speed: z.union([z.number().min(1).max(10), z.literal('max')]).optional(),
  since: z.union([z.string(), z.number()]).optional(),
  limit: z.union([z.number().max(9), z.enum(['yes', 'no'])]).optional(),
  target: z.union([Depth, z.strictObject({ of: z.string() })]).optional(),
})

describe('messages for invalid input', () => {
  it.each([
    [{ depth: 3 }, 'depth: must be 1, 5 or "all"'],
    [{ speed: 'fast' }, 'speed: must be a number or "max"'],
    [{ speed: 11 }, 'speed: must be at most 10'],
    [{ since: null }, 'since: must be a string or a number'],
    [{ limit: 'maybe' }, 'limit: must be a number, "yes" or "no"'],
    [{ target: true }, 'target: must be 1, 5, "all" or an object'],
    [{ target: { of: 7 } }, 'target.of: must be a string'],
  ])('%j', (input, words) => {
    expect(formatIssues(Input.safeParse(input).error!.issues)).toBe(words)
  })

  const Plain = z.strictObject({
    name: z.string().min(2).max(3),
    count: z.int().min(1),
    step: z.number().multipleOf(0.5).gt(0),
    on: z.boolean(),
    kind: z.enum(['a', 'b']),
    at: z.iso.datetime(),
    list: z.array(z.string()).min(1).max(2),
    code: z.string().regex(/^[a-z]$/),
    url: z.url(),
    more: z.record(z.string(), z.number()),
    either: z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]),
  })
  const fits = {
    ...{ name: 'ab', count: 1, step: 0.5, on: true, kind: 'a', at: '2026-11-22T12:00:00Z', list: ['x'], code: 'x' },
    ...{ url: 'https://a.example', more: {}, either: { a: '' } },
  }
  it.each([
    [{ name: undefined }, 'name: is required'],
    [{ name: 7 }, 'name: must be a string'],
    [{ name: 'a' }, 'name: must have at least 2 characters'],
    [{ name: 'abcd' }, 'name: must have at most 3 characters'],
    [{ count: 1.5 }, 'count: must be a whole number'],
    [{ count: 0 }, 'count: must be at least 1'],
    [{ step: 0.3 }, 'step: must be a multiple of 0.5'],
    [{ step: 0 }, 'step: must be above 0'],
    [{ on: 'yes' }, 'on: must be true or false'],
    [{ kind: 'c' }, 'kind: must be "a" or "b"'],
    [{ kind: undefined }, 'kind: is required: "a" or "b"'],
    [{ at: 'now' }, 'at: must be an ISO time such as 2026-11-22T12:00:00Z'],
    [{ list: [] }, 'list: must not be empty'],
    [{ list: ['1', '2', '3'] }, 'list: must have at most 2 entries'],
    [{ code: 'XX' }, 'code: must match /^[a-z]$/'],
    [{ url: 'nowhere' }, 'url: must be a URL'],
    [{ more: { x: 'y' } }, 'more.x: must be a number'],
    [{ other: 1 }, 'unknown field other'],
    [{ either: {} }, 'either.a: is required'],
  ])('%j is explained in our own words', (change, words) => {
    expect(formatIssues(Plain.safeParse({ ...fits, ...change }).error!.issues)).toBe(words)
  })
})
