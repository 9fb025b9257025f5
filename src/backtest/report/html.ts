// The report as one HTML file that needs nothing else: no script, no font, no request.
import type { BacktestReport } from './report.ts'
import { chart, escapeHtml, type Series } from './svg.ts'

/** Fills listed in the page; the JSON has more. */
const fillsShown = 500
const logShown = 200

const style = `
:root{color-scheme:light dark;--text:#1d2433;--soft:#5b6577;--line:#d9dee7;--back:#fff;--a:#1f6feb;--b:#c2410c;--c:#15803d;--d:#7c3aed}
@media(prefers-color-scheme:dark){:root{--text:#e6e9ef;--soft:#9aa4b5;--line:#323a49;--back:#12161d;--a:#6aa5ff;--b:#fb923c;--c:#4ade80;--d:#c4a5ff}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);max-width:920px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.25rem .6rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
th{color:var(--soft);font-weight:600}td.n,th.n{text-align:right}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:.8rem;margin:1rem 0}
dt{color:var(--soft);font-size:.85rem}dd{margin:0;font-size:1.15rem;font-variant-numeric:tabular-nums}
figure{margin:1rem 0}figcaption{color:var(--soft)}svg{width:100%;height:auto}svg text{fill:var(--soft);font-size:11px}
.grid{stroke:var(--line);stroke-width:1}path{fill:none;stroke-width:1.6}
path.a{stroke:var(--a)}path.b{stroke:var(--b)}path.c{stroke:var(--c)}path.d{stroke:var(--d)}path.line{stroke:var(--line)}
circle.a{fill:var(--a)}.key{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin:0 .3em 0 .8em}
.key.a{background:var(--a)}.key.b{background:var(--b)}.key.c{background:var(--c)}.key.d{background:var(--d)}
.warning{border-left:3px solid var(--b);padding-left:.7rem}.none,.soft{color:var(--soft)}code{overflow-wrap:anywhere}
.wide{overflow-x:auto}`

