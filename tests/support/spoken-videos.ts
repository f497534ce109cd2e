import { rmSync } from 'node:fs'
import { resolveConfig } from '../../src/config/resolve.ts'
import { stamp } from '../../src/core/evidence.ts'
import { planStages } from '../../src/runtime/index/plan-stages.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { buildTextIndex } from '../../src/search/text-index.ts'
import { findOrMakeStage } from '../../src/store/stage/stage.ts'
import { stageFolder } from '../../src/store/stage/stage-check.ts'
import { copyVideo } from './many-videos.ts'

// Copies of an indexed video with sound in which other words are said, as the stages themselves would have written them: a large library
// in seconds. Nothing is decoded or recognised.
export async function spokenVideos(
  home: string,
  id: string,
  folder: string,
  spoken: Readonly<Record<string, readonly string[]>>, // by name
): Promise<string[]> {
  const ids = await copyVideo(home, id, folder, Object.keys(spoken))
  const config = await resolveConfig({ cwd: folder, environment: {}, search: false })
  const runtime = await createRuntime({ config, home, environment: {} })
  try {
    const { library, models, settings, host } = runtime
    for (const [at, lines] of Object.values(spoken).entries()) {
      const video = await library.find(ids[at] ?? '')
      if (!video) throw new Error(`The copy ${at} is not there.`)
      const place = library.videoFolder(video.id)
      const rows = lines.map((text, i) => {
        const span = { start: (video.duration * i) / lines.length, end: (video.duration * (i + 0.9)) / lines.length }
        return stamp({ span, track: 'speech', text }, video.id, 'transcribe/test')
      })
      for (const { stage, ...planned } of await planStages(video, models, settings.index, false)) {
        if (planned.skip !== undefined || (stage !== 'speech' && stage !== 'full-text')) continue
        const { key, by, inputs } = planned
        rmSync(stageFolder(place, stage, key), { recursive: true })
        await findOrMakeStage({
          ...{
            folder: place,
            stage,
            key,
            by,
            inputs,
            settings: planned.settings,
            video: video.id,
            signal: host.signal,
          },
          make: async out => {
            if (stage === 'speech') await out.lines('evidence.jsonl', rows)
            else await buildTextIndex(out.path('words.sqlite'), rows)
          },
        })
      }
    }
    return ids
  } finally {
    await runtime.close()
  }
}
