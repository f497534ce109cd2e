import { cp } from 'node:fs/promises'
import { listRuns } from '../../src/store/run/run-folder.ts'
import { openSessions } from '../../src/store/sessions.ts'
import type { Killed, Kind, Place } from './kind.ts'
import { roleSettings, type ScriptedModels } from './scripted-models.ts'

const questions = [
  'How many paintings does the museum have?',
  'When does the first tour start?',
  'Where do the bags go?',
]

// A piped `chat` is killed. Half of the time its last question is resumed with `ask --resume`, else the conversation goes
// on with the questions that have no turn yet.
export function chatKind(video: string, indexed: string, models: ScriptedModels, random: () => number): Kind {
  const settings = ['--profile', 'embedded', ...roleSettings(models.url, ['planner', 'writer', 'verifier'])]
  const turnsOf = async ({ home }: Place) => (await openSessions(home).find('talk'))?.turns ?? []
  return {
    name: 'chat',
    videos: true,
    fresh: ({ home }) => cp(indexed, home, { recursive: true }),
    async next(place) {
      models.busy()
      const turns = await turnsOf(place)
      const [run] = await listRuns(place.home)
      if (run && random() < 0.5) return { words: ['ask', '--resume', run.id, '--json'] }
      const session = await openSessions(place.home).find('talk')
      return {
        words: ['chat', ...(session ? [] : [video]), '--session', 'talk', '--ndjson', ...settings],
        input: questions
          .slice(turns.length)
          .map(question => `${question}\n`)
          .join(''),
      }
    },
    finished: async place => (await turnsOf(place)).length >= questions.length,
    async outcome(place, { printed }) {
      const turns = await turnsOf(place)
      const kept = turns.map(turn => turn.question.text)
      const same = turns.map(({ question, answer, evidence }) => ({ question, answer, evidence }))
      return {
        same,
        lost: answered(printed).filter(question => !kept.includes(question)).length,
        doubled: kept.length - new Set(kept).size,
      }
    },
  }
}

// The questions whose answers were printed: each of them must have its turn.
function answered(printed: Killed['printed']): string[] {
  return printed
    .flatMap(out => out.split('\n'))
    .filter(line => line.startsWith('{"type":"result"') && line.endsWith('}'))
    .map(line => JSON.parse(line).question.text)
}
