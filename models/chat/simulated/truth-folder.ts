import { basename, join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import type { Script } from '../../../src/media/render/scene.ts'
import { readScriptFile, scriptPath } from '../../../src/media/render/script-file.ts'

// The scripts of rendered videos, by the names of the videos. Each is read once.
export function truthFolder(folder: string): (video: string) => Promise<Script> {
  const read = new Map<string, Promise<Script>>()
  return video => {
    const script = read.get(video) ?? readTruthScript(folder, video)
    read.set(video, script)
    script.catch(() => read.delete(video)) // it may be there the next time
    return script
  }
}

async function readTruthScript(folder: string, video: string): Promise<Script> {
  const file = join(folder, basename(scriptPath(video)))
  try {
    return await readScriptFile(file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new UsageError(`chat/simulated sees nothing in ${video}: ${file} is not there.`, {
      hint: 'It tells only of videos that longtake rendered, as "longtake bench make needle" does. Set models.vision.truth to the folder of their scripts, or choose a model that sees.',
      cause,
    })
  }
}
