import { formatSpan } from '../../src/core/time.ts'
import type { Overview, OverviewPart } from '../../src/core/video.ts'
import { fence } from '../../src/core/words/fence.ts'

// What is known of the whole video, in so many characters. Of a written overview the whole comes first, and of its chapters as much as
// fits for all of them: their summaries, the first sentence of each, or their titles alone.
export function overviewBlock(overview: Overview, characters: number): string {
  const { chapters, whole = [], threads = [] } = overview
  if (chapters.length === 0) return ''
  if (whole.length === 0) return fence('overview', listed(chapters, ({ summary }) => summary).slice(0, characters))
  const about = whole.map(({ text }) => text).join(' ')
  const open = threads.length > 0 ? `Left open: ${threads.map(({ text }) => text).join(' ')}` : ''
  const room = characters - about.length - open.length - 2
  const lengths = [
    ({ summary }: OverviewPart) => summary,
    ({ summary, sentences = [] }: OverviewPart) => sentences[0]?.text ?? summary,
    () => '',
  ]
  const forms = lengths.map(shown => listed(chapters, shown))
  const fitting = forms.find(form => form.length <= room) ?? forms.at(-1)?.slice(0, Math.max(0, room)) ?? ''
  return fence('overview', [about, fitting, open].filter(Boolean).join('\n').slice(0, characters))
}

function listed(chapters: readonly OverviewPart[], shown: (chapter: OverviewPart) => string): string {
  return chapters.map(chapter => `${formatSpan(chapter.span)} ${chapter.title}: ${shown(chapter)}`).join('\n')
}
