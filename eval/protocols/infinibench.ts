import type { Sample } from '../../src/core/benchmark.ts'
import { predictedIndex, promptText } from '../benchmarks/infinibench/prompt.ts'
import { choiceSkills, type InfiniBenchRecord } from '../benchmarks/infinibench/record.ts'
import { ownPrompt } from '../benchmarks/prompt-file.ts'
import { cuesIn } from './cues.ts'
import { type FrameMedia, type FrameProtocol, numberOption, shown } from './frame-request.ts'

// Frames over the whole film, all of its subtitles or those at the frames, options numbered from 0.
const infiniBench: FrameProtocol = {
  request(sample, _, media, options) {
    const count = numberOption(options, 'frames', 128)
    const times = Array.from(
      { length: count },
      (_, i) => Math.round((i * media.lastFrame) / Math.max(1, count - 1)) / media.framesPerSecond,
    )
    const record = recordOf(sample)
    const subtitles = subtitlesOf(media, options.subtitles, times)
    const numbered = record.options?.map((option, i) => `${i}. ${option}`).join('\n')
    const filled = { question: record.question, options: numbered, subtitles }
    const text = ownPrompt(options, 'answer', filled) ?? promptText(record, subtitles)
    return { turns: shown(times, text), temperature: 0, maxTokens: 1024 }
  },
  read(reply, { question: { options = [] }, groups }) {
    return choiceSkills.includes(groups.skill) ? String(predictedIndex(reply, options) ?? '') : reply
  },
}
export default infiniBench

function recordOf({ question, groups }: Sample): InfiniBenchRecord {
  const options = choiceSkills.includes(groups.skill) ? question.options : undefined
  return { id: '', skill: groups.skill, question: question.text, options, record: new Map() }
}

function subtitlesOf({ subtitles }: FrameMedia, which: unknown, times: readonly number[]): string | undefined {
  if (subtitles === undefined || which === 'none') return undefined
  const cues = cuesIn(subtitles)
  if (which !== 'at frames') return cues.map(cue => cue.text).join('\n')
  return times
    .flatMap(time => cues.filter(cue => cue.start <= time && time <= cue.end).slice(0, 1))
    .map(cue => cue.text)
    .join('\n')
}
