import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileHashes } from './file-hashes.ts'
import { killedCommand } from './killed-command.ts'
import type { Kind } from './kind.ts'

// `index` is killed and run again; what counts is every byte of its results, and what `show` makes of them.
export function indexKind(video: string): Kind {
  return {
    name: 'index',
    videos: true,
    fresh: async ({ home }) => void (await mkdir(home)),
    next: async () => ({ words: ['index', video, '--profile', 'embedded'] }),
    async outcome({ home, folder }) {
      const { code, out, err } = await killedCommand(['show', video, '--json', '--profile', 'embedded'], {
        home,
        temporary: folder,
      })
      if (code !== 0) throw new Error(`show: ${err}`)
      const { evidence, shots, overview, coverage } = JSON.parse(out)
      const library = join(home, 'library')
      const files = await fileHashes(library, path => path.includes('/stages/') && !path.endsWith('/meta.json'))
      return { same: { evidence, shots, overview, coverage, files }, lost: 0, doubled: 0 }
    },
  }
}
