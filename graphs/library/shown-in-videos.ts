import type { Sentence } from '../../src/core/agent.ts'
import type { KnownVideo } from '../../src/core/library.ts'
import { fileName } from '../../src/core/words/visible-text.ts'
import { rowsOf, shown } from '../answer/shown-answer.ts'
import type { AgentSession } from '../session.ts'

// Sentences with the videos and the times of their rows: "In talk.mp4: The room is 204 [0:12-0:15]." As times do, the names come from
// the rows and not from a model.
export function shownInVideos(
  sentences: readonly Sentence[],
  videos: readonly KnownVideo[],
  session: AgentSession,
): string {
  const names = new Map(videos.map(({ id, name }) => [id, fileName(name)]))
  let before = ''
  return sentences
    .map(sentence => {
      const groups = new Map<string, string[]>()
      for (const { id, video } of rowsOf(session, [sentence])) {
        const name = names.get(video) ?? video
        groups.set(name, [...(groups.get(name) ?? []), id])
      }
      const [name = ''] = groups.keys()
      if (groups.size <= 1) {
        const lead = name === '' || name === before ? '' : `In ${name}: `
        before = name || before
        return `${lead}${shown(sentence, session)}`
      }
      before = ''
      const parts = [...groups].map(([name, cites]) => shown({ ...sentence, text: `In ${name}`, cites }, session))
      return `${sentence.text.trim()} ${parts.join(' ')}`
    })
    .join(' ')
}
