// Paged lists as one sequence.
import { CrossbookError } from './errors.ts'
import type { table } from './generated/operations.ts'
import { type Answer, type AnyParams, factsOf, type OperationName, type Params } from './operations.ts'

/** Operations that return a page and the cursor of the next one. */
export type PagedName = {
  [Name in OperationName]: (typeof table)[Name] extends { cursor: string }
    ? Answer<Name> extends { data: unknown }
      ? Name
      : never
    : never
}[OperationName]

type Data<Name extends PagedName> = Answer<Name> extends { data: infer Rows } ? Rows : never

/** A row of the list. */
export type Item<Name extends PagedName> =
  Data<Name> extends readonly (infer Row)[] ? Row : Data<Name> extends { data: readonly (infer Row)[] } ? Row : never

interface Page {
  data: unknown
  nextCursor?: string | null
  meta?: { nextCursor?: string | null }
  page?: { nextCursor?: string | null }
}

const rowsIn = (data: unknown): readonly unknown[] => {
  if (Array.isArray(data)) return data
  const { data: inner } = (data ?? {}) as { data?: unknown }
  return Array.isArray(inner) ? inner : []
}

/** The cursor's field differs from list to list; its meaning does not. */
function nextOf({ data, nextCursor, meta, page }: Page): string | null {
  const inner = Array.isArray(data) ? undefined : (data as { nextCursor?: string | null } | null)?.nextCursor
  return nextCursor ?? meta?.nextCursor ?? page?.nextCursor ?? inner ?? null
}

/** Reads the next page when the rows of the previous one are used up. */
export async function* iterate<Name extends PagedName>(
  read: (params: AnyParams) => Promise<Answer<Name>>,
  name: Name,
  params: Params<Name>,
): AsyncGenerator<Item<Name>, void, undefined> {
  const given = params as AnyParams
  const field = factsOf(name).cursor!
  let cursor = given.query?.[field] as string | undefined
  for (;;) {
    const page = (await read({ ...given, query: { ...given.query, [field]: cursor } })) as Page
    yield* rowsIn(page.data) as Item<Name>[]
    const next = nextOf(page)
    if (next === null) return
    if (next === cursor) throw new CrossbookError(`${name}: a page names itself as the next`)
    cursor = next
  }
}
