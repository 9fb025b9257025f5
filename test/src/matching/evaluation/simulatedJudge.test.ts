import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { TemplatePair } from '#matching/decide/templates/templatePair'
import { simulatedJudge } from '#test/support/matching/simulatedJudge'

const pairOf = (at: number, turned = false): TemplatePair => ({
  key: createHash('sha256').update(String(at)).digest('hex').slice(0, 32),
  a: `Will {person} win prize ${at}?`,
  b: `{person} wins prize ${at}?`,
  slots: [],
  turned,
})
const many = Array.from({ length: 2_000 }, (_, at) => pairOf(at))

describe('a simulated judge', () => {
  test('repeats the label if it is perfect', () => {
    const judge = simulatedJudge()
    expect(judge.decide(pairOf(1), 'complement')).toMatchObject({ verdict: 'same', relation: 'complement' })
    expect(judge.decide(pairOf(1), 'disjoint')).toMatchObject({ verdict: 'different', relation: 'disjoint' })
  })

  test('states the relation from the first text to the second', () => {
    const judge = simulatedJudge()
    expect(judge.decide(pairOf(1), 'subset')?.relation).toBe('subset')
    expect(judge.decide(pairOf(1, true), 'subset')?.relation).toBe('superset')
  })

  test('errs on the given share of template pairs, in both directions and repeatably', () => {
    const wrongOn = (truth: 'identity' | 'overlap', seed: string): TemplatePair[] => {
      const judge = simulatedJudge({ wrong: 0.05, seed })
      return many.filter((pair) => (judge.decide(pair, truth)?.verdict === 'same') !== (truth === 'identity'))
    }
    const wrong = wrongOn('identity', 'a')
    expect(wrong.length).toBeGreaterThan(60)
    expect(wrong.length).toBeLessThan(140)
    expect(wrongOn('overlap', 'a')).toEqual(wrong)
    expect(wrongOn('identity', 'b')).not.toEqual(wrong)
  })

  test('decides nothing where its two passes contradict each other', () => {
    const judge = simulatedJudge({ contradicting: 0.2 })
    const verdicts = many.map((pair) => judge.decide(pair, 'identity')?.verdict ?? null)
    expect(verdicts).not.toContain('different')
    const open = verdicts.filter((verdict) => verdict === null).length
    expect(open).toBeGreaterThan(320)
    expect(open).toBeLessThan(480)
  })
})
