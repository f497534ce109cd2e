import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { resolveConfig } from '../../src/config/resolve.ts'
import { contentHash } from '../../src/core/json.ts'
import type { Video } from '../../src/core/video.ts'
import { planStages } from '../../src/runtime/index/plan-stages.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { saveRecord } from '../../src/store/sealed-record.ts'
import { stageFolder } from '../../src/store/stage/stage-check.ts'

// Puts indexed copies of a video into the library, each with a file and a name of its own: a large library without the hours that it
// takes to index one. The rows are those of the original.
export async function copyVideo(home: string, id: string, folder: string, names: readonly string[]): Promise<string[]> {
  const config = await resolveConfig({ cwd: folder, environment: {}, search: false })
  const runtime = await createRuntime({ config, home, environment: {} })
  try {
    const { library, models, settings } = runtime
    const video = await library.find(id)
    if (!video) throw new Error(`There is no video ${id} in ${home}.`)
    mkdirSync(folder, { recursive: true })
    const planned = async (video: Video) => {
      const plan = await planStages(video, models, settings.index, false)
      return plan.flatMap(({ stage, ...one }) => (one.skip === undefined ? [{ stage, ...one }] : []))
    }
    const original = await planned(video)
    const copy = async (name: string): Promise<string> => {
      const path = join(folder, name)
      linkSync(video.path, path)
      const made: Video = { ...video, id: `v${contentHash({ name }).slice(0, 20)}`, name, path, sidecars: [] }
      await library.save(made)
      const [from, to] = [library.videoFolder(id), library.videoFolder(made.id)]
      cpSync(join(from, 'content.json'), join(to, 'content.json'))
      for (const [place, { stage, key, inputs }] of (await planned(made)).entries()) {
        const target = stageFolder(to, stage, key)
        linkFiles(stageFolder(from, stage, original[place]?.key ?? ''), target)
        const { check: _, ...meta } = JSON.parse(readFileSync(join(target, 'meta.json'), 'utf8'))
        rmSync(join(target, 'meta.json'))
        await saveRecord(join(target, 'meta.json'), { ...meta, key, inputs, video: made.id })
      }
      return made.id
    }
    const ids: string[] = []
    for (const name of names) ids.push(await copy(name))
    return ids
  } finally {
    await runtime.close()
  }
}

function linkFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) linkSync(join(from, name), join(to, name))
}
