import { useSignal } from '@preact/signals'
import { Dialog } from '../parts/dialog.tsx'
import { keepToken, tokenIn } from '../token.ts'

// The page carries nothing without the token: it says how to get one.
export function TokenGate() {
  return (
    <main class="gate">
      <h1>longtake</h1>
      <p>This page needs the token of the server.</p>
      <TokenForm />
    </main>
  )
}

// Over the page, which stays as it is.
export function TokenDialog() {
  return (
    <Dialog title="The server needs its token again">
      <p role="alert">
        The server does not take the token of this page: another server runs here now, or it was started with
        --new-token.
      </p>
      <TokenForm />
    </Dialog>
  )
}

function TokenForm() {
  const wrong = useSignal(false)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('token') as HTMLInputElement
    const enteredToken = tokenIn(field.value)
    if (enteredToken === undefined) wrong.value = true
    else keepToken(enteredToken)
  }
  return (
    <form class="token-form" onSubmit={submit}>
      <p>
        Open the address that <code>longtake serve</code> printed, or paste it here:
      </p>
      <p class="path dim small" aria-hidden="true">
        {location.origin}/#token=…
      </p>
      <label for="token">Address or token</label>
      <input
        id="token"
        name="token"
        type="password"
        autocomplete="off"
        spellcheck={false}
        required
        aria-invalid={wrong.value}
        aria-describedby={wrong.value ? 'token-wrong' : undefined}
      />
      <button type="submit" class="primary">
        Open
      </button>
      {wrong.value && (
        <p id="token-wrong" class="wrong" role="alert">
          That is not an address or token of longtake: a token has 43 letters, figures, dashes and underscores.
        </p>
      )}
    </form>
  )
}
