// The model predicts fills of resting orders: a small version of `npm run eval:paper`.
import { describe, expect, it } from 'vitest'
import { labFlows } from '#test/support/evalPaper'
import { sharedFixture } from '#test/support/fixtures'
import { kalshiTapes } from '#test/support/paper/kalshiOrders'
import { labTape } from '#test/support/paper/labFlow'
import { predict, predictWithoutQueue } from '#test/support/paper/predict'
import { pairsOf, scoreOf } from '#test/support/paper/score'
import type { EvaluationTape } from '#test/support/paper/tape'

const recordings = sharedFixture('kalshi/ws_tape_btc15m/20260513T1522Z')

function scoresOf(tape: EvaluationTape, latencyMedianMs: number, cancelShareAhead: number) {
  const settings = { latencyMedianMs, latencySigma: 0.4, cancelShareAhead, seed: 'test' }
  const score = (predicted: ReturnType<typeof predict>) => scoreOf(pairsOf(tape, tape.probes, predicted))
  return { model: score(predict(tape, settings)), noQueue: score(predictWithoutQueue(tape, settings)) }
}

describe.each(labFlows)('in the market $name of the matching engine', (flow) => {
  it('predicts which resting orders fill, and when, far better than without queues', () => {
    const { model, noQueue } = scoresOf(labTape({ ...flow, minutes: 8 }), flow.latencyMedianMs, 0.5)
    expect(model.probes).toBeGreaterThan(300)
    expect(model.rightShare).toBeGreaterThan(0.95)
    expect(model.rightShare).toBeGreaterThan(noQueue.rightShare)
    expect(model.timeError!.meanAbsolute).toBeLessThan(noQueue.timeError!.meanAbsolute / 2)
  })
})

describe.skipIf(recordings === null)('in a recorded Kalshi market (needs ../shared/fixtures)', () => {
  it('predicts the fills of orders whose lifetimes are known', () => {
    const [tape] = kalshiTapes(recordings!)
    const { model, noQueue } = scoresOf(tape!, 0, 0.25)
    expect(model.probes).toBeGreaterThan(300)
    expect(model.rightShare).toBeGreaterThan(0.95)
    expect(model.foundShare!).toBeGreaterThan(0.95)
    expect(model.rightShare).toBeGreaterThan(noQueue.rightShare + 0.1)
  })
})
