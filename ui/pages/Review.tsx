// Template pairs that need a decision, the most valuable first: one at a time, decided by a key of the keyboard. On a view of
// its own, pairs of markets whose prices differ.
import { useEffect, useRef, useState } from 'preact/hooks'
import { type MatchRelation, matchRelations } from '#schemas/matches'
import type { OpenTemplatePair, TemplatePairDetails } from '#schemas/matchReview'
import { ApiError, api, send } from '../lib/api.ts'
import { format } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { decidedBy, reviewerName, setReviewerName } from '../lib/reviewer.ts'
import {
  choose,
  currentKey,
  type ReviewQueue,
  recordDecision,
  showSkipped,
  skip,
  startOf,
  undoLast,
} from '../lib/reviewQueue.ts'
import { hashOf } from '../lib/router.ts'
import { Failure } from '../parts/ErrorMessage.tsx'
import { PriceDifferences } from '../parts/PriceDifferences.tsx'
import { TemplatePairCard } from '../parts/TemplatePairCard.tsx'
import { Unavailable } from '../parts/Unavailable.tsx'
import { LongList } from '../parts/VirtualTable.tsx'

const path = '/v1/matching/templates'
const everyMs = 30_000
const pairsMax = 500

const columns = [
  { title: 'First text' },
  { title: 'Second text', class: 'wide-only' },
  { title: 'Value', class: 'num' },
  { title: 'Pairs', class: 'num wide-only' },
  { title: 'Edge', class: 'num wide-only' },
]

/** In words; the first text is compared with the second. */
const relationWords: Readonly<Record<MatchRelation, string>> = {
  identity: 'the same',
  complement: 'the opposite',
  subset: 'first implies second',
  superset: 'second implies first',
  overlap: 'nothing follows',
  disjoint: 'never both',
}

/** The word of the view on prices, where the other view has the key of a template pair. */
const pricesWord = 'prices'

export function ReviewPage({ words }: { words: string[] }) {
  const showsPrices = words[0] === pricesWord
  return (
    <>
      <h1>Review</h1>
      <nav class="filters" aria-label="Views of Review">
        <a href={hashOf('review')} aria-current={showsPrices ? undefined : 'page'}>
          Template pairs
        </a>
        <a href={hashOf('review', pricesWord)} aria-current={showsPrices ? 'page' : undefined}>
          Price differences
        </a>
        <label>
          Your name
          <input
            maxLength={120}
            value={reviewerName.value}
            onInput={({ currentTarget }) => setReviewerName(currentTarget.value)}
          />
        </label>
      </nav>
      {showsPrices ? <PriceDifferences /> : <TemplatePairs words={words} />}
    </>
  )
}

function TemplatePairs({ words }: { words: string[] }) {
  const [round, setRound] = useState(0)
  const [queue, setQueue] = useState<ReviewQueue>(() => startOf(words[0] ?? null))
  const { value, error } = usePolled(
    'template pairs',
    (signal) => api<OpenTemplatePair[]>(path, { limit: pairsMax }, signal),
    everyMs,
    round,
  )
  const pairs = value?.data ?? []
  const key = currentKey(
    queue,
    pairs.map((pair) => pair.key),
  )
  const last = queue.decided.at(-1)
  const change = (next: ReviewQueue): void => {
    setQueue(next)
    setRound((before) => before + 1)
  }
  return (
    <>
      <p class="quiet" role="status">
        {value === null ? '\u00a0' : statusOf(pairs.length, value.meta?.open, queue.decided.length)}
      </p>
      <Unavailable error={error} what="Review" />
      <div class="templates">
        <LongList
          label="Template pairs"
          columns={columns}
          rows={pairs}
          rowHeight={38}
          keyOf={(pair) => pair.key}
          cells={({ a, b, value: worth, pairs: count, edge }) => [
            a,
            b,
            format.compact(worth),
            format.count(count),
            format.price(edge),
          ]}
          isChosen={(pair) => pair.key === key}
          onChoose={(pair) => setQueue(choose(queue, pair.key))}
          empty={value !== null ? 'No open template pairs.' : error === null ? null : ''}
        />
      </div>
      {key !== null && <Reviewed key={key} pairKey={key} queue={queue} change={change} />}
      {key === null && value !== null && (
        <p class="card detail" role="status">
          No template pair waits for a decision.{' '}
          {pairs.length > 0 && (
            <button type="button" onClick={() => setQueue(showSkipped(queue))}>
              Show skipped ones again
            </button>
          )}{' '}
          {last !== undefined && (
            <button type="button" onClick={() => setQueue(choose(queue, last))}>
              Show the last decision
            </button>
          )}
        </p>
      )}
    </>
  )
}

