// What `npm run test:long` runs in full and the other commands in part, always the same part.

export const isLong = process.env.CROSSBOOK_TEST_LONG === '1'

/** One of every `parts` members of a list, the first included; in long runs all of them. */
export const sampleOf = <T>(all: readonly T[], parts = all.length): readonly T[] =>
  isLong ? all : all.filter((_, at) => at % parts === 0)

/** Number of random cases: in short runs, whose seed never changes, only a part of them. */
export const casesOf = (all: number, parts = 3): number => (isLong ? all : Math.ceil(all / parts))
