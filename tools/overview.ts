import { z } from 'zod'
import { formatSpan, formatTime } from '../src/core/time.ts'
import type { Overview } from '../src/core/video.ts'
import { defineTool } from './define.ts'

export default defineTool({
  name: 'overview',
  description:
    'The whole video at a glance: length, shots, speakers, chapters with a summary each, and what is not indexed.',
  kind: 'overview',
  input: z.object({}),
  async run(_input, { index }) {
    const { overview } = index
    const cited = overview.chapters.flatMap(chapter => chapter.cites)
    const { whole = [], threads = [] } = overview
    const summaries = index
      .evidence({ tracks: ['summary'] })
      .filter(row => row.level !== 'clip' && row.level !== 'scene')
    const lines = [
      `${formatTime(overview.duration)} long, ${overview.shots} shots${formatSpeakers(overview)}.`,
      ...(whole.length > 0 ? [whole.map(({ text }) => text).join(' ')] : []),
      ...overview.chapters.map(chapter => `${formatSpan(chapter.span)} ${chapter.title}: ${chapter.summary}`),
      ...threads.map(({ text }) => `Left open: ${text}`),
      ...overview.notIndexed.map(one => `Not indexed: ${one}`),
    ]
    const rows = cited.map(id => index.byId(id)).filter(row => row !== undefined)
    return { evidence: [...rows, ...summaries], text: lines.join('\n') }
  },
})

function formatSpeakers({ speakers, speaking = [] }: Overview): string {
  const named = speakers.map(name => {
    const seconds = speaking.find(({ speaker }) => speaker === name)?.seconds
    return seconds === undefined ? name : `${name} (speaks ${formatTime(seconds)})`
  })
  return named.length > 0 ? `, speakers: ${named.join(', ')}` : ''
}
