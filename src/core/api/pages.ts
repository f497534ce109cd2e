import { libraryGraph } from '../library.ts'

// The addresses of the page, by view. Every state that somebody would share is in one of them.
const pages = {
  library: '/',
  video: '/v/:video',
  search: '/search',
  ask: '/ask',
  runs: '/runs',
  run: '/r/:run',
  compare: '/compare',
  reports: '/reports',
  report: '/reports/:report',
  jobs: '/jobs',
  health: '/health',
  settings: '/settings',
} as const

export type PageName = keyof typeof pages

export interface PageMatch {
  page: PageName
  params: Readonly<Record<string, string>>
}

export function pageAt(path: string): PageMatch | undefined {
  const parts = path.split('/')
  for (const [page, pattern] of Object.entries(pages)) {
    const params = match(pattern.split('/'), parts)
    if (params) return { page: page as PageName, params }
  }
  return undefined
}

// "/v/abc?t=12-15"; parameters that are undefined are left out.
export function pageAddress(
  page: PageName,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const path = pages[page].replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return path + queryText(query)
}

// Where a question and its answer are shown: on the page of its video, or among those about all videos.
export function questionAddress(video: { id: string } | undefined, run: string): string {
  if (video === undefined) return pageAddress('run', { run })
  return video.id === libraryGraph
    ? pageAddress('ask', {}, { run })
    : pageAddress('video', { video: video.id }, { run })
}

// "?t=12&q=a%20b", or nothing.
export function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return parameters.size === 0 ? '' : `?${parameters}`
}

function match(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, expected] of pattern.entries()) {
    const pathPart = parts[at] ?? ''
    if (!expected.startsWith(':')) {
      if (pathPart !== expected) return undefined
    } else {
      const value = decoded(pathPart)
      if (value === undefined || value === '') return undefined
      params[expected.slice(1)] = value
    }
  }
  return params
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
