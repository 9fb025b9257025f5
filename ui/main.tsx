// The dashboard's first module: the frame around the pages. Pages that need charts or fees load them when they are opened.
import { signal } from '@preact/signals'
import { type ComponentType, options, render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError, signIn } from './lib/api.ts'
import { format } from './lib/format.ts'
import { showTheme } from './lib/hooks.ts'
import { forgetKey, takeKey } from './lib/linkKey.ts'
import { type Place, placeOf } from './lib/router.ts'
import { apiKey, isSigningIn, offlineSince, signOutReason } from './lib/session.ts'
import { streamClosedBecause } from './lib/stream.ts'
import { AccountPage } from './pages/Account.tsx'
import { ArbitragePage } from './pages/Arbitrage.tsx'
import { MarketPage } from './pages/Market.tsx'
import { MarketsPage } from './pages/Markets.tsx'
import { OrdersPage } from './pages/Orders.tsx'
import { PaperPage } from './pages/Paper.tsx'
import { PortfolioPage } from './pages/Portfolio.tsx'
import { ReviewPage } from './pages/Review.tsx'
import { SportsPage } from './pages/Sports.tsx'
import { StatusPage } from './pages/Status.tsx'
import { TapePage } from './pages/Tape.tsx'
import { TradersPage } from './pages/Traders.tsx'
import { Header } from './parts/Header.tsx'
import { KeyForm } from './parts/KeyForm.tsx'

// However many frames arrive, the page is drawn at most once per screen frame; not at all in a hidden tab.
options.debounceRendering = requestAnimationFrame

const pages: Readonly<Record<string, { title: string; Page: ComponentType<{ words: string[] }> }>> = {
  status: { title: 'Status', Page: StatusPage },
  markets: { title: 'Markets', Page: MarketsPage },
  market: { title: 'Market', Page: MarketPage },
  arbitrage: { title: 'Arbitrage', Page: ArbitragePage },
  review: { title: 'Review', Page: ReviewPage },
  orders: { title: 'Orders', Page: OrdersPage },
  portfolio: { title: 'Portfolio', Page: PortfolioPage },
  paper: { title: 'Paper', Page: PaperPage },
  traders: { title: 'Traders', Page: TradersPage },
  sports: { title: 'Sports', Page: SportsPage },
  tape: { title: 'Tape', Page: TapePage },
  account: { title: 'Keys and usage', Page: AccountPage },
}

signInByLink()
const place = signal<Place>(placeOf(location.hash))
addEventListener('hashchange', () => {
  signInByLink()
  place.value = placeOf(location.hash)
})

/** Signs in with the key of the address or of this tab, if the page has none yet. */
function signInByLink(): void {
  const key = takeKey()
  if (key === null || key === apiKey.value || isSigningIn.value) return
  isSigningIn.value = true
  signIn(key)
    .catch((error: unknown) => {
      signOutReason.value = error instanceof ApiError ? error.message : 'the server cannot be reached'
      // A key that the server rejects would be rejected after a reload, too.
      if (!(error instanceof ApiError && error.retryable)) forgetKey()
    })
    .finally(() => {
      isSigningIn.value = false
    })
}

function App() {
  const { page, words } = place.value
  const { title, Page } = Object.hasOwn(pages, page) ? pages[page]! : pages.status!
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const where = [page, ...words].join('/')
  // A new page sets the title and takes the focus
  useEffect(() => {
    document.title = `${title} · Crossbook`
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
  }, [where])
  return (
    <>
      <Header page={page === 'market' ? 'markets' : page} />
      <main ref={main} tabIndex={-1} class={apiKey.value !== null && offlineSince.value !== null ? 'outdated' : ''}>
        {apiKey.value !== null ? (
          <Page key={where} words={words} />
        ) : isSigningIn.value ? (
          <p>Signing in …</p>
        ) : (
          <KeyForm />
        )}
      </main>
      {apiKey.value !== null && <Silence />}
    </>
  )
}

/** Shown over the page's footer, so that nothing moves. */
function Silence() {
  const refusal = streamClosedBecause.value
  if (offlineSince.value === null)
    return refusal === null ? null : (
      <p role="alert" class="silence">
        The stream is closed, and tried again: {refusal}. What is live on this page waits for it.
      </p>
    )
  return (
    <p role="alert" class="silence">
      The server has not answered since {format.time(offlineSince.value)}. What this page shows is as of then.
    </p>
  )
}

showTheme()
render(<App />, document.getElementById('app')!)
