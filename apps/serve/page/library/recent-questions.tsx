import { questionAddress } from '../../../../src/core/api/pages.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api } from '../api.ts'
import { useLoad } from '../load.ts'
import { currentRoute } from '../router.ts'

const most = 4

interface Question {
  name: string
  video?: { id: string }
}

const isSame = (one: Question) => (other: Question) => one.name === other.name && one.video?.id === other.video?.id

// What was asked last, of any video, each question once. Nothing in a chosen folder or a filtered list.
export function RecentQuestions() {
  const { loaded } = useLoad(signal => api('GET /runs', { signal }))
  const questions = (loaded.value.value?.runs ?? []).filter(({ kind }) => kind === 'question')
  const runs = questions.filter((run, at) => questions.findIndex(isSame(run)) === at).slice(0, most)
  if (runs.length === 0 || currentRoute.value.query.size > 0) return null
  return (
    <nav class="recent-questions small" aria-label="Recent questions">
      <span class="dim">Recent</span>
      {runs.map(({ id, name, video }) => (
        <a key={id} href={questionAddress(video, id)}>
          <Text of={name} />
        </a>
      ))}
    </nav>
  )
}
