import { describe, expect, it } from 'vitest'
import type { Execution, Fill } from '#schemas/executions'
import { format } from '../../../ui/lib/format.ts'
import { type Change, eventMoments, momentsOf } from '../../../ui/lib/timeline.ts'

const executionId = '1b4e28ba-2fa1-41d2-883f-0016d3cca427'
const at = (second: number): string => `2026-11-23T00:00:0${second}.000Z`
const execution = (status: Execution['status'], error: string | null = null) =>
  ({ executionId, status, error, createdAt: at(0), updatedAt: at(5) }) as Execution
const change = (second: number, previousStatus: string, status: Execution['status'], id = executionId): Change => ({
  occurredAt: at(second),
  previousStatus,
  execution: { executionId: id, status, error: null },
})
const fill = (second: number, body: Fill['fill']): Fill => ({
  fillId: '1',
  executionId,
  venue: 'kalshi',
  fill: body,
  filledAt: at(second),
})
const words = (...given: Parameters<typeof momentsOf>): string[] => momentsOf(...given).map(({ what }) => what)

describe('the timeline of an execution', () => {
  it('has one entry for one that was only built', () => {
    expect(words(execution('built'), [], [])).toEqual(['built'])
  })
  it('has its build, its changes, its fills and its state, in order of time', () => {
    const changes = [change(2, 'built', 'submitted'), change(1, 'built', 'failed', 'another')]
    const fills = [fill(4, { price: '0.4', size: '10', nested: {} }), fill(3, { withdrawn: true })]
    expect(momentsOf(execution('filled'), changes, fills)).toEqual([
      { at: at(0), what: 'built', detail: null },
      { at: at(2), what: 'built → submitted', detail: null },
      { at: at(3), what: 'fill taken back', detail: 'withdrawn true' },
      { at: at(4), what: 'fill', detail: 'price 0.4, size 10' },
      { at: at(5), what: 'filled', detail: null },
    ])
  })
  it('has no fill before its build or submit, although its venue counts whole seconds', () => {
    const early = { ...fill(0, { price: '0.4' }), filledAt: '2026-11-22T23:59:59.000Z' }
    expect(words(execution('filled'), [], [early])).toEqual(['built', 'fill', 'filled'])
    const changes = [change(2, 'built', 'submitted'), change(3, 'submitted', 'filled')]
    expect(words(execution('filled'), changes, [early])).toEqual([
      'built',
      'built → submitted',
      'fill',
      'submitted → filled',
    ])
  })
  it('has a status once that the stream has already delivered', () => {
    expect(words(execution('acked'), [change(5, 'submitted', 'acked')], [])).toEqual(['built', 'submitted → acked'])
  })
  it('shows why it failed', () => {
    expect(momentsOf(execution('failed', 'no funds'), [], []).at(-1)).toEqual({
      at: at(5),
      what: 'failed',
      detail: 'no funds',
    })
  })
})

it('the timeline of a conditional order has its events, with who did it and what was seen', () => {
  const event = { id: 1, ts: at(1), toStatus: 'armed', actor: 'api', fromStatus: null, evidence: null } as const
  const fired = {
    ...event,
    id: 2,
    fromStatus: 'armed',
    toStatus: 'triggered',
    actor: 'trigger_engine',
    evidence: { referencePrice: 0.6, bookTime: at(1) },
  } as const
  expect(eventMoments([event, fired])).toEqual([
    { at: at(1), what: 'armed', detail: 'by api' },
    {
      at: at(1),
      what: 'armed → triggered',
      detail: `by trigger engine: reference price 0.6, book time ${format.moment(at(1))}`,
    },
  ])
})
