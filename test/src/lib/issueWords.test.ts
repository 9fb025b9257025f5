// What is said of an input that does not fit: where, and what would have fitted.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { issueWords } from '#lib/issueWords'

const Depth = z.union([z.literal(1), z.literal(5), z.literal('all')])
const Input = z.strictObject({
  depth: Depth.optional(),
  speed: z.union([z.number().min(1).max(10), z.literal('max')]).optional(),
  since: z.union([z.string(), z.number()]).optional(),
  limit: z.union([z.number().max(9), z.enum(['yes', 'no'])]).optional(),
  target: z.union([Depth, z.strictObject({ of: z.string() })]).optional(),
})

describe('what is said of an input that does not fit', () => {
  it.each([
    [{ depth: 3 }, 'depth: Invalid input: expected one of 1|5|"all"'],
    [{ speed: 'fast' }, 'speed: Invalid input: expected one of number|"max"'],
    [{ speed: 11 }, 'speed: Too big: expected number to be <=10'],
    [{ since: null }, 'since: Invalid input: expected one of string|number'],
    [{ limit: 'maybe' }, 'limit: Invalid input: expected one of number|"yes"|"no"'],
    [{ target: true }, 'target: Invalid input: expected one of 1|5|"all"|object'],
    [{ target: { of: 7 } }, 'target.of: Invalid input: expected string, received number'],
  ])('%j', (input, words) => {
    expect(issueWords(Input.safeParse(input).error!.issues)).toBe(words)
  })
})
