// The pages of this repository as a site: README.md is its first page, docs/ the rest, unchanged.
import { defineConfig } from 'vitepress'

const page = (text: string, name: string) => ({ text, link: `/docs/${name}` })

export default defineConfig({
  title: 'Crossbook',
  description: 'One normalized interface over prediction-market venues, as a program you run yourself',
  srcDir: '.pages',
  outDir: '../../dist/docs',
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  // Served as files, not as pages. Any other link without a target fails the build.
  ignoreDeadLinks: [/^\/docs\/examples\//],
  // Pages contain no templates: `{{` is literal text.
  markdown: { config: (md) => void md.use(verbatim) },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      page('Docs', 'index'),
      page('Stream', 'quick-start-stream'),
      page('History', 'quick-start-history'),
      page('Orders', 'quick-start-trading'),
    ],
    sidebar: [
      {
        text: 'Start',
        items: [
          { text: 'Two commands', link: '/' },
          page('Quick start: stream', 'quick-start-stream'),
          page('Quick start: history', 'quick-start-history'),
          page('Your first strategy', 'first-strategy'),
          page('Quick start: orders', 'quick-start-trading'),
          page('Coming from pmxt', 'coming-from-pmxt'),
          page('Coming from CCXT', 'coming-from-ccxt'),
        ],
      },
      {
        text: 'Reference',
        items: [
          page('Ids and shapes', 'names'),
          page('Stream', 'stream'),
          page('Arbitrage', 'arbitrage'),
          page('Structures', 'structures'),
          page('Matching', 'matching'),
          page('History', 'history'),
          page('Sources of market data', 'marketData'),
          page('Trading', 'trading'),
          page('Many orders at once', 'bulk-orders'),
          page('Router', 'router'),
          page('Conditional orders', 'conditional-orders'),
          page('Execution algorithms', 'execution-algorithms'),
          page('Paper trading', 'paper-trading'),
          page('How paper orders fill', 'paper-fill-model'),
          page('Backtests', 'backtests'),
          page('Portfolio', 'portfolio'),
          page('Exposure', 'exposure'),
          page('Reconciliation', 'reconciliation'),
          page('Risk limits', 'risk-limits'),
          page('Webhooks', 'webhooks'),
          page('Accounts and plans', 'accounts'),
          page('Errors', 'errors'),
          page('Venues', 'venues'),
          page('Glossary', 'glossary'),
        ],
      },
      {
        text: 'More data',
        items: [
          page('Traders', 'traders'),
          page('Scores', 'trader-scores'),
          page('Sports', 'sports'),
          page('Reference feeds', 'feeds'),
          page('Option prices', 'option-prices'),
          page('Pending fills', 'pending-fills'),
          page('Open orders', 'open-orders'),
          page('Venue metrics', 'venue-metrics'),
          page('Funding bridge', 'bridge'),
        ],
      },
      {
        text: 'Running it',
        items: [
          page('Configuration', 'configuration'),
          page('Cluster', 'cluster'),
          page('Operations', 'operations'),
          page('Dashboard', 'dashboard'),
          page('Language models (MCP)', 'mcp'),
          page('Reverse proxy', 'reverse-proxy'),
          page('Dependencies', 'dependencies'),
          page('Faults', 'faults'),
          page('Benchmarks', 'benchmarks'),
          page('Adding a venue', 'adding-a-venue'),
          page('Decisions', 'decisions/'),
        ],
      },
    ],
  },
})

interface Rules {
  renderer: { rules: Record<string, ((...given: never[]) => string) | undefined> }
}

function verbatim({ renderer: { rules } }: Rules): void {
  for (const name of ['text', 'code_inline']) {
    const own = rules[name] as ((...given: unknown[]) => string) | undefined
    if (own !== undefined) rules[name] = (...given: unknown[]) => own(...given).replaceAll('{{', '{<!-- -->{')
  }
}
