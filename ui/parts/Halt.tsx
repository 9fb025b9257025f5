// The switch that halts trading: its current state, and whether it can be changed here. Halts by the operator can only be lifted by the
// operator.
import { useState } from 'preact/hooks'
import type { Halt } from '#schemas/halts'
import { ApiError, api, send } from '../lib/api.ts'
import { format } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { Failure } from './ErrorMessage.tsx'

const path = '/v1/exec/halt'
const everyMs = 3_000

export function HaltPanel() {
  const [turns, setTurns] = useState(0)
  const [changedHalts, setChangedHalts] = useState<readonly Halt[] | null>(null)
  const [reason, setReason] = useState('')
  const [refused, setRefused] = useState<ApiError | null>(null)
  // Read again after each change: an earlier read may be out of date.
  const { value, error } = usePolled(`halts ${turns}`, (signal) => api<Halt[]>(path, {}, signal), everyMs)
  const halts = value?.data ?? changedHalts
  const turn = async (method: 'POST' | 'DELETE', scope: Halt['scope'], venue: string | null): Promise<void> => {
    try {
      const body = { scope, reason: reason.trim(), ...(venue !== null && { venue }) }
      const { data } = await send<{ halts: Halt[] }>(method, path, body)
      setChangedHalts(data.halts)
      setTurns((before) => before + 1)
      setReason('')
      setRefused(null)
    } catch (failure) {
      setRefused(failure instanceof ApiError ? failure : new ApiError('NETWORK', 'the server cannot be reached'))
    }
  }
  return (
    <section class={`card halt ${(halts?.length ?? 0) > 0 ? 'halted' : ''}`} aria-label="Halt">
      <h2>Halt</h2>
      <Failure error={refused ?? error} />
      <ul class="plain">
        {error !== null && <li>Whether trading is halted is not known right now.</li>}
        {error === null && halts?.length === 0 && <li>Trading is not halted.</li>}
        {halts?.map((halt) => (
          <li key={`${halt.by} ${halt.scope} ${halt.venue}`} class="bar">
            <span class="badge bad">halted</span> {halt.venue ?? 'everywhere'}, by the {halt.by}: {halt.reason}{' '}
            <small>
              since {format.date(halt.since)}, {format.time(halt.since)}
            </small>
            {halt.by === 'account' && (
              <button
                type="button"
                disabled={reason.trim() === ''}
                onClick={() => void turn('DELETE', halt.scope, halt.venue)}
              >
                Lift
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="filters">
        <label class="wide">
          Reason
          <input maxLength={300} value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
        </label>
        <button type="button" disabled={reason.trim() === ''} onClick={() => void turn('POST', 'account', null)}>
          Halt all trading
        </button>
      </div>
    </section>
  )
}
