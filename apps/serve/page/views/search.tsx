import { useComputed } from '@preact/signals'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api, type ReplyTo } from '../api.ts'
import { useLoad } from '../load.ts'
import { formatCount } from '../parts/format.ts'
import { Empty, ProblemNotice } from '../parts/problem.tsx'
import { currentRoute } from '../router.ts'
import { Filters } from '../search/filters.tsx'
import { HitList } from '../search/hits.tsx'
import type { ViewProps } from '../view.ts'

export type SearchReply = ReplyTo<'GET /search'>

// What the address asks for: ?q=&tracks=speech,text&video=&after=&before=
export default function Search(_: ViewProps) {
  const queryText = useComputed(() => currentRoute.value.query.toString())
  const { loaded, again } = useLoad(async signal => {
    const query = new URLSearchParams(queryText.value)
    const of = (name: string) => query.get(name) || undefined
    const q = of('q')
    if (q === undefined) return undefined
    const { tracks, video, after, before } = {
      tracks: of('tracks'),
      video: of('video'),
      after: of('after'),
      before: of('before'),
    }
    const reply = await api('GET /search', { query: { q, tracks, video, after, before, k: 60 }, signal })
    return { q, found: reply }
  })
  const { state, value, error } = loaded.value
  return (
    <div class="search">
      <div class="view-head">
        <h1>Search</h1>
        <p class="dim small" role="status">
          {state === 'loading' && 'Searching…'}
          {value &&
            `${formatCount(value.found.hits.length, 'moment')} in ${formatCount(countVideos(value.found), 'video')}`}
        </p>
      </div>
      <Filters />
      {error && <ProblemNotice error={error} again={again} />}
      {state === 'ready' && !value && (
        <Empty title="What is said, shown or heard, in every video at once">
          <p>Type a few words above. Each hit opens its video at the moment.</p>
        </Empty>
      )}
      {value && value.found.hits.length === 0 && <Nothing found={value.found} />}
      {value && <HitList found={value.found} question={value.q} />}
      {value && value.found.notSearched.length > 0 && <NotSearchedNotice videos={value.found.notSearched} />}
    </div>
  )
}

function countVideos({ hits }: SearchReply): number {
  return new Set(hits.map(({ video }) => video.id)).size
}

function Nothing({ found }: { found: SearchReply }) {
  return (
    <Empty title="Nothing was found">
      <p>
        {found.searched.length === 0
          ? 'No video could be searched.'
          : `${formatCount(found.searched.length, 'video')} searched. Try other words, or all tracks.`}
      </p>
    </Empty>
  )
}

// What could not be looked into: an empty list of hits says nothing of these.
function NotSearchedNotice({ videos }: { videos: ReplyTo<'GET /search'>['notSearched'] }) {
  return (
    <details class="not-searched panel" open={videos.length <= 5}>
      <summary>{formatCount(videos.length, 'video')} not searched</summary>
      <ul>
        {videos.map(({ id, name, why, mend }) => (
          <li key={id}>
            <a href={pageAddress('video', { video: id })}>
              <Text of={name ?? id} />
            </a>
            <Text of={why} class="dim" />
            <Text of={mend} class="path dim" />
          </li>
        ))}
      </ul>
    </details>
  )
}
