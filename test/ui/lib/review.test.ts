import { describe, expect, it } from 'vitest'
import { pricePath } from '../../../ui/lib/pricePath.ts'
import {
  choose,
  currentKey,
  recordDecision,
  showSkipped,
  skip,
  startOf,
  undoLast,
} from '../../../ui/lib/reviewQueue.ts'
import { wordDiff } from '../../../ui/lib/wordDiff.ts'

const marked = (a: string, b: string): [string[], string[]] => {
  const texts = wordDiff(a, b)
  const differing = (parts: typeof texts.a) => parts.filter(({ differs }) => differs).map(({ text }) => text.trim())
  return [differing(texts.a), differing(texts.b)]
}

describe('the difference of two texts', () => {
  it.each([
    ['Will {person} win in 2027?', 'Will {person} win in 2027', [], []],
    ['Will {person} win?', 'Will {person} lose?', ['win?'], ['lose?']],
    ['By June 30, 2027', 'Before June 30, 2027', ['By'], ['Before']],
    ['wins the race', 'wins', ['the race'], []],
    ['', 'all of it', [], ['all of it']],
    ['a b c d', 'a x c y', ['b', 'd'], ['x', 'y']],
    ['more than $100', 'more than $1000', ['$100'], ['$1000']],
  ])('%s / %s', (a, b, one, other) => expect(marked(a, b)).toEqual([one, other]))

  it('keeps every character of both texts', () => {
    const [a, b] = ['It resolves\nby  the list.', 'It settles\nby the list of winners.']
    const texts = wordDiff(a, b)
    expect(texts.a.map(({ text }) => text).join('')).toBe(a)
    expect(texts.b.map(({ text }) => text).join('')).toBe(b)
  })

  it('compares only the beginning and the end of very long texts', () => {
    const middle = (word: string) => Array.from({ length: 1_200 }, (_, i) => `${word}${i}`).join(' ')
    const texts = wordDiff(`start ${middle('a')} end`, `start ${middle('b')} end`)
    expect(texts.a.map(({ differs }) => differs)).toEqual([false, true, false])
  })
})

describe('the queue of the review', () => {
  const keys = ['1', '2', '3']

  it('shows the first pair that was neither decided nor skipped, and a chosen one first', () => {
    const start = startOf(null)
    expect(currentKey(start, keys)).toBe('1')
    expect(currentKey(choose(start, '3'), keys)).toBe('3')
    expect(currentKey(skip(start, '1'), keys)).toBe('2')
    const all = recordDecision(skip(recordDecision(start, '1'), '2'), '3')
    expect(currentKey(all, keys)).toBeNull()
    expect(currentKey(showSkipped(all), keys)).toBe('2')
    expect(currentKey(startOf(null), [])).toBeNull()
  })

  it('returns to the pair of the last decision when that is undone, one decision after the other', () => {
    const two = recordDecision(skip(recordDecision(startOf(null), '1'), '2'), '3')
    const one = undoLast(two)
    expect([currentKey(one, keys), one.decided]).toEqual(['3', ['1']])
    const none = undoLast(one)
    expect([currentKey(none, keys), none.decided, none.passed]).toEqual(['1', [], ['2']])
    expect(undoLast(none)).toBe(none)
  })
})

it('draws prices by time, 1 at the top', () => {
  const range = { from: 0, to: 100 }
  const size = { width: 10, height: 20 }
  const points = [
    { at: 100, value: 0 },
    { at: 0, value: 1 },
    { at: 50, value: 0.25 },
  ]
  expect(pricePath(points, range, size)).toBe('M0 0 L5 15 L10 20')
  expect(pricePath([], range, size)).toBe('')
  expect(pricePath([{ at: 7, value: 0.5 }], { from: 7, to: 7 }, size)).toBe('M5 10')
})
