import { render } from 'preact'
import './style/page.css'
import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { PageName } from '../../../src/core/api/pages.ts'
import { Dialog } from '../../../src/page/dialog.tsx'
import { ApiError } from './api.ts'
import { liveConnection, startLive } from './live.ts'
import { Empty, ProblemNotice } from './parts/problem.tsx'
import { currentRoute, followLinks } from './router.ts'
import { keepToken, readToken, refused, shareToken, token, tokenIn } from './token.ts'
import { TopBar } from './top-bar.tsx'
import type { View } from './view.ts'

// Each view is a file, loaded when it is opened.
const views: Record<PageName, () => Promise<{ default: View }>> = {
  library: () => import('./views/library.tsx'),
  video: () => import('./views/video.tsx'),
  search: () => import('./views/search.tsx'),
  ask: () => import('./views/ask.tsx'),
  runs: () => import('./views/runs.tsx'),
  run: () => import('./views/run.tsx'),
  compare: () => import('./views/compare.tsx'),
  reports: () => import('./views/reports.tsx'),
  report: () => import('./views/report.tsx'),
  jobs: () => import('./views/runs.tsx'),
  health: () => import('./views/health.tsx'),
  settings: () => import('./views/settings.tsx'),
}

function Shell() {
  if (token.value === undefined) return <TokenGate />
  return <Opened />
}

function Opened() {
  useEffect(startLive, [])
  const { match, path } = currentRoute.value
  const main = useRef<HTMLElement>(null)
  const shownPath = useRef(path)
  useEffect(() => {
    if (shownPath.current !== path) main.current?.focus({ preventScroll: true }) // what had the focus is gone
    shownPath.current = path
  }, [path])
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <TopBar page={match?.page} />
      <main id="main" class={liveConnection.value === 'lost' ? 'offline' : undefined} tabIndex={-1} ref={main}>
        {match ? <OpenView key={path} {...match} /> : <NoSuchPage path={path} />}
      </main>
      {refused.value && <TokenDialog />}
    </>
  )
}

function OpenView({ page, params }: { page: PageName; params: Readonly<Record<string, string>> }) {
  const loaded = useSignal<View | Error | undefined>(undefined)
  useSignalEffect(() => {
    views[page]().then(
      view => {
        loaded.value = view.default
      },
      () => {
        loaded.value = notLoaded()
      },
    )
  })
  const LoadedView = loaded.value
  if (LoadedView === undefined) return <p class="loading">Loading…</p>
  if (LoadedView instanceof Error) return <ProblemNotice error={LoadedView} again={() => location.reload()} />
  return <LoadedView params={params} />
}

// Its file did not come: what the browser says of that names a file and no next step.
function notLoaded(): Error {
  return new ApiError({
    message: 'This part of the page could not be loaded.',
    hint: 'Reload the page, or start the server: longtake serve',
    code: 'offline',
    retryable: true,
  })
}

function NoSuchPage({ path }: { path: string }) {
  return (
    <Empty title="Page not found">
      <p>
        Nothing is at <code>{path}</code>. <a href="/">Go to the library</a>
      </p>
    </Empty>
  )
}

// The page carries nothing without the token: it says how to get one.
function TokenGate() {
  return (
    <main class="gate">
      <h1>longtake</h1>
      <p>This page needs the token of the server.</p>
      <TokenForm />
    </main>
  )
}

// Over the page, which stays as it is.
function TokenDialog() {
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

readToken()
shareToken()
followLinks()
render(<Shell />, document.getElementById('page') as HTMLElement)
