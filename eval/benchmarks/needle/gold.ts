import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import type { Finding } from '../../../src/core/evidence.ts'
import { roundTime } from '../../../src/core/time.ts'
import { type Script, sceneStarts, voices } from '../../../src/media/render/scene.ts'
import type { Gold } from '../benchmark.ts'

// What a video was rendered from lies beside it.
export const gold: Gold = {
  isThere: async path => (await readFile(scriptPath(path)).catch(() => undefined)) !== undefined,
  said,
  shown,
}

const sampleRate = 16_000

async function said(path: string, signal: AbortSignal): Promise<Finding[]> {
  const { speak } = await import('../../../src/media/speak.ts')
  const { fps, cues } = await scriptOf(path)
  const lines: Finding[] = []
  for (const cue of cues) {
    if (cue.kind !== 'speech') continue
    const start = roundTime(cue.at / fps)
    const seconds = (await speak(cue.text, cue.voice, signal)).length / sampleRate
    lines.push({ span: { start, end: roundTime(start + seconds) }, track: 'speech', text: cue.text })
  }
  return lines
}

// Texts that are seen together and stand still are one row, from above to below; one that moves is a row of its own.
async function shown(path: string): Promise<Finding[]> {
  const script = await scriptOf(path)
  const starts = sceneStarts(script)
  return script.scenes.flatMap((scene, at) => {
    const groups = new Map<string, Script['scenes'][number]['texts']>()
    scene.texts.forEach((text, nth) => {
      const key = text.slide ? `moving ${nth}` : `${text.from ?? 0} ${text.to ?? scene.frames}`
      groups.set(key, [...(groups.get(key) ?? []), text])
    })
    return [...groups.values()].map((texts): Finding => {
      const seconds = (frame: number) => roundTime((starts[at] + frame) / script.fps)
      const span = {
        start: seconds(texts[0].from ?? 0),
        end: seconds(Math.min(texts[0].to ?? scene.frames, scene.frames)),
      }
      const lines = [...texts].sort((a, b) => a.at.y - b.at.y || a.at.x - b.at.x)
      return {
        span,
        track: 'text',
        text: lines.map(line => line.text).join('\n'),
        frame: roundTime((span.start + span.end) / 2),
      }
    })
  })
}

const ScriptFile = z.looseObject({
  fps: z.number().positive(),
  scenes: z.array(z.looseObject({ frames: z.number(), texts: z.array(z.looseObject({ text: z.string() })) })),
  cues: z.array(z.looseObject({ kind: z.string(), at: z.number(), voice: z.enum(voices).optional() })),
})

async function scriptOf(path: string): Promise<Script> {
  const file = scriptPath(path)
  const parsed = ScriptFile.safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (!parsed.success) throw new UsageError(`${file} is not a script of a needle video.`)
  return parsed.data as unknown as Script
}

function scriptPath(video: string): string {
  return video.replace(/\.[^./\\]+$/, '.script.json')
}
