import { isOver } from '../../../../src/core/api/job-state.ts'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { Text } from '../parts/text.tsx'
import type { Conversation } from './conversation.ts'
import { IndexProgress } from './index-progress.tsx'
import { isUnderWay } from './turns.ts'

const sayings: Partial<Record<VideoDetails['state'], string>> = {
  changed: 'The file has changed since it was indexed.',
  gone: 'Not indexed, and the file is missing.',
}

// What indexing would make. The first question takes it along; it can be made alone as well.
export function NoIndex({ video, chat }: { video: VideoDetails; chat: Conversation }) {
  const job = chat.indexing.value
  if (job && !isOver(job.state))
    return (
      <div class="no-index">
        <p>
          {job.state === 'waiting' ? 'Indexing is waiting for its turn.' : 'Indexing'}
          {job.state !== 'waiting' && (job.kind === 'ask' ? ' for a question in another conversation.' : '…')}
        </p>
        <IndexProgress stages={chat.stages(job)} />
        {job.kind === 'index' ? (
          <button type="button" class="stop" onClick={() => chat.stop(job)}>
            Stop
          </button>
        ) : (
          <a href={pageAddress('jobs')}>All jobs</a>
        )}
      </div>
    )
  if (chat.turns.value.some(isUnderWay)) return null // its stages are those of the question
  const canIndex = video.state !== 'gone'
  return (
    <div class="no-index">
      <p>
        {sayings[video.state] ?? 'Not indexed yet.'}
        {canIndex && ' Asking starts indexing.'}
      </p>
      {job?.state === 'failed' && job.error && (
        <p class="wrong small">
          The last indexing failed: <Text of={job.error.message} />
        </p>
      )}
      {canIndex && (
        <button type="button" onClick={chat.index}>
          {job?.state === 'failed' || job?.state === 'cancelled' ? 'Resume indexing' : 'Index now'}
        </button>
      )}
    </div>
  )
}
