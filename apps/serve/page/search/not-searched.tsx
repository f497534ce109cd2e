import { pageAddress } from '../../../../src/core/api/pages.ts'
import type { ReplyTo } from '../api.ts'
import { formatCount } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'

// What could not be looked into: an empty list of hits says nothing of these.
export function NotSearchedNotice({ videos }: { videos: ReplyTo<'GET /search'>['notSearched'] }) {
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
