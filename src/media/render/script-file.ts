import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { errorText, UsageError } from '../../core/errors.ts'
import { type Script, voices } from './scene.ts'

// What a video was rendered from lies beside it, as JSON.
export function scriptPath(video: string): string {
  return video.replace(/\.[^./\\]+$/, '.script.json')
}

const ScriptFile = z.looseObject({
  fps: z.number().positive(),
  scenes: z.array(
    z.looseObject({
      frames: z.number(),
      background: z.looseObject({ kind: z.string() }),
      texts: z.array(z.looseObject({ text: z.string() })),
      things: z.array(z.looseObject({ shape: z.string() })),
      figures: z.array(z.looseObject({ who: z.string() })).optional(),
    }),
  ),
  cues: z.array(z.looseObject({ kind: z.string(), at: z.number(), voice: z.enum(voices).optional() })),
})

export async function readScriptFile(file: string): Promise<Script> {
  const text = await readFile(file, 'utf8')
  try {
    return ScriptFile.parse(JSON.parse(text)) as unknown as Script
  } catch (cause) {
    throw new UsageError(`${file} is not a script of a needle video: ${errorText(cause).slice(0, 200)}`, { cause })
  }
}
