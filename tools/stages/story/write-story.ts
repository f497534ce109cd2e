import { type ChatModel, emptyUsage } from '../../../src/core/chat.ts'
import { type Evidence, type SummaryLevel, stamp } from '../../../src/core/evidence.ts'
import type { ProgressCallback, StageParts } from '../../../src/core/stage.ts'
import type { Overview, OverviewPart, Shot } from '../../../src/core/video.ts'
import type { Budgeter } from '../captions/budget.ts'
import { cutStoryClips, toldRows } from './clips.ts'
import { clipPacks, join, type LevelWork, roomOf, sumUp, writeClips } from './levels.ts'
import type { StoryPart } from './part.ts'
import { budgetSpent, openWriter, type StoryCost } from './writer.ts'

interface StoryWork {
  model: ChatModel
  parts: StageParts | undefined
  budgeter: Budgeter
  signal: AbortSignal
  duration: number
  maxTokens: number
  progress: ProgressCallback
}

interface WrittenStory {
  story: Pick<Overview, 'chapters' | 'scenes' | 'whole' | 'threads'>
  levels: Record<SummaryLevel, StoryPart[]>
  spent: StoryCost
  notes: string[]
}

const levelsAbove = 3 // scenes, chapters and the whole: a call each, at least

// Clips, scenes, chapters, the whole: each level from the sentences of the one below, in a number of requests that grows as the rows do.
export async function writeStory(
  all: readonly Evidence[],
  shots: readonly Shot[],
  { model, parts, budgeter, signal, duration, maxTokens, progress }: StoryWork,
): Promise<WrittenStory> {
  const rows = toldRows(all)
  const cut = cutStoryClips(shots, rows, roomOf(maxTokens))
  const calls = cut.length > 0 ? clipPacks(cut, roomOf(maxTokens)).length + levelsAbove : 0
  if (!budgeter.fits({ ...emptyUsage, calls })) throw budgetSpent(`it takes ${calls} calls at least, and none was made`)
  const writer = await openWriter(model, parts, budgeter, signal)
  const step = (from: number, share: number): LevelWork => ({
    writer,
    maxTokens,
    signal,
    rows: new Map(rows.map(row => [row.id, row])),
    done: ({ end }) => progress(from * duration + share * end, duration),
  })
  try {
    const clips = await writeClips(cut, step(0, 0.7))
    const scenes = await join('scene', clips, [], step(0.7, 0.2))
    const chapters = await join('chapter', scenes.parts, scenes.open, step(0.9, 0.05))
    const whole = chapters.parts.length > 0 ? await sumUp(chapters.parts, chapters.open, step(0.95, 0.05)) : undefined
    const levels = {
      clip: clips,
      scene: filled(scenes.parts, duration),
      chapter: filled(chapters.parts, duration),
      whole: whole ? filled(whole.parts, duration) : [],
    }
    return {
      story: {
        chapters: levels.chapter.map(asOverview),
        scenes: levels.scene.map(asOverview),
        whole: whole?.parts.flatMap(({ told }) => told) ?? [],
        threads: whole?.open ?? [],
      },
      levels,
      spent: writer.spent,
      notes: writeNotes(writer, clips),
    }
  } finally {
    await writer.close()
  }
}

// A stretch of which nothing is told belongs to the part before it.
function filled(parts: readonly StoryPart[], duration: number): StoryPart[] {
  return parts.map((part, at) => ({
    ...part,
    span: { start: at === 0 ? 0 : part.span.start, end: parts[at + 1]?.span.start ?? duration },
  }))
}

function asOverview({ span, title, told }: StoryPart): OverviewPart {
  return {
    span,
    title: title ?? shortened(told[0]?.text ?? 'no words'),
    summary: told.map(({ text }) => text).join(' '),
    cites: [...new Set(told.flatMap(({ cites }) => cites))],
    sentences: told,
  }
}

function shortened(text: string): string {
  return text.length <= 60 ? text.replace(/[.!]$/, '') : `${text.slice(0, 60).replace(/\s+\S*$/, '')}…`
}

function writeNotes({ spent, counts }: Awaited<ReturnType<typeof openWriter>>, clips: readonly StoryPart[]): string[] {
  const { calls, inputTokens, outputTokens } = spent
  const untold = clips.filter(({ told }) => told.length === 0).length
  return [
    calls > 0 ? `written in ${calls} calls with ${inputTokens} tokens in and ${outputTokens} out` : '',
    counts.dropped > 0 ? `sentences of the writer that its rows do not bear out were dropped: ${counts.dropped}` : '',
    counts.unread > 0 ? `requests that the writer gave no usable reply to: ${counts.unread}` : '',
    untold > 0 ? `clips of which nothing was written: ${untold} of ${clips.length}` : '',
  ].filter(Boolean)
}

// What was written, as rows that can be searched and cited.
export function storyRows(levels: Record<SummaryLevel, readonly StoryPart[]>, video: string, by: string): Evidence[] {
  const rows = (Object.entries(levels) as [SummaryLevel, readonly StoryPart[]][]).flatMap(([level, parts]) =>
    parts
      .filter(({ told }) => told.length > 0)
      .map(({ span, title, told }) => {
        const summary = told.map(({ text }) => text).join(' ')
        return stamp({ span, track: 'summary', text: title ? `${title}: ${summary}` : summary, level }, video, by)
      }),
  )
  return [...new Map(rows.map(row => [row.id, row])).values()]
}
