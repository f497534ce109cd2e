import type { Benchmark } from '../benchmarks/benchmark.ts'
import { splitAskedBy } from '../data/asked-by.ts'
import type { SampleLine } from '../data/sample-line.ts'
import type { BenchRun } from '../runner/files/run-files.ts'
import type { Mode } from './protocol-of-run.ts'

interface NotedRun {
  run: BenchRun
  benchmark: Benchmark
  lines: readonly SampleLine[]
  finished: boolean
  mode?: Mode // of the paper
}

// What a reader must know before believing the numbers.
export function runNotes({ run, benchmark, lines, finished, mode }: NotedRun): string[] {
  const { samples, judgedBy, wording, limit, options, fetched, made } = run
  const indexes = new Map<string, Set<string>>()
  for (const line of lines)
    for (const { index } of line.asks)
      if (index !== undefined) indexes.set(line.video, (indexes.get(line.video) ?? new Set()).add(index))
  const mixed = [...indexes.values()].filter(keys => keys.size > 1).length
  const isOwnWording = judgedBy !== undefined && judgedBy !== 'words' && !wording?.released
  const notes: [isDue: boolean, note: string][] = [
    [!finished, `The run is not over: ${lines.length} of ${samples} questions are done.`],
    [made !== undefined, `The set is made from own videos, reviewed ${made?.reviewed} of ${made?.of}.`],
    [run.by === 'alone', `Only models.vision was asked, with ${shownText(options)}; not the agent.`],
    [
      run.by === 'host',
      'Only models.planner was asked, in the simplest loop with the tools and the skill that hosts get; not our agent.',
    ],
    [
      splitAskedBy(run.by).command !== undefined,
      `Another agent was asked, with our MCP server: ${splitAskedBy(run.by).command}.`,
    ],
    [mode !== undefined, `The mode of the paper: ${mode?.name}.`],
    [limit !== undefined, `Only the first ${limit} questions were asked.`],
    [
      judgedBy === 'words',
      'Open answers were judged by their words, not by the judge model of the protocol: stricter, and not comparable.',
    ],
    [
      isOwnWording,
      `Open answers were judged by ${judgedBy} with ${wording ? 'a wording of one’s own' : 'our wording'}, not the released one.`,
    ],
    [
      mixed > 0,
      `${mixed} videos were asked on more than one index (a stage failed in between): not every question started alike.`,
    ],
    [
      (fetched?.changed.length ?? 0) > 0,
      `Of the data of ${fetched?.dataset} at ${fetched?.commit.slice(0, 7)} these files were not as fetched: ${fetched?.changed.join(', ')}.`,
    ],
    ...withoutCalls(benchmark, lines),
    [options.trajectory === 'free', 'Earlier turns hold the agent’s own answers (free trajectory).'],
  ]
  return notes.flatMap(([isDue, note]) => (isDue ? [note] : []))
}

// What stood before the question, so that a run without pictures is not taken for one with them.
function shownText(options: BenchRun['options']): string {
  const { frames, video, audio, picture, sampling, subtitles, subtitlesAt, metadata, clues } = options
  const words = subtitles === false ? 'off' : subtitles === true ? 'at frames' : subtitles
  const frameRules: Record<string, string> = { keyframes: 'at coded key frames', shots: 'in the middle of shots' }
  const videos: Record<string, string> = {
    clip: ' (the parts with the clues)',
    fit: ' (made smaller where it is too large)',
  }
  const isVideo = video !== undefined && video !== 'off'
  const isHeard = audio === 'whole'
  const pictures =
    frames === 0
      ? isHeard
        ? 'no picture'
        : 'no picture and no sound'
      : `${framesText(frames)}${picture === undefined ? '' : `, pictures ${String(picture)}`}${frameRules[String(sampling)] ? ` ${frameRules[String(sampling)]}` : ''}`
  return [
    isVideo ? `the video itself${videos[String(video)] ?? ''}` : pictures,
    ...(isHeard ? ['its sound'] : []),
    ...(words === undefined ? [] : [`subtitles ${String(words)}`]),
    ...(subtitlesAt === undefined || words !== 'at frames' ? [] : [`those at ${String(subtitlesAt)} frames`]),
    ...(metadata === 'also' || metadata === 'only' ? [`metadata ${metadata}`] : []),
    ...(clues === 'only' ? ['only the parts with the clues'] : clues === 'given' ? ['the places of the clues'] : []),
  ].join(', ')
}

function framesText(frames: unknown): string {
  if (frames === undefined) return 'the frames of the protocol'
  return typeof frames === 'number' ? `${frames} frames` : `frames ${String(frames)}`
}

// A planner that calls no tool where calls are what is asked measures nothing.
function withoutCalls({ toolUse }: Benchmark, lines: readonly SampleLine[]): [boolean, string][] {
  if (!toolUse) return []
  const replies = lines.flatMap(line => (line.grades[toolUse.task] ? [line.replies[toolUse.task] ?? ''] : []))
  const silent = replies.filter(reply => toolUse.calls(reply) === 0).length
  const text = `In ${silent} of ${replies.length} agentic turns no tool was called: the planner may not know how to.`
  return [[silent * 2 > replies.length, text]]
}
