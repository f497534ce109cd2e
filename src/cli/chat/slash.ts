import { UsageError, unknownName } from '../../core/errors.ts'
import { countPhrase } from '../../core/words/counted.ts'
import { visibleLine } from '../../core/words/visible-text.ts'
import { alignColumns } from '../show/format.ts'
import { askedText, evidenceLine, turnLines } from '../show/lines.ts'
import type { ChatLoop } from './repl.ts'

interface Slash {
  form: string
  about: string
  run(chat: ChatLoop, words: string[]): Promise<string[] | 'leave'>
}

// The list goes to stderr, where nothing is marked.
const unmarked = { bold: (text: string) => text, dim: (text: string) => text }

// What may be typed in a conversation besides questions.
const slashes: Record<string, Slash> = {
  help: {
    form: '/help',
    about: 'this list',
    run: async () => [
      ...alignColumns(Object.values(slashes).map(({ form, about }) => [form, about])),
      'Anything else is a question. It may point at earlier answers: "What did she say after that?", "And the second one?"',
    ],
  },
  evidence: {
    form: '/evidence [turn]',
    about: 'the rows that the last answer, or that of a turn, rests on',
    run: async (chat, [turn]) => {
      const turns = await chat.turns()
      const answered = turn === undefined ? turns.at(-1) : turns[turnNumber(turn, turns.length) - 1]
      const rows = answered?.evidence ?? []
      return rows.length > 0 ? rows.map(row => `${row.id} ${evidenceLine(row)} by ${row.by}`) : ['No evidence yet.']
    },
  },
  history: {
    form: '/history',
    about: 'the questions and answers so far',
    run: async chat => {
      const turns = await chat.turns()
      return turns.length > 0 ? turns.flatMap(turn => turnLines(turn, unmarked)) : ['Nothing was asked yet.']
    },
  },
  sessions: {
    form: '/sessions',
    about: 'the conversations about this video',
    run: async chat => {
      const { id } = chat.opened.index.video
      const sessions = (await chat.sessions.list()).sessions.filter(({ video }) => video.id === id)
      const rows = sessions.map(({ name, turns }) => [
        name === chat.name ? `* ${name}` : `  ${name}`,
        countPhrase(turns.length, 'turn'),
        ...turns.slice(-1).map(last => visibleLine(askedText(last))),
      ])
      return rows.length > 0 ? alignColumns(rows) : ['This is the first one.']
    },
  },
  resume: {
    form: '/resume NAME',
    about: 'go on in another session about this video',
    run: async (chat, [name]) => {
      if (name === undefined) throw new UsageError('Which session?', { hint: '/resume NAME; /sessions lists them.' })
      const { turns } = await chat.resume(name)
      return [`In ${name}, after ${turns.length} turns.`]
    },
  },
  fork: {
    form: '/fork NAME [turn]',
    about: 'go on in a new session, after the last or after this turn',
    run: async (chat, [name, turn]) => {
      if (name === undefined) throw new UsageError('A name is required.', { hint: '/fork NAME [turn]' })
      const { length } = (await chat.sessions.read(chat.name)).turns
      const at = turn === undefined ? undefined : turnNumber(turn, length)
      const session = await chat.sessions.fork(chat.name, at, name)
      chat.name = name
      return [`In ${name}, after ${session.turns.length} turns.`]
    },
  },
  quit: { form: '/quit', about: 'leave; Ctrl-D does too', run: async () => 'leave' },
}

// "exit" is what other programs call it.
export async function runSlash(chat: ChatLoop, line: string): Promise<string[] | 'leave'> {
  const [name = '', ...words] = line.slice(1).trim().split(/\s+/)
  const fullName = name === 'exit' || name === 'q' ? 'quit' : name
  const slash = Object.hasOwn(slashes, fullName) ? slashes[fullName] : undefined
  if (slash) return slash.run(chat, words)
  const names = Object.keys(slashes).map(one => `/${one}`)
  throw unknownName('command', `/${name}`, names)
}

function turnNumber(text: string, count: number): number {
  const turn = Number(text)
  if (Number.isInteger(turn) && turn >= 1 && turn <= count) return turn
  throw new UsageError(`There is no turn "${text}".`, { hint: `There are ${count}; /history shows them.` })
}
