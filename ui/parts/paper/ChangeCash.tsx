// Pays play money in, and resets the account.
import { useRef, useState } from 'preact/hooks'
import type { PaperAccount } from '#schemas/paper'
import { ApiError, send } from '../../lib/api.ts'
import { format } from '../../lib/format.ts'
import { currencyChoices, depositVenues, isDepositAmount, newKey } from '../../lib/paper/deposit.ts'
import { Failure } from '../ErrorMessage.tsx'

const path = '/v1/paper/account'
const notNamed = 'not named'

interface Options {
  /** Null: not loaded yet. */
  account: PaperAccount | null
  onChanged(): void
}

export function ChangeCash({ account, onChanged }: Options) {
  const [venue, setVenue] = useState('kalshi')
  const [chosen, setChosen] = useState<string | null>(null)
  const [amount, setAmount] = useState('')
  const [isConfirming, setIsConfirming] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [result, setResult] = useState<string | null>(null)
  const [refused, setRefused] = useState<ApiError | null>(null)
  const attempt = useRef<{ of: string; key: string } | null>(null)
  const choices = currencyChoices(venue, account?.balances ?? [])
  const currency = choices.includes(chosen) ? chosen : (choices[0] ?? null)

  const run = async (change: () => Promise<string>): Promise<void> => {
    setIsBusy(true)
    setResult(null)
    setRefused(null)
    try {
      setResult(await change())
      onChanged()
    } catch (failure) {
      setRefused(failure instanceof ApiError ? failure : new ApiError('NETWORK', 'the server cannot be reached', true))
    } finally {
      setIsBusy(false)
    }
  }
  const deposit = () =>
    run(async () => {
      const body = { venue, amount, ...(currency !== null && { currency }) }
      const of = JSON.stringify(body)
      // An answer that was lost is requested again under the same key, until there is one.
      if (attempt.current?.of !== of) attempt.current = { of, key: newKey() }
      await send<PaperAccount>('POST', `${path}/deposit`, body, attempt.current.key)
      attempt.current = null
      setAmount('')
      return `Paid in ${amount}${currency === null ? '' : ` ${currency}`} at ${venue}.`
    })
  const reset = () =>
    run(async () => {
      const { data } = await send<PaperAccount>('POST', `${path}/reset`, { confirm: true })
      setIsConfirming(false)
      return `Reset: cash is ${format.decimal(data.startCash)} everywhere; orders and positions are gone.`
    })

  return (
    <>
      <div class="filters">
        <label>
          Venue
          <select value={venue} onChange={({ currentTarget }) => setVenue(currentTarget.value)}>
            {depositVenues.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label>
          Currency
          <select
            value={currency ?? ''}
            onChange={({ currentTarget }) => setChosen(currentTarget.value === '' ? null : currentTarget.value)}
          >
            {choices.map((each) => (
              <option key={each ?? notNamed} value={each ?? ''}>
                {each ?? notNamed}
              </option>
            ))}
          </select>
        </label>
        <label>
          Amount
          <input
            inputMode="decimal"
            autocomplete="off"
            placeholder="500"
            value={amount}
            onInput={({ currentTarget }) => setAmount(currentTarget.value.trim())}
          />
        </label>
        <button type="button" disabled={isBusy || !isDepositAmount(amount)} onClick={() => void deposit()}>
          Deposit
        </button>
        {isConfirming ? (
          <>
            <button type="button" disabled={isBusy} onClick={() => void reset()}>
              Reset: give up all orders and positions
            </button>
            <button type="button" disabled={isBusy} onClick={() => setIsConfirming(false)}>
              Keep them
            </button>
          </>
        ) : (
          <button type="button" disabled={isBusy || account === null} onClick={() => setIsConfirming(true)}>
            Reset account…
          </button>
        )}
      </div>
      <Failure error={refused} />
      <p role="status" class="account-result">
        {isBusy ? 'Sending…' : result}
      </p>
      <p class="quiet">
        A deposit is at most 1,000,000, with at most six decimals, and an account has at most 10,000,000 in one place.
        Nothing is paid out. A reset cancels all orders, gives up all positions for nothing and sets all cash to the
        start amount; what happened before stays in the history.
      </p>
    </>
  )
}
