import { signal } from '@preact/signals'

// The token that "longtake serve" printed. It came in the fragment, which is never sent, and is kept for this origin alone.
const name = 'longtake-token'

export const token = signal<string | undefined>(undefined)

export function readToken(): void {
  const given = tokenIn(location.hash)
  if (given !== undefined) {
    keepToken(given)
    history.replaceState(history.state, '', location.pathname + location.search)
  } else token.value = localStorage.getItem(name) ?? undefined
}

export function keepToken(given: string): void {
  localStorage.setItem(name, given)
  token.value = given
}

// The server does not take it: it was started again since.
export function dropToken(): void {
  localStorage.removeItem(name)
  token.value = undefined
}

// From an address with "#token=..." or from the token alone.
export function tokenIn(text: string): string | undefined {
  return /(?:^|#token=)([\w-]{43,})$/.exec(text.trim())?.[1]
}
