import { describe, expect, it } from 'vitest'
import { htmlOf } from '#backtest/report/html'
import { chart } from '#backtest/report/svg'
import marketMaker from '#sdk/typescript/examples/market-maker'
import { backtest, gap, startMs, wanderingTape } from '#test/support/backtest/world'

describe('the report as a page', () => {
  it('needs nothing else, and shows every part', async () => {
    const market = { status: 'resolved', resolutionDate: new Date(startMs + 200_000).toISOString() } as const
    const report = await backtest(
      { tape: wanderingTape(150), lastMs: 210_000, market, gaps: [gap(50_000, 60_000)] },
      marketMaker,
    )
    const html = htmlOf(report)
    expect(html).not.toMatch(/<script|<link|<img|https?:|url\(/i)
    expect(html).toContain("default-src 'none'")
    expect(html.match(/<svg/g)).toHaveLength(4)
    for (const part of [
      'Equity',
      'Drawdown',
      'Inventory',
      'Markets by day',
      'Calibration',
      'Gaps',
      'Fills',
      'Settings',
    ])
      expect(html).toContain(part)
    expect(html).toContain(report.hash)
    expect(html).toContain('disconnected')
    expect(html).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('escapes what strategies write', async () => {
    const report = await backtest({ tape: wanderingTape(3) }, async ({ log }) =>
      log('<script>alert(1)</script>', { name: '"><b>' }),
    )
    const html = htmlOf(report)
    expect(html).not.toContain('<script>')
    expect(html).not.toContain('<b>')
    expect(html).toContain('&#60;script&#62;')
  })

  it('says when nothing was traded', async () => {
    const html = htmlOf(await backtest({ tape: wanderingTape(3) }, async () => undefined))
    expect(html).toContain('Nothing was traded.')
    expect(html).toContain('No quoted market is known to be resolved.')
  })
})

it('says how many outcomes its chart leaves out', async () => {
  const report = await backtest({ tape: wanderingTape(3) }, async () => undefined)
  const outcomes = Array.from({ length: 6 }, () => report.outcomes[0]!)
  expect(htmlOf({ ...report, outcomes })).toContain('2 further outcomes')
})

it('draws a constant series, and none', () => {
  const labels = { labelX: String, labelY: String }
  const one = chart({ title: 'a', series: [{ name: 's', style: 'a', points: [[1, 5]] }], ...labels })
  expect(one).toContain('<path class="a" d="M')
  expect(one).not.toContain('NaN')
  expect(chart({ title: 'a', series: [], ...labels })).toContain('nothing to show')
})
