import { useSignal } from '@preact/signals'
import { keepToken, refused, tokenIn } from '../token.ts'

// The page carries nothing without the token: it says how to get one.
export function TokenGate() {
  const wrong = useSignal(false)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('token') as HTMLInputElement
    const enteredToken = tokenIn(field.value)
    if (enteredToken === undefined) wrong.value = true
    else keepToken(enteredToken)
  }
  return (
    <main class="gate">
      <h1>longtake</h1>
      <p>This page needs the token of the server, which is another one after each start.</p>
      <p>
        Open the address that <code>longtake serve</code> has printed, or paste it here.
      </p>
      {refused.value && (
        <p class="wrong" role="alert">
          The server does not take the token that this page had: it was started again since then, or the token is
          another server's.
        </p>
      )}
      <form onSubmit={submit}>
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
    </main>
  )
}
