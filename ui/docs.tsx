// The API reference at `/docs`: renders this program's own `/openapi.json` and `/asyncapi.json` as a page. Needs no key and no other
// requests.
import { signal } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { showTheme, theme, toggleTheme } from './lib/hooks.ts'
import { hashOf, type Place, placeOf } from './lib/router.ts'
import { type Document, found, type Listed, operationsOf, type StreamDocument } from './reference/documents.ts'
import { OperationView } from './reference/OperationView.tsx'
import { Prose } from './reference/Prose.tsx'
import { StreamView } from './reference/StreamView.tsx'

interface Documents {
  http: Document
  stream: StreamDocument
}

const place = signal<Place>(placeOf(location.hash))
addEventListener('hashchange', () => {
  place.value = placeOf(location.hash)
})

function App() {
  const { documents, failure } = useDocuments()
  const other = theme() === 'dark' ? 'light' : 'dark'
  return (
    <>
      <header>
        <a class="brand" href="/">
          Crossbook
        </a>
        <nav aria-label="Pages">
          <a href="/docs" aria-current="page">
            Reference
          </a>
          <a href="/ui">Dashboard</a>
          <a href="/openapi.json">OpenAPI</a>
          <a href="/asyncapi.json">AsyncAPI</a>
        </nav>
        <span class="spring" />
        <button type="button" onClick={toggleTheme} aria-label={`Use the ${other} theme`}>
          {other === 'dark' ? '☾' : '☀'}
        </button>
      </header>
      {documents === null ? (
        <main>
          <h1>API reference</h1>
          <p role="status">{failure ?? 'Reading the documents…'}</p>
        </main>
      ) : (
        <Reference documents={documents} />
      )}
    </>
  )
}

function Reference({ documents: { http, stream } }: { documents: Documents }) {
  const operations = useMemo(() => operationsOf(http), [http])
  const [query, setQuery] = useState('')
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const { page, words } = place.value
  const tag = page === 'tag' && tags.includes(words[0] ?? '') ? words[0]! : null
  const hits = query.trim() === '' ? null : found(operations, query)
  const where = `${page} ${words.join(' ')}`
  // A link to an operation opens its group and scrolls to it.
  useEffect(() => {
    const name = words[1] === undefined ? null : document.getElementById(`name-${words[1]}`)
    if (name === null) return
    name.focus({ preventScroll: true })
    name.closest('section')?.scrollIntoView()
  }, [where])
  return (
    <div class="reference">
      <nav aria-label="Operations">
        <label>
          Search operations
          <input type="search" value={query} onInput={({ currentTarget }) => setQuery(currentTarget.value)} />
        </label>
        <ul class="groups">
          {hits === null ? (
            <>
              {tags.map((each) => (
                <li key={each}>
                  <a href={hashOf('tag', each)} aria-current={each === tag ? 'page' : undefined}>
                    {each}
                  </a>
                  {each === tag && <Links operations={operations.filter((one) => one.tag === each)} />}
                </li>
              ))}
              <li>
                <a href={hashOf('stream')} aria-current={page === 'stream' ? 'page' : undefined}>
                  stream
                </a>
              </li>
            </>
          ) : (
            <li>
              <p role="status">{hits.length === 0 ? 'None.' : `${hits.length} found`}</p>
              <Links operations={hits} />
            </li>
          )}
        </ul>
      </nav>
      <main>
        {page === 'stream' ? (
          <StreamView document={stream} />
        ) : tag === null ? (
          <Overview http={http} operations={operations} />
        ) : (
          <>
            <h1>{tag}</h1>
            <p>
              <Prose of={http.tags?.find(({ name }) => name === tag)?.description} />
            </p>
            {operations
              .filter((one) => one.tag === tag)
              .map((listed) => (
                <OperationView key={listed.id} document={http} listed={listed} />
              ))}
          </>
        )}
      </main>
    </div>
  )
}

const Links = ({ operations }: { operations: readonly Listed[] }) => (
  <ul>
    {operations.map(({ id, tag, method, path }) => (
      <li key={id}>
        <a href={hashOf('tag', tag, id)} title={`${method} ${path}`}>
          {id}
        </a>
      </li>
    ))}
  </ul>
)

function Overview({ http, operations }: { http: Document; operations: readonly Listed[] }) {
  return (
    <>
      <h1>API reference</h1>
      <p>
        Version {http.info.version}, {operations.length} operations. <Prose of={http.info.description} />
      </p>
      <dl class="facts card">
        {http.tags?.map(({ name, description }) => (
          <>
            <dt>
              <a href={hashOf('tag', name)}>{name}</a>
            </dt>
            <dd>
              <Prose of={description} />
            </dd>
          </>
        ))}
        <dt>
          <a href={hashOf('stream')}>stream</a>
        </dt>
        <dd>Books, trades and surfaces as they change, over one WebSocket</dd>
      </dl>
    </>
  )
}

function useDocuments(): { documents: Documents | null; failure: string | null } {
  const [state, setState] = useState<{ documents: Documents | null; failure: string | null }>({
    documents: null,
    failure: null,
  })
  useEffect(() => {
    const controller = new AbortController()
    const read = async <T,>(path: string): Promise<T> => {
      const response = await fetch(path, { signal: controller.signal })
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
      return (await response.json()) as T
    }
    Promise.all([read<Document>('/openapi.json'), read<StreamDocument>('/asyncapi.json')])
      .then(([http, stream]) => setState({ documents: { http, stream }, failure: null }))
      .catch((error: unknown) => {
        if (!controller.signal.aborted)
          setState({
            documents: null,
            failure: error instanceof Error ? error.message : 'the server cannot be reached',
          })
      })
    return () => controller.abort()
  }, [])
  return state
}

showTheme()
render(<App />, document.getElementById('app')!)
