// Replays one outcome from the tape at a chosen speed. What is drawn is labelled as past.
import { useState } from 'preact/hooks'
import { format } from '../lib/format.ts'
import { localMoment } from '../lib/replay.ts'
import { useReplay } from '../lib/useReplay.ts'
import { Gaps } from './Gaps.tsx'
import { LadderRows } from './LadderTable.tsx'

const speedMin = 0.1
const speedMax = 1_000
const noSides = { bids: [], asks: [] }
const words = {
  idle: 'stopped',
  loading: 'loading',
  playing: 'playing',
  paused: 'paused',
  ended: 'finished',
  failed: 'failed',
} as const

interface Options {
  venue: string
  outcomeId: string
  /** The proposed start. */
  sinceMs: number
  untilMs: number
}

export function ReplayPanel({ venue, outcomeId, ...proposed }: Options) {
  const [window, setWindow] = useState(proposed)
  const [typed, setTyped] = useState('1')
  const [dragged, setDragged] = useState<number | null>(null)
  const wantedSpeed = Number(typed)
  const isSpeed = typed.trim() !== '' && wantedSpeed >= speedMin && wantedSpeed <= speedMax
  const [speed, setSpeed] = useState(1)
  const replay = useReplay({ venue, outcomeId, ...window, speed })
  const { state, clock } = replay
  const isWindow = window.untilMs > window.sinceMs
  const shown = dragged ?? clock
  const choose = (text: string, name: 'sinceMs' | 'untilMs'): void => {
    const at = Date.parse(text)
    if (!Number.isNaN(at)) setWindow((before) => ({ ...before, [name]: at }))
  }
  return (
    <section class="replay" aria-label="Replay">
      <h3>Replay</h3>
      <div class="filters">
        <label>
          From
          <input
            type="datetime-local"
            step={1}
            value={localMoment(window.sinceMs)}
            onChange={({ currentTarget }) => choose(currentTarget.value, 'sinceMs')}
          />
        </label>
        <label>
          To
          <input
            type="datetime-local"
            step={1}
            value={localMoment(window.untilMs)}
            onChange={({ currentTarget }) => choose(currentTarget.value, 'untilMs')}
          />
        </label>
        <label>
          Speed, ×
          <input
            inputMode="decimal"
            size={6}
            value={typed}
            aria-invalid={!isSpeed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            onChange={() => isSpeed && setSpeed(wantedSpeed)}
          />
        </label>
        {state.phase === 'playing' || state.phase === 'loading' ? (
          <button type="button" onClick={replay.pause} disabled={state.phase === 'loading'}>
            Pause
          </button>
        ) : state.phase === 'paused' ? (
          <button type="button" class="primary" onClick={replay.resume}>
            Resume
          </button>
        ) : (
          <button
            type="button"
            class="primary"
            disabled={!isWindow || !isSpeed}
            onClick={() => replay.play(state.phase === 'ended' ? window.sinceMs : clock)}
          >
            Play
          </button>
        )}
      </div>
      <label class="scrubber">
        <span>
          Position <b>{format.time(shown)}</b>
        </span>
        <input
          type="range"
          min={window.sinceMs}
          max={Math.max(window.untilMs, window.sinceMs + 1)}
          step={1_000}
          value={shown}
          aria-valuetext={format.time(shown)}
          onInput={({ currentTarget }) => setDragged(Number(currentTarget.value))}
          onChange={({ currentTarget }) => {
            setDragged(null)
            replay.seek(Number(currentTarget.value))
          }}
        />
      </label>
      <p class="bar" role="status">
        <span class="badge replayed">replay</span> {words[state.phase]}
        <small>
          {state.at === null
            ? 'no frames yet'
            : `${format.count(state.frames)} frames, last at ${format.time(state.at)}`}
        </small>
      </p>
      <p class="bad reason" role="alert">
        {!isSpeed ? 'Enter a speed from 0.1 to 1,000.' : !isWindow ? 'The end must be after the start.' : state.reason}
      </p>
      <div class="grid">
        <div class="half replayed-book">
          <h3>Replayed book</h3>
          <LadderRows sides={state.book ?? noSides} />
        </div>
        <div class="half">
          <h3>Replayed trades</h3>
          <div class="list fixed" tabIndex={0} role="region" aria-label="Replayed trades">
            <table class="ladder">
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Taker</th>
                  <th scope="col" class="num">
                    Price
                  </th>
                  <th scope="col" class="num">
                    Size
                  </th>
                </tr>
              </thead>
              <tbody>
                {state.trades.map(({ id, timestamp, side, price, size }) => (
                  <tr key={id}>
                    <td>{format.time(timestamp)}</td>
                    <td class={side === 'Buy' ? 'good' : side === 'Sell' ? 'bad' : ''}>{side.toLowerCase()}</td>
                    <td class="num">{format.price(price)}</td>
                    <td class="num">{format.size(size)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {state.trades.length === 0 && <p class="quiet">No trades yet.</p>}
          </div>
        </div>
      </div>
      {state.gaps.length > 0 && <Gaps label="Gaps during the replay" gaps={state.gaps} />}
      <p class="quiet">Every 5,000 frames started cost 10 credits, like a page of history. Seeking starts a new run.</p>
    </section>
  )
}
