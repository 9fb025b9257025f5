import { theme, toggleTheme } from '../lib/hooks.ts'
import { hashOf } from '../lib/router.ts'
import { apiKey, isLab, signOut } from '../lib/session.ts'
import { streamState } from '../lib/stream.ts'

const links = [
  ['status', 'Status'],
  ['markets', 'Markets'],
  ['arbitrage', 'Arbitrage'],
  ['review', 'Review'],
  ['orders', 'Orders'],
  ['portfolio', 'Portfolio'],
  ['paper', 'Paper'],
  ['traders', 'Traders'],
  ['sports', 'Sports'],
  ['tape', 'Tape'],
  ['account', 'Keys and usage'],
] as const

export function Header({ page }: { page: string }) {
  const other = theme() === 'dark' ? 'light' : 'dark'
  return (
    <header>
      <a class="brand" href={hashOf('status')}>
        Crossbook
      </a>
      {isLab.value && (
        <span class="badge lab" title="Lab venues: markets, prices and orders are simulated">
          LAB
        </span>
      )}
      <nav aria-label="Pages">
        {links.map(([name, title]) => (
          <a key={name} href={hashOf(name)} aria-current={page === name ? 'page' : undefined}>
            {title}
          </a>
        ))}
        <a href="/docs">API</a>
      </nav>
      <span class="spring" />
      {streamState.value !== 'closed' && (
        <span class="stream" role="status">
          <i class={`dot ${streamState.value}`} />
          <b>{streamState.value === 'open' ? 'live' : 'connecting'}</b>
        </span>
      )}
      <button type="button" onClick={toggleTheme} aria-label={`Use the ${other} theme`}>
        {other === 'dark' ? '☾' : '☀'}
      </button>
      {apiKey.value !== null && (
        <button type="button" onClick={() => signOut(null)}>
          Forget key
        </button>
      )}
    </header>
  )
}
