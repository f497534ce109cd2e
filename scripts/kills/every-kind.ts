import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { smallData } from '../../tests/bench/small-data.ts'
import { renderTown } from '../../tests/end-to-end/town-video.ts'
import { startHubServer } from '../../tests/servers/hub-server.ts'
import { seeded } from '../../tests/servers/pieces.ts'
import { ablateKind } from './ablate-kind.ts'
import { askKind } from './ask-kind.ts'
import { benchKind } from './bench-kind.ts'
import { chatKind } from './chat-kind.ts'
import { indexKind } from './index-kind.ts'
import { killedCommand } from './killed-command.ts'
import { modelFiles, modelName, pullKind } from './pull-kind.ts'
import { type KindReport, runKind } from './run-kind.ts'
import { startScriptedModels } from './scripted-models.ts'

// Of a hundred kills, how many each command gets: the more it writes and the longer it runs, the more.
const shares = { index: 25, ask: 20, chat: 15, 'bench run': 15, ablate: 10, 'models pull': 15 }
export type KindName = keyof typeof shares
export const kindNames = Object.keys(shares) as KindName[]

export interface KillRequest {
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
  const hub = await startHubServer(modelName, modelFiles, { pace: { bytes: 64_000, milliseconds: 25 } })
  try {
    const video = join(folder, 'town.mp4')
    await renderTown(video)
    const indexed = join(folder, 'indexed')
    if (kinds.includes('ask') || kinds.includes('chat')) await indexOnce(video, indexed, folder)
    const questions = smallData(join(folder, 'questions'), { questions: 8 })
    const study = smallData(join(folder, 'study'), { questions: 4 })
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
    for (const [at, name] of kinds.entries()) {
      const report = await runKind(all[name](), { kills: killsOf(kinds, at, kills), random, folder, ...rest })
      rest.onReport?.(report)
      reports.push(report)
    }
    return reports
  } finally {
    await Promise.all([models.close(), hub.close()])
    if (!rest.keep) await rm(folder, { recursive: true, force: true })
  }
}

// The kills of one kind by its share; rounding makes no kill more or fewer in all.
function killsOf(kinds: KindName[], at: number, kills: number): number {
  const total = kinds.reduce((sum, name) => sum + shares[name], 0)
  const until = (end: number) => {
    const part = kinds.slice(0, end).reduce((sum, name) => sum + shares[name], 0)
    return Math.round((kills * part) / total)
  }
  return until(at + 1) - until(at)
}

async function indexOnce(video: string, home: string, temporary: string): Promise<void> {
  const { code, err } = await killedCommand(['index', video, '--profile', 'embedded'], { home, temporary })
  if (code !== 0) throw new Error(`index: ${err}`)
}
