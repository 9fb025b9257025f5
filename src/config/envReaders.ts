// Readers of variables shared by many families: flags, integers, comma-separated lists.
import { z } from 'zod'

/** The variables of one family, and their conversion. */
export const family = <S extends z.ZodRawShape, T>(shape: S, read: (value: z.output<z.ZodObject<S>>) => T) => ({
  shape,
  read,
})

/** `all` means the known ones, except those that must be named. */
export const list = <T extends string>(
  known: readonly T[],
  text: string,
  context: z.RefinementCtx,
  named: readonly T[] = [],
): T[] => {
  const words = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const names = new Set(words.flatMap((name): readonly string[] => (name === 'all' ? known : [name])))
  const possible: readonly string[] = [...known, ...named]
  for (const name of names) {
    if (!possible.includes(name)) {
      context.addIssue({ code: 'custom', message: `accepts ${possible.join(', ')} and all, not "${name}"` })
    }
  }
  return [...names].filter((name): name is T => possible.includes(name))
}

export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .default(fallback ? 'true' : 'false')
    .transform((word) => word === 'true' || word === '1')
export const whole = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)

/** A comma-separated list of words of one form; none by default. */
export const words = (shape: RegExp, complaint: string) =>
  z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
    )
    .refine((list) => list.every((word) => shape.test(word)), complaint)

export const countries = words(/^[A-Z]{2}$/, 'must be ISO 3166-1 alpha-2 codes')

export const webUrl = z.url({ protocol: /^https?$/ })
/** Sent in a header: printable ASCII. */
export const contactUrl = z
  .url({ protocol: /^(https?|mailto)$/ })
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII')
  .optional()
export const socketUrl = z.url({ protocol: /^wss?$/ })
/** 32 bytes. */
export const key32 = z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
