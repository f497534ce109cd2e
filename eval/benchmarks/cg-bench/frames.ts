import { parseCues } from '../cues.ts'
import { type FrameProtocol, numberOption, shown } from '../frames.ts'
import { ownWording, type PromptTask, promptText, readWording } from './prompt.ts'
import type { CgBenchRecord } from './record.ts'
import { framesOfClues, framesOverall, mostClueFrames } from './sampling.ts'
import { subtitleLines } from './subtitles.ts'

// All pictures first, then one text: system text, subtitles at the frames, their times, question, options.
export const frames: FrameProtocol<CgBenchRecord> = {
  request(sample, task, { framesPerSecond, lastFrame, subtitles }, options) {
    const { record } = sample
    const count = numberOption(options, 'frames', 128)
    const indices =
      task === 'clue_acc'
        ? framesOfClues(record.clue_intervals, Math.min(count, mostClueFrames), framesPerSecond)
        : framesOverall(lastFrame, count)
    const markup = options.markup === 'as released' ? 'as released' : 'plain'
    const times = options.subtitles !== false && options.subtitleTimes !== false
    const lines =
      options.subtitles === false || subtitles === undefined
        ? undefined
        : subtitleLines(parseCues(subtitles), indices, framesPerSecond, { times, markup })
    const name = task as PromptTask
    const { wordingText } = options
    const wording = typeof wordingText === 'string' ? readWording(wordingText, 'the wording') : ownWording
    const text = promptText(
      name,
      record,
      {
        ...(lines && { subtitles: lines }),
        ...(options.frameTimes !== false && { frames: { indices, framesPerSecond } }),
      },
      wording,
    )
    return {
      turns: shown(
        indices.map(index => index / framesPerSecond),
        wording.system[name] + text,
      ),
      temperature: 0,
      maxTokens: 1024,
    }
  },
}
