import { signal } from '@preact/signals'

// The token that "longtake serve" printed. It came in the fragment, which is never sent, and is kept for this origin only.
const name = 'longtake-token'

export const token = signal<string | undefined>(undefined)
export const refused = signal(false) // the server did not take the last one

export function readToken(): void {
  const urlToken = tokenIn(location.hash)
  if (urlToken !== undefined) {
    keepToken(urlToken)
    history.replaceState(history.state, '', location.pathname + location.search)
  } else token.value = localStorage.getItem(name) ?? undefined
}

export function keepToken(given: string): void {
  localStorage.setItem(name, given)
  take(given)
}

// The server does not take it. The page stays; another token may have come meanwhile, here or in another tab.
export function dropToken(given: string): void {
  if (localStorage.getItem(name) === given) localStorage.removeItem(name)
  if (token.peek() === given) refused.value = true
}

// A token that is given in one tab opens all.
export function shareToken(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === name && newValue !== null && newValue !== token.peek()) take(newValue)
  })
}

function take(given: string): void {
  token.value = given
  refused.value = false
}

// From an address with "#token=..." or from the token itself.
export function tokenIn(text: string): string | undefined {
  return /(?:^|#token=)([\w-]{43,})$/.exec(text.trim())?.[1]
}
