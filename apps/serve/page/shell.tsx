import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { PageName } from '../../../src/core/api/pages.ts'
import { ApiError } from './api.ts'
import { liveConnection, startLive } from './live.ts'
import { Empty, ProblemNotice } from './parts/problem.tsx'
import { currentRoute } from './router.ts'
import { refused, token } from './token.ts'
import { TopBar } from './top-bar.tsx'
import type { View } from './view.ts'
import { TokenDialog, TokenGate } from './views/token-gate.tsx'

// Each view is a file, loaded when it is opened.
const views: Record<PageName, () => Promise<{ default: View }>> = {
  library: () => import('./views/library.tsx'),
  video: () => import('./views/video.tsx'),
  search: () => import('./views/search.tsx'),
  runs: () => import('./views/runs.tsx'),
  run: () => import('./views/run.tsx'),
  compare: () => import('./views/compare.tsx'),
  reports: () => import('./views/reports.tsx'),
  report: () => import('./views/report.tsx'),
  jobs: () => import('./views/runs.tsx'),
  health: () => import('./views/health.tsx'),
}

export function Shell() {
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
