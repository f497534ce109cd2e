import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { StudyResult } from '../../eval/ablate/result/result.ts'
import { exists } from '../../src/store/read-file.ts'
import { listRuns } from '../../src/store/run/run-folder.ts'
import { openSessions } from '../../src/store/sessions.ts'
import { quickIndex } from '../bench/small-data.ts'
import type { HubServer } from '../servers/hub-server.ts'
import { commandOutput } from './killed-command.ts'
import { roleSettings, type ScriptedCall, type ScriptedModels } from './scripted-models.ts'

// Where one round happens: a fresh folder with a data folder in it.
export interface RoundFolder {
  folder: string
  home: string
}

interface Started {
  words: string[] // of the command line
  input?: string // on standard input
  environment?: Record<string, string>
}

// What a round ended with. `same` is compared with the undisturbed run; the counts must be 0 in both.
export interface RoundOutcome {
  same: unknown
  lost: number
  doubled: number
}

// What is known of the kills of a round, for counts that allow for what was in flight.
export interface KillRecord {
  kills: number
  printed: string[] // standard output of every start, also of those that were killed
}

// One command that is killed and resumed until it ends by itself.
export interface Kind {
  name: string
  fresh(place: RoundFolder): Promise<void> // what lies there before the command is first run
  next(place: RoundFolder): Promise<Started> // the same command, or the form that resumes it where the documentation names one
  isFinished?(place: RoundFolder): Promise<boolean> // whether no other `next` is due after a run that ended by itself
  outcome(place: RoundFolder, killed: KillRecord): Promise<RoundOutcome>
  videos: boolean // whether `cache verify` has something to verify
}

const embedded = ['--profile', 'embedded']
const agent = ['planner', 'writer', 'verifier']

// `index` is run again; what counts is every byte of its results, and what `show` makes of them.
export function indexKind(video: string): Kind {
  return {
    name: 'index',
    videos: true,
    fresh: async ({ home }) => void (await mkdir(home)),
    next: async () => ({ words: ['index', video, ...embedded] }),
    async outcome({ home }) {
      const out = await commandOutput(['show', video, '--json', ...embedded], { home })
      const { evidence, shots, overview, coverage } = JSON.parse(out)
      const library = join(home, 'library')
      const files = await fileHashes(library, path => path.includes('/stages/') && !path.endsWith('/meta.json'))
      return { same: { evidence, shots, overview, coverage, files }, lost: 0, doubled: 0 }
    },
  }
}

const sideBySide = 3 // options that the verifier judges at the same time

// `ask` is resumed with `--resume RUN` as soon as `runs ls` lists a run.
export function askKind(video: string, indexed: string, models: ScriptedModels): Kind {
  const paid = paidBeyond(models.calls)
  const question = ['How many paintings does the museum have?', '--options', 'seven hundred|seventy|seven']
  const first = ['ask', video, ...question, '--json', ...embedded, ...roleSettings(models.url, agent)]
  return {
    name: 'ask',
    videos: true,
    async fresh({ home }) {
      await cp(indexed, home, { recursive: true })
      paid.begin()
    },
    async next({ home }) {
      models.busy()
      const [run] = await listRuns(home)
      return { words: run ? ['ask', '--resume', run.id, '--json'] : first }
    },
    async outcome(_, { kills, printed }) {
      const { answer, evidence, coverage, steps, stop } = JSON.parse(printed.at(-1) ?? '')
      const timeless = steps.map(({ seconds: _, ...step }: { seconds: number }) => step)
      // Calls that were just answered when the process was killed are made again.
      const doubled = paid.doubled(kills, sideBySide)
      return { same: { answer, evidence, coverage, stop, steps: timeless }, lost: 0, doubled }
    },
  }
}

const questions = [
  'How many paintings does the museum have?',
  'When does the first tour start?',
  'Where do the bags go?',
]

// A piped `chat`. Half of the time its last question is resumed with `ask --resume`, else the conversation goes on with the
// questions that have no turn yet.
export function chatKind(video: string, indexed: string, models: ScriptedModels, random: () => number): Kind {
  const settings = [...embedded, ...roleSettings(models.url, agent)]
  const find = ({ home }: RoundFolder) => openSessions(home).find('talk')
  const listTurns = async (place: RoundFolder) => (await find(place))?.turns ?? []
  return {
    name: 'chat',
    videos: true,
    fresh: ({ home }) => cp(indexed, home, { recursive: true }),
    async next(place) {
      models.busy()
      const session = await find(place)
      const [run] = await listRuns(place.home)
      if (run && random() < 0.5) return { words: ['ask', '--resume', run.id, '--json'] }
      const questionsLeft = questions.slice(session?.turns.length ?? 0)
      return {
        words: ['chat', ...(session ? [] : [video]), '--session', 'talk', '--ndjson', ...settings],
        input: questionsLeft.map(question => `${question}\n`).join(''),
      }
    },
    isFinished: async place => (await listTurns(place)).length >= questions.length,
    async outcome(place, { printed }) {
      const turns = await listTurns(place)
      const stored = turns.map(turn => turn.question.text)
      return {
        same: turns.map(({ question, answer, evidence }) => ({ question, answer, evidence })),
        lost: answered(printed).filter(question => !stored.includes(question)).length,
        doubled: stored.length - new Set(stored).size,
      }
    },
  }
}

// The questions whose answers were printed: each of them must have its turn.
function answered(printed: KillRecord['printed']): string[] {
  return printed
    .flatMap(out => out.split('\n'))
    .filter(line => line.startsWith('{"type":"result"') && line.endsWith('}'))
    .map(line => JSON.parse(line).question.text)
}

