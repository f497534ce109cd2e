import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderVideo } from '../../src/media/render/render-video.ts'
import type { Script } from '../../src/media/render/scene.ts'
import { smallData } from '../bench/small-data.ts'
import { startHubServer } from '../servers/hub-server.ts'
import { seeded } from '../servers/pieces.ts'
import { assertEnded, killedCommand } from './killed-command.ts'
import { ablateKind, askKind, benchKind, chatKind, indexKind, killedModel, modelFiles, pullKind } from './kinds.ts'
import { type KindReport, runKind, undisturbed } from './run-kind.ts'
import { startScriptedModels } from './scripted-models.ts'

// Of a hundred kills, how many each command gets: the more it writes and the longer it runs, the more.
const shares = { index: 25, ask: 20, chat: 15, 'bench run': 15, ablate: 10, 'models pull': 15 }
export type KindName = keyof typeof shares
export const kindNames = Object.keys(shares) as KindName[]

interface KillRequest {
  kills: number
  seed: number
  kinds?: KindName[]
  keep?: boolean
  progress?(line: string): void
  onReport?(report: KindReport): void
}

// Kills every command at random moments and compares its end with an undisturbed run of it.
export async function killEveryKind({ kills, seed, kinds = kindNames, ...rest }: KillRequest): Promise<KindReport[]> {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-kills-'))
  const models = await startScriptedModels()
  const hub = await startHubServer(killedModel, modelFiles, { pace: { bytes: 64_000, milliseconds: 25 } })
  try {
    const video = join(folder, 'clip.mp4')
    await renderVideo(clip, video, { signal: new AbortController().signal })
    const indexed = kinds.includes('index') ? undisturbed(folder, 'index').home : join(folder, 'indexed')
    if (!kinds.includes('index') && (kinds.includes('ask') || kinds.includes('chat')))
      await assertEnded(killedCommand(['index', video, '--profile', 'embedded'], { home: indexed, temporary: folder }))
    const questions = smallData(join(folder, 'questions'), { questions: 4 })
    const study = smallData(join(folder, 'study'), { questions: 2 })
    const random = seeded(seed)
    const all = {
      index: () => indexKind(video),
      ask: () => askKind(video, indexed, models),
      chat: () => chatKind(video, indexed, models, random),
      'bench run': () => benchKind(questions, models),
      ablate: () => ablateKind(study, models),
      'models pull': () => pullKind(hub),
    }
    const reports: KindReport[] = []
    const inOrder = kindNames.filter(name => kinds.includes(name)) // the index first, which others use
    for (const [name, share] of killsOfEach(inOrder, kills)) {
      const report = await runKind(all[name](), { kills: share, random, folder, ...rest })
      rest.onReport?.(report)
      reports.push(report)
    }
    return reports
  } finally {
    await Promise.all([models.close(), hub.close()])
    if (!rest.keep) await rm(folder, { recursive: true, force: true })
  }
}

// How many kills each kind gets: by its share, one at least; what rounding leaves goes to the first.
function killsOfEach(kinds: KindName[], kills: number): [KindName, number][] {
  if (kills < kinds.length) throw new Error(`${kinds.length} commands need at least as many kills, not ${kills}.`)
  const total = kinds.reduce((sum, name) => sum + shares[name], 0)
  const each = kinds.map(name => Math.max(1, Math.floor((kills * shares[name]) / total)))
  const remainder = kills - each.reduce((sum, share) => sum + share, 0)
  return kinds.map((name, at) => [name, (each[at] ?? 1) + (at === 0 ? remainder : 0)])
}

const fps = 10

// A clip that has something for every stage (two slides, a sentence, a beep) and is indexed in a few seconds.
const clip: Script = {
  title: 'clip',
  width: 320,
  height: 180,
  fps,
  scenes: [slide('#123a66', 'Museum opening hours'), slide('#7a1f1f', 'Ticket prices')],
  cues: [
    { kind: 'speech', at: fps, text: 'The museum has seven hundred paintings and a small garden.', voice: 'rms' },
    { kind: 'sound', at: 5 * fps, sound: 'beep', frames: 8 },
  ],
}

function slide(colour: `#${string}`, text: string): Script['scenes'][number] {
  return {
    frames: 3 * fps,
    opens: { kind: 'cut' },
    background: { kind: 'plain', colour },
    texts: [{ text, size: 0.1, at: { x: 0.08, y: 0.4 }, colour: '#ffffff' }],
    things: [],
  }
}
