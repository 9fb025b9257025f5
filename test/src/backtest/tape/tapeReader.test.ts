import { expect, it } from 'vitest'
import { TapeReader, type TapeSource } from '#backtest/tape/tapeReader'
import type { EmittedFrame } from '#history/paced/sources'

const frame = (at: number, kind: EmittedFrame['kind'] = 'book'): EmittedFrame => ({ at, kind, data: {} })

async function* pagesOf(...pages: EmittedFrame[][]): AsyncGenerator<EmittedFrame[]> {
  yield* pages
}

async function readAll(sources: TapeSource[]): Promise<string[]> {
  const reader = new TapeReader(sources)
  const read: string[] = []
  for (;;) {
    const at = reader.nextAt()
    if (typeof at !== 'number') await at
    else if (at === Number.POSITIVE_INFINITY) return read
    else {
      const next = reader.take()
      read.push(`${reader.feed}:${next.at}:${next.kind}`)
    }
  }
}

it('merges pages of several sources in time order, the first source first within a millisecond', async () => {
  const read = await readAll([
    { feed: 0, pages: pagesOf([frame(3, 'gap')]) },
    { feed: 0, pages: pagesOf([frame(1), frame(3)], [], [frame(5)]) },
    { feed: 1, pages: pagesOf([frame(2)], [frame(3), frame(4)]) },
  ])
  expect(read).toEqual(['0:1:book', '1:2:book', '0:3:gap', '0:3:book', '1:3:book', '1:4:book', '0:5:book'])
})

it('reads a page once, however often the time is requested before it arrives', async () => {
  let pages = 0
  const counted = async function* (): AsyncGenerator<EmittedFrame[]> {
    for (const at of [1, 2]) {
      pages += 1
      yield [frame(at)]
    }
  }
  const reader = new TapeReader([{ feed: 0, pages: counted() }])
  const first = reader.nextAt()
  expect(reader.nextAt()).toBe(first)
  await first
  expect(pages).toBe(1)
  expect(reader.nextAt()).toBe(1)
})

it('reports the failure of a source instead of ending', async () => {
  const failing = async function* (): AsyncGenerator<EmittedFrame[]> {
    yield [frame(1)]
    throw new Error('the tape broke off')
  }
  await expect(readAll([{ feed: 0, pages: failing() }])).rejects.toThrow('the tape broke off')
})
