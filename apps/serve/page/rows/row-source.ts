import { type ReadonlySignal, signal } from '@preact/signals'
import { api, type ReplyTo } from '../api.ts'

export type ShownRow = ReplyTo<'GET /videos/:video/rows'>['rows'][number] & { video?: string }

// The rows of a video by their place among those of some tracks, fetched by the page of 500 that they are in.
export interface RowSource {
  changed: ReadonlySignal<number> // counts the pages that came
  peek(tracks: string, at: number): ShownRow | undefined // asks for its page where it is not there yet
  row(tracks: string, at: number): Promise<ShownRow | undefined>
}

const pageLength = 500
const maxPages = 40 // 20,000 rows

export function openRows(video: string): RowSource {
  const changed = signal(0)
  const pages = new Map<string, ShownRow[]>()
  const coming = new Map<string, Promise<ShownRow[]>>()
  const fetched = (tracks: string, at: number): Promise<ShownRow[]> => {
    const first = Math.floor(at / pageLength) * pageLength
    const key = `${tracks} ${first}`
    const pending = coming.get(key)
    if (pending) return pending
    const page = api('GET /videos/:video/rows', { params: { video }, query: { tracks, cursor: first } }).then(
      ({ rows }) => rows,
    )
    coming.set(key, page)
    page.then(
      rows => {
        pages.set(key, rows)
        for (const old of [...pages.keys()].slice(0, -maxPages)) {
          pages.delete(old)
          coming.delete(old)
        }
        changed.value++
      },
      () => void coming.delete(key), // asked for again by the next who needs it
    )
    return page
  }
  return {
    changed,
    peek(tracks, at) {
      const page = pages.get(`${tracks} ${Math.floor(at / pageLength) * pageLength}`)
      if (!page) fetched(tracks, at).catch(() => {})
      return page?.[at % pageLength]
    },
    row: (tracks, at) =>
      fetched(tracks, at).then(
        page => page[at % pageLength],
        () => undefined,
      ),
  }
}