function statusOf(shown: number, open: unknown, decided: number): string {
  const total = typeof open === 'number' ? open : shown
  return `${format.count(total)} open, ${format.count(decided)} decided here`
}

interface ReviewedProps {
  pairKey: string
  queue: ReviewQueue
  change(next: ReviewQueue): void
}

/** The pair that is shown, and its keys. */
function Reviewed({ pairKey, queue, change }: ReviewedProps) {
  const [round, setRound] = useState(0)
  const [refused, setRefused] = useState<ApiError | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [showsRelations, setShowsRelations] = useState(false)
  const { value, error } = usePolled(
    `template pair ${pairKey}`,
    (signal) => api<TemplatePairDetails>(`${path}/${pairKey}`, {}, signal),
    null,
    round,
  )

  const submit = async (key: string, verb: 'decide' | 'withdraw', body: object, next: ReviewQueue): Promise<void> => {
    if (isBusy) return
    setIsBusy(true)
    try {
      await send('POST', `${path}/${key}/${verb}`, { ...body, ...decidedBy() })
      setRefused(null)
      setRound((before) => before + 1)
      change(next)
    } catch (failure) {
      setRefused(failure instanceof ApiError ? failure : new ApiError('NETWORK', 'the server cannot be reached'))
    } finally {
      setIsBusy(false)
    }
  }
  // A key pressed twice must not decide the next pair before it is shown.
  const canDecide = value !== null && !isBusy
  const decide = (relation: MatchRelation): void => {
    if (canDecide) void submit(pairKey, 'decide', { relation }, recordDecision(queue, pairKey))
  }
  const decideSame = (): void => decide('identity')
  const decideDifferent = (): void => decide('overlap')
  const toggleRelations = (): void => setShowsRelations((before) => !before)
  const skipPair = (): void => change(skip(queue, pairKey))
  const last = queue.decided.at(-1)
  const undo = (): void => {
    if (last !== undefined) void submit(last, 'withdraw', {}, undoLast(queue))
  }
  const actions = new Map<string, () => void>([
    ['y', decideSame],
    ['n', decideDifferent],
    ['r', toggleRelations],
    ['s', skipPair],
    ['u', undo],
  ])
  if (showsRelations)
    for (const [at, relation] of matchRelations.entries()) actions.set(String(at + 1), () => decide(relation))
  // The buttons of the pair before are gone, and the focus with them.
  const section = useRef<HTMLElement>(null)
  const isFirst = queue.passed.length + queue.decided.length === 0
  useEffect(() => {
    if (!isFirst && document.activeElement === document.body) section.current?.focus({ preventScroll: true })
  }, [isFirst])
  // The handler sees the state of the last drawing.
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const action = actions.get(event.key.toLowerCase())
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })

  return (
    <section class="card detail review" aria-label="Template pair" tabIndex={-1} ref={section}>
      <div class="filters">
        <button type="button" disabled={!canDecide} onClick={decideSame}>
          <kbd>y</kbd> the same
        </button>
        <button type="button" disabled={!canDecide} onClick={decideDifferent}>
          <kbd>n</kbd> different
        </button>
        <button type="button" aria-expanded={showsRelations} onClick={toggleRelations}>
          <kbd>r</kbd> relation
        </button>
        <button type="button" onClick={skipPair}>
          <kbd>s</kbd> skip
        </button>
        <button type="button" disabled={isBusy || last === undefined} onClick={undo}>
          <kbd>u</kbd> undo
        </button>
      </div>
      {showsRelations && (
        <fieldset class="bar">
          <legend>Relation</legend>
          {matchRelations.map((relation, at) => (
            <button key={relation} type="button" disabled={!canDecide} onClick={() => decide(relation)}>
              <kbd>{at + 1}</kbd> {relation}: {relationWords[relation]}
            </button>
          ))}
        </fieldset>
      )}
      <Failure error={refused ?? error} />
      {value === null ? (
        error === null && <p class="quiet">Loading…</p>
      ) : (
        <TemplatePairCard key={pairKey} pair={value.data} />
      )}
    </section>
  )
}

/** Keys belong to a field while it has the focus. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