export function htmlOf(report: BacktestReport): string {
  const { strategy, settings, summary, calibration } = report
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Backtest of ${escapeHtml(strategy.name)}</title><style>${style}</style></head><body>
<h1>Backtest of ${escapeHtml(strategy.name)}</h1>
<p class="soft">${escapeHtml(settings.markets.join(', '))}<br>${escapeHtml(settings.from)} to ${escapeHtml(settings.to)}</p>
${report.warnings.map((text) => `<p class="warning">${escapeHtml(text)}</p>`).join('')}
${definitions([
  ['Profit and loss', money(summary.pnl)],
  ['Equity at the end', money(summary.equity)],
  ['Largest drawdown', money(String(summary.maxDrawdown))],
  ['Turnover', money(summary.turnover)],
  [
    'Fees',
    summary.inexactFees === 0
      ? money(summary.fees)
      : `${money(summary.fees)} (${summary.inexactFees} fills without an exact rate)`,
  ],
  ['Fills', `${summary.fills} (${summary.makerFills} as maker)`],
  ['Orders', `${summary.orders} (${summary.rejected} rejected, ${summary.cancels} cancels)`],
  ['Brier score of own quotes', calibration.brier === null ? 'none' : calibration.brier.toFixed(4)],
])}
<h2>Equity</h2>
${timeChart('Equity', [{ name: 'Equity', style: 'a', points: report.equity.map(({ at, equity }) => [at, equity]) }])}
${timeChart('Drawdown', [{ name: 'Drawdown', style: 'b', points: report.equity.map(({ at, drawdown }) => [at, -drawdown]) }])}
<h2>Inventory</h2>
${timeChart('Contracts held', inventorySeries(report))}
${more(report.outcomes.length - styles.length, 'further outcomes')}
${table(
  ['venue', 'market', 'outcome', '#quantity', '#cost', '#value', '#realized'],
  report.positions.map((row) => [
    ...[row.venue, row.marketId, row.outcomeId, row.quantity],
    ...[money(row.costBasis), row.value === null ? 'unknown' : money(row.value), money(row.realizedPnl)],
  ]),
  'No position was taken.',
)}
<h2>Markets by day</h2>
${table(
  ['day', 'venue', 'market', '#fills', '#as maker', '#contracts', '#turnover', '#fees'],
  report.days.map((row) => [
    ...[row.date, row.venue, row.marketId, String(row.fills), String(row.makerFills), row.contracts],
    ...[money(row.turnover), money(row.fees)],
  ]),
  'Nothing was traded.',
)}
<h2>Calibration of quoted probabilities</h2>
${calibrationPart(report)}
<h2>Gaps of the tape</h2>
${table(
  ['venue', 'outcome', 'from', 'to', 'kind', 'reason'],
  report.gaps.map(({ venue, outcomeId, from, to, kind, reason }) => [
    ...[venue, outcomeId, from ?? 'unknown', to ?? 'open', kind, reason ?? ''],
  ]),
  'None within the range.',
)}
<h2>Fills</h2>
${table(
  ['time', 'venue', 'outcome', 'side', '#price', '#size', '#fee', 'as', '#book', 'trades'],
  report.fills
    .slice(0, fillsShown)
    .map((row) => [
      ...[row.at, row.venue, row.outcomeId, row.side, row.price, row.size, row.fee, row.liquidity],
      ...[String(row.bookSeq), row.tradeIds.join(' ')],
    ]),
  'None.',
)}
${more(summary.fills - fillsShown, 'further fills')}
<h2>Log</h2>
${table(
  ['time', 'message', 'data'],
  report.log
    .slice(0, logShown)
    .map(({ at, message, data }) => [
      ...[new Date(at).toISOString(), message, data === undefined ? '' : JSON.stringify(data)],
    ]),
  'The strategy logged nothing.',
)}
${more(report.log.length + report.logOmitted - logShown, 'further lines')}
<h2>Settings</h2>
${table(
  ['name', 'value'],
  [
    ['seed', settings.seed],
    ['opening cash per venue', settings.cash],
    ...Object.entries(settings.cashByVenue).map(([venue, cash]) => [`opening cash of ${venue}`, cash]),
    ['params', JSON.stringify(settings.params)],
    ['fill model', JSON.stringify(settings.fillModel)],
    ['events of the tape', String(report.tapeEvents)],
    ['strategy (SHA-256)', strategy.sha256],
    ['hash of the report', report.hash],
  ],
  '',
)}
</body></html>
`
}

const styles = ['a', 'b', 'c', 'd']

const inventorySeries = ({ inventory, outcomes }: BacktestReport): Series[] =>
  outcomes.slice(0, styles.length).map(({ label, marketId }, i) => ({
    ...{ name: `${marketId}: ${label}`, style: styles[i]!, steps: true as const },
    points: inventory.map(({ at, held }) => [at, held[i] ?? 0]),
  }))

const timeChart = (title: string, series: readonly Series[]): string =>
  chart({ title, series, labelX: timeLabel, labelY: (y) => y.toFixed(2) })

const timeLabel = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

function calibrationPart({ calibration }: BacktestReport): string {
  const { brier, bins, quotes, byMarket, unresolved } = calibration
  const open = unresolved === 0 ? '' : ` ${unresolved} quoted markets are not known to be resolved.`
  if (brier === null) return `<p class="none">No quoted market is known to be resolved.${open}</p>`
  const used = bins.filter(({ quoted }) => quoted !== null)
  const figure = chart({
    title: 'Mean payout by quoted probability',
    series: [{ name: 'quotes', style: 'a', points: used.map(({ quoted, paid }) => [quoted!, paid!]) }],
    ...{ labelX: (x: number) => x.toFixed(2), labelY: (y: number) => y.toFixed(2), dots: true as const },
    ...{ rangeX: [0, 1] as const, rangeY: [0, 1] as const },
  })
  return `<p>Brier score ${brier.toFixed(4)} over ${quotes} samples of the middle of own quotes; 0 is perfect, and a constant 0.5 scores 0.25.${open}</p>${figure}${table(
    ['venue', 'market', '#samples', '#payout', '#Brier score'],
    byMarket.map((row) => [row.venue, row.marketId, String(row.quotes), String(row.payout), row.brier.toFixed(4)]),
    '',
  )}`
}

const definitions = (entries: readonly (readonly [string, string])[]): string =>
  `<dl>${entries.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>`

/** Columns whose name begins with # are numbers. */
function table(heads: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return `<p class="none">${escapeHtml(none)}</p>`
  const isNumber = heads.map((head) => head.startsWith('#'))
  const cell = (tag: string, text: string, i: number): string =>
    `<${tag}${isNumber[i] ? ' class="n"' : ''}>${escapeHtml(text)}</${tag}>`
  const head = heads.map((text, i) => cell('th', text.replace(/^#/, ''), i)).join('')
  const body = rows.map((row) => `<tr>${row.map((text, i) => cell('td', text, i)).join('')}</tr>`).join('')
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

const more = (count: number, what: string): string =>
  count > 0 ? `<p class="soft">${count} ${what} are in the JSON report, as far as it lists them.</p>` : ''

/** Dollars to the cent, or finer where that says more. */
function money(text: string): string {
  const value = Number(text)
  return Number.isInteger(value * 100) || Math.abs(value) >= 1 ? value.toFixed(2) : value.toPrecision(3)
}
