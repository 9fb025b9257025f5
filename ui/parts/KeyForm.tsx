import { useState } from 'preact/hooks'
import { ApiError, signIn } from '../lib/api.ts'
import { signOutReason } from '../lib/session.ts'

export function KeyForm() {
  const [busy, setBusy] = useState(false)
  return (
    <form
      class="card key"
      onSubmit={(event) => {
        event.preventDefault()
        // The field's current value: a key that is pasted and submitted at once must not wait for a render.
        const key = String(new FormData(event.currentTarget).get('key') ?? '').trim()
        if (key === '') return
        setBusy(true)
        signIn(key).catch((error: unknown) => {
          signOutReason.value = error instanceof ApiError ? error.message : 'the server cannot be reached'
          setBusy(false)
        })
      }}
    >
      <h1>API key</h1>
      <p>
        <code>npm run demo</code> prints one at start, and a link that brings it along;{' '}
        <code>npx crossbook keys create</code> makes more. A key that you type stays in this page’s memory and is gone
        after a reload.
      </p>
      <label>
        Key
        <input name="key" type="password" autocomplete="off" spellcheck={false} />
      </label>
      <button type="submit" class="primary" disabled={busy}>
        Open dashboard
      </button>
      <p role="alert" class="bad">
        {signOutReason.value}
      </p>
    </form>
  )
}
