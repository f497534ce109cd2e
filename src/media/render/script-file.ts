import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { UsageError } from '../../core/errors.ts'
import { type Script, voices } from './scene.ts'

const ScriptFile = z.looseObject({
  fps: z.number().positive(),
  scenes: z.array(z.looseObject({ frames: z.number(), texts: z.array(z.looseObject({ text: z.string() })) })),
  cues: z.array(z.looseObject({ kind: z.string(), at: z.number(), voice: z.enum(voices).optional() })),
})

// Where the script of a rendered video lies: beside it.
export function scriptPath(video: string): string {
  return video.replace(/\.[^./\\]+$/, '.script.json')
}

export async function readScript(file: string): Promise<Script> {
  const parsed = ScriptFile.safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (!parsed.success) throw new UsageError(`${file} is not a script of a rendered video.`)
  return parsed.data as unknown as Script
}
