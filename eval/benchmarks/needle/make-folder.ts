import { join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { renderVideo } from '../../../src/media/render/render-video.ts'
import { countFrames } from '../../../src/media/render/scene.ts'
import { speak } from '../../../src/media/speak.ts'
import { createFile } from '../../../src/store/create-file.ts'
import { writeDurably } from '../../../src/store/durable.ts'
import type { MadeFolder, MakeWork } from '../benchmark.ts'
import { makeNeedle } from './make-needle.ts'
import { writeNeedle } from './write-needle.ts'

const sampleRate = 16_000

// Renders the videos and writes the questions about them. needle.json comes last: a folder that has it is whole.
export async function makeFolder({
  folder,
  access = 'umask',
  onProgress,
  signal,
  ...options
}: MakeWork): Promise<MadeFolder> {
  if (!(options.videos >= 1 && options.videos <= 1000))
    throw new UsageError(`A needle set has 1 to 1000 videos, not ${options.videos}.`)
  const set = await makeNeedle(options, async (text, voice) => (await speak(text, voice, signal)).length / sampleRate)
  const lengths = set.videos.map(({ script }) => countFrames(script) / script.fps)
  const total = lengths.reduce((sum, seconds) => sum + seconds, 0)
  let before = 0
  await writeNeedle(set, {
    async render(script, name) {
      const seconds = countFrames(script) / script.fps
      await createFile(
        join(folder, name),
        temporary =>
          renderVideo(script, temporary, { signal, onProgress: done => onProgress(before + done, total, name) }),
        access,
      )
      before += seconds
      onProgress(before, total, name)
    },
    write: (name, content) => writeDurably(join(folder, name), content, access),
  })
  const videos = set.videos.map(({ name, records }, i) => ({ name, seconds: lengths[i], questions: records.length }))
  return { folder, videos }
}