const concurrency = 2

// `bench run` is resumed with `--resume FOLDER` as soon as the folder holds a run.
export function benchKind(data: string, models: ScriptedModels): Kind {
  const paid = paidBeyond(models.calls)
  const settings = [...embedded, ...roleSettings(models.url, [...agent, 'judge']), ...quickIndex]
  return {
    name: 'bench run',
    videos: true,
    fresh: async () => paid.begin(),
    async next({ folder }) {
      models.busy()
      const words = ['bench', 'run', 'videoeval-pro', '--data', data, ...settings, '--concurrency', `${concurrency}`]
      return { words: [...words, ...(await resumedOrNew(join(folder, 'run')))] }
    },
    async outcome({ home, folder }, { kills }) {
      const run = join(folder, 'run')
      const out = await commandOutput(['bench', 'report', run, '--json'], { home })
      const [{ scores, tasks, counts, attribution }] = JSON.parse(out).reports
      const ids: string[] = (await linesOf(join(run, 'samples.jsonl'))).map(line => JSON.parse(line).id)
      const expected = (await linesOf(join(data, 'test.jsonl'))).length
      const repeated = ids.length - new Set(ids).size
      return {
        same: { scores, tasks, counts, attribution, ids },
        lost: expected - new Set(ids).size,
        // A kill costs the calls that were under way, one for each question that was being asked.
        doubled: repeated + paid.doubled(kills, concurrency),
      }
    },
  }
}

// `ablate` is resumed with `--resume FOLDER` as soon as the folder holds a study.
export function ablateKind(data: string, models: ScriptedModels): Kind {
  const paid = paidBeyond(models.calls)
  const base = roleSettings(models.url, agent, '--base-set')
  const quick = ['text', 'speech', 'sound'].flatMap(track => ['--base-set', `index.tracks.${track}=false`])
  const changes = ['--set', 'models.writer.model=writer-2', '--without', 'noveltyGuard', '--fault', 'tool:search=down']
  return {
    name: 'ablate',
    videos: true,
    fresh: async () => paid.begin(),
    async next({ folder }) {
      models.busy()
      const words = ['ablate', 'videoeval-pro', '--data', data, '--base', 'embedded', '--judge', 'words']
      return { words: [...words, ...base, ...quick, ...changes, ...(await resumedOrNew(join(folder, 'study')))] }
    },
    async outcome({ folder }, { kills }) {
      const result: StudyResult = JSON.parse(await readFile(join(folder, 'study', 'results.json'), 'utf8'))
      return {
        same: withoutTimes(result),
        lost: result.rows.reduce((sum, row) => sum + result.samples - row.samples, 0),
        doubled: paid.doubled(kills, sideBySide),
      }
    },
  }
}

function withoutTimes({ started: _, rows, ...result }: StudyResult): object {
  return {
    ...result,
    rows: rows.map(({ cost: { seconds: _, ...cost }, stages: { seconds: __, ...stages }, ...row }) => ({
      ...row,
      cost,
      stages,
    })),
  }
}

export const killedModel = 'someone/tiny'
const model = [...embedded, '--set', `models.embedImage={"backend":"siglip","model":"${killedModel}"}`]

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

// `models pull` is run again; what counts is every file of the model cache.
export function pullKind(hub: HubServer): Kind {
  const paidRequests = paidBeyond(() => hub.asked.filter(({ path }) => path !== 'api'))
  const environment = ({ folder }: RoundFolder) => ({ HF_HOME: join(folder, 'hub'), HF_ENDPOINT: hub.url })
  return {
    name: 'models pull',
    videos: false,
    async fresh({ home }) {
      await mkdir(home)
      paidRequests.begin()
    },
    next: async place => ({ words: ['models', 'pull', ...model], environment: environment(place) }),
    async outcome(place, { kills }) {
      const { home, folder } = place
      await commandOutput(['models', 'verify', ...model], { home, environment: environment(place) })
      // A kill costs one more request, for the rest of the file that was on its way.
      return {
        same: await fileHashes(join(folder, 'hub'), () => true),
        lost: 0,
        doubled: paidRequests.doubled(kills, 1),
      }
    },
  }
}

// How many calls were paid beyond those of the undisturbed run, which comes first, and those that each kill may cost.
function paidBeyond(calls: () => ScriptedCall[]) {
  let before = 0
  let undisturbed: number | undefined
  return {
    begin() {
      before = calls().length
    },
    doubled(kills: number, perKill: number): number {
      const newCalls = calls().slice(before)
      // Whoever was not killed has read every answer, also the one after which it ended at once.
      const paid = kills === 0 ? newCalls.length : newCalls.filter(call => !call.unread).length
      undisturbed ??= paid
      return Math.max(0, paid - undisturbed - kills * perKill)
    },
  }
}

async function resumedOrNew(folder: string): Promise<string[]> {
  return [(await exists(join(folder, 'environment.json'))) ? '--resume' : '--out', folder]
}

async function linesOf(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).trim().split('\n')
}

// The sha256 of every file below the folder whose name fits, by its path.
async function fileHashes(folder: string, fits: (path: string) => boolean): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => !entry.isDirectory()).map(entry => join(entry.parentPath, entry.name))
  const hashes: Record<string, string> = {}
  for (const path of paths.sort())
    if (fits(relative(folder, path)))
      hashes[relative(folder, path)] = createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
  return hashes
}
