import { access } from 'node:fs/promises'
import { groupBy } from '../../../src/core/basics/group-by.ts'
import { absentAs } from '../../../src/core/errors.ts'
import type { Finding } from '../../../src/core/evidence.ts'
import { roundTime } from '../../../src/core/time.ts'
import { sceneStarts } from '../../../src/media/render/scene.ts'
import { readScriptFile, scriptPath } from '../../../src/media/render/script-file.ts'
import type { Gold } from '../benchmark.ts'

// What a video was rendered from lies beside it.
export const gold: Gold = {
  isThere: path => access(scriptPath(path)).then(() => true, absentAs(false)),
  said: readGoldSpeech,
  shown: readGoldText,
}

const sampleRate = 16_000

async function readGoldSpeech(path: string, signal: AbortSignal): Promise<Finding[]> {
  const { speak } = await import('../../../src/media/speak.ts')
  const { fps, cues } = await readScriptFile(scriptPath(path))
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
async function readGoldText(path: string): Promise<Finding[]> {
  const script = await readScriptFile(scriptPath(path))
  const starts = sceneStarts(script)
  return script.scenes.flatMap((scene, at) => {
    const seconds = (frame: number) => roundTime(((starts[at] ?? 0) + frame) / script.fps)
    const together = groupBy([...scene.texts.entries()], ([nth, text]) =>
      text.slide ? `moving ${nth}` : `${text.from ?? 0} ${text.to ?? scene.frames}`,
    )
    return [...together.values()].map((group): Finding => {
      const texts = group.map(([, text]) => text).sort((a, b) => a.at.y - b.at.y || a.at.x - b.at.x)
      const { from = 0, to = scene.frames } = texts[0]!
      const span = { start: seconds(from), end: seconds(Math.min(to, scene.frames)) }
      const frame = roundTime((span.start + span.end) / 2)
      return { span, track: 'text', text: texts.map(({ text }) => text).join('\n'), frame }
    })
  })
}
