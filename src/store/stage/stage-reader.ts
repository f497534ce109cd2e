import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { z } from 'zod'
import { StorageError } from '../../core/errors.ts'
import { breather } from '../../core/signals.ts'
import type { StageReader } from '../../core/stage.ts'

// Reads the files of a finished stage; its folder comes from runStage or findStage, which have checked the sizes.
export function readStage(folder: string): StageReader {
  const path = (name: string) => join(folder, name)

  const parse = <T>(name: string, text: string, shape: z.ZodType<T>, line?: number): T => {
    try {
      return shape.parse(JSON.parse(text))
    } catch (error) {
      const place = line === undefined ? '' : ` (line ${line})`
      throw new StorageError(`${path(name)}${place} of stage "${basename(join(folder, '..'))}" cannot be read.`, {
        hint: 'Run "longtake cache verify": it moves damaged results away, and the next command rebuilds them.',
        cause: error,
      })
    }
  }

  return {
    path,
    has: name => existsSync(path(name)),
    async json(name, shape) {
      return parse(name, await readFile(path(name), 'utf8'), shape)
    },
    async lines(name, shape) {
      const lines = (await readFile(path(name), 'utf8')).split('\n')
      lines.pop() // what follows the last line end
      const rows: z.infer<typeof shape>[] = []
      const breathe = breather()
      for (const [index, line] of lines.entries()) {
        const pause = breathe()
        if (pause) await pause
        rows.push(parse(name, line, shape, index + 1))
      }
      return rows
    },
  }
}
