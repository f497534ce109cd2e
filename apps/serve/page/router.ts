import { type ReadonlySignal, signal } from '@preact/signals'
import { type PageMatch, pageAt } from '../../../src/core/api/pages.ts'

interface RouteState {
  match: PageMatch | undefined
  path: string
  query: URLSearchParams
}

const current = signal<RouteState>(placeNow())

// Where the page is. Views read it; links and `go` change it.
export const currentRoute: ReadonlySignal<RouteState> = current

export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address)
  else history.replaceState(history.state, '', address)
  current.value = placeNow()
}

// Changes what stands behind the "?" of this view. An undefined value takes the name out.
export function setQuery(
  changes: Readonly<Record<string, string | number | undefined>>,
  how: 'push' | 'replace' = 'replace',
): void {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name)
    else query.set(name, String(value))
  }
  const text = query.toString()
  go(location.pathname + (text === '' ? '' : `?${text}`), how)
}

// Links are plain links; those to another view load no new page.
export function followLinks(): void {
  addEventListener('popstate', () => {
    current.value = placeNow()
  })
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return
    if (!pageAt(link.pathname)) return
    if (link.hash !== '' && link.pathname === location.pathname) return // to a place on this page
    event.preventDefault()
    const other = link.pathname !== location.pathname
    go(link.pathname + link.search)
    if (other) scrollTo(0, 0)
  })
}

function placeNow(): RouteState {
  return { match: pageAt(location.pathname), path: location.pathname, query: new URLSearchParams(location.search) }
}
