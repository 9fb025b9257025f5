// Tests that cost too much for every short run: short runs do one of a list a day, long runs all.
const { CROSSBOOK_TEST_LONG, CROSSBOOK_TEST_DAY } = process.env

export const isLong = CROSSBOOK_TEST_LONG === '1'

/** Days since 1970; `CROSSBOOK_TEST_DAY` selects another day. */
const today = Number(CROSSBOOK_TEST_DAY ?? Math.floor(Date.now() / 86_400_000))

export const turnOf = <T>(all: readonly T[]): readonly T[] => (isLong ? all : [all[today % all.length]!])

/** One of this many parts of a list a day, spread over it. */
export const partOf = <T>(all: readonly T[], parts: number): readonly T[] =>
  isLong ? all : all.filter((_, at) => at % parts === today % parts)

/** Properties of the client that only Python can show, half a minute each. */
const pythonTurns = ['openapi-python-client', 'frames and files', 'the wheel'] as const

export const isTurnOf = (name: (typeof pythonTurns)[number]): boolean => turnOf(pythonTurns).includes(name)
