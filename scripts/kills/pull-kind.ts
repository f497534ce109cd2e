import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { HubServer } from '../../tests/servers/hub-server.ts'
import { fileHashes } from './file-hashes.ts'
import { killedCommand } from './killed-command.ts'
import type { Kind, Place } from './kind.ts'

export const modelName = 'someone/tiny'
const set = ['--profile', 'embedded', '--set', `models.embedImage={"backend":"siglip","model":"${modelName}"}`]

// The files of a model: together two megabytes, so that a paced server takes a second.
export const modelFiles = Object.fromEntries(
  [
    'config.json',
    'preprocessor_config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'onnx/vision_model.onnx',
    'onnx/text_model.onnx',
  ].map((name, at) => [name, Buffer.alloc(100_000 * (at + 1), `${name} `)]),
)

// `models pull` is killed and run again; what counts is every file of the model cache.
export function pullKind(hub: HubServer): Kind {
  let askedBefore = 0
  let askedAlone = 0
  const environment = ({ folder }: Place) => ({ HF_HOME: join(folder, 'hub'), HF_ENDPOINT: hub.url })
  return {
    name: 'models pull',
    videos: false,
    async fresh({ home }) {
      await mkdir(home)
      askedBefore = hub.asked.length
    },
    next: async place => ({ words: ['models', 'pull', ...set], environment: environment(place) }),
    async outcome(place, { kills }) {
      const { code, err, out } = await killedCommand(['models', 'verify', ...set], {
        ...{ home: place.home, temporary: place.folder },
        environment: environment(place),
      })
      if (code !== 0) throw new Error(`models verify: ${out}${err}`)
      const files = await fileHashes(join(place.folder, 'hub'), () => true)
      const asked = hub.asked.slice(askedBefore).filter(({ path }) => path !== 'api').length
      if (kills === 0) askedAlone = asked
      // A kill costs one more request, for the rest of the file that was on its way.
      return { same: files, lost: 0, doubled: Math.max(0, asked - askedAlone - kills) }
    },
  }
}
