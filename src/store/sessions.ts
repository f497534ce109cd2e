import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Turn } from '../core/agent.ts'
import { errorText, UsageError, unknownName } from '../core/errors.ts'
import { ensureFolder, writeDurably } from './durable.ts'
import { openJsonLines, readJsonLines } from './json-lines.ts'
import { listNames } from './read-file.ts'
import { refuseNewer } from './sealed-record.ts'
import { onDisk } from './storage-error.ts'
import { sweepAbandoned } from './temporary.ts'

// A conversation about one video as a file of JSON lines, <home>/sessions/<name>.jsonl: what it is about, then its turns.
const Head = z.object({
  format: z.literal(1),
  session: z.string(),
  video: z.object({ id: z.string(), path: z.string(), name: z.string(), duration: z.number() }),
  created: z.string(), // ISO date
  from: z.object({ session: z.string(), turn: z.number() }).optional(), // it is a fork
})
const StoredTurn = Turn.extend({
  turn: z.number(), // from 1
  asked: z.string(), // ISO date
  run: z.string().optional(), // the run's folder
})
const Line = z.union([Head, StoredTurn, z.looseObject({ format: z.number() })])

export type SessionTurn = z.infer<typeof StoredTurn>

export interface ChatSession extends Omit<z.infer<typeof Head>, 'format' | 'session'> {
  name: string
  file: string
  turns: SessionTurn[]
}

interface DamagedSession {
  name: string
  why: string
}

export interface SessionStore {
  list(): Promise<{ sessions: ChatSession[]; damaged: DamagedSession[] }> // the one that was used last first
  find(name: string): Promise<ChatSession | undefined>
  read(name: string): Promise<ChatSession>
  create(name: string, video: ChatSession['video']): Promise<ChatSession>
  append(name: string, turn: Turn & { run?: string }): Promise<SessionTurn>
  fork(name: string, at: number | undefined, as: string): Promise<ChatSession>
  remove(name: string): Promise<void>
}

export function openSessions(home: string): SessionStore {
  const root = join(home, 'sessions')
  const fileOf = (name: string) => {
    if (/^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u.test(name) && Buffer.byteLength(name) <= 200)
      return join(root, `${name}.jsonl`)
    throw new UsageError(`"${name}" is not a valid session name.`, {
      hint: 'Use letters, digits, dashes and dots, up to 64 of them.',
    })
  }

  const find = async (name: string): Promise<ChatSession | undefined> => {
    const file = fileOf(name)
    const [first, ...rest] = await readJsonLines(file, Line)
    if (first === undefined) return undefined
    refuseNewer(file, first, 1)
    const head = Head.parse(first)
    const turns = rest.flatMap(line => StoredTurn.safeParse(line).data ?? [])
    return { name, file, video: head.video, created: head.created, from: head.from, turns }
  }

  const names = async (): Promise<string[]> => {
    const files = await listNames(root)
    return files.filter(file => file.endsWith('.jsonl')).map(file => file.slice(0, -'.jsonl'.length))
  }

  const read = async (name: string): Promise<ChatSession> => {
    const session = await find(name)
    if (session) return session
    const sessionNames = await names()
    if (sessionNames.length > 0) throw unknownName('session', name, sessionNames)
    throw new UsageError(`There is no session "${name}".`, { hint: 'Begin one: longtake chat VIDEO --session NAME.' })
  }

  const write = async (session: Omit<ChatSession, 'file'>): Promise<ChatSession> => {
    const file = fileOf(session.name)
    if (await find(session.name))
      throw new UsageError(`There is a session "${session.name}" already.`, {
        hint: `Choose another name, or remove it: longtake runs sessions rm ${session.name}.`,
      })
    const { name, turns, video, created, from } = session
    const lines = [{ format: 1, session: name, video, created, from }, ...turns].map(line => JSON.stringify(line))
    await onDisk(`write ${file}`, async () => {
      await ensureFolder(root)
      await sweepAbandoned(root)
      await writeDurably(file, `${lines.join('\n')}\n`)
    })
    return { ...session, file }
  }

  return {
    find,
    read,
    async list() {
      const sessions: ChatSession[] = []
      const damaged: DamagedSession[] = []
      const look = async (name: string) => {
        try {
          const session = await find(name)
          if (session) sessions.push(session)
          else damaged.push({ name, why: 'it has no whole line' })
        } catch (error) {
          damaged.push({ name, why: errorText(error) })
        }
      }
      await Promise.all((await names()).map(look))
      const used = (session: ChatSession) => session.turns.at(-1)?.asked ?? session.created
      return {
        sessions: sessions.sort((a, b) => (used(a) < used(b) ? 1 : -1)),
        damaged: damaged.sort((a, b) => (a.name < b.name ? -1 : 1)),
      }
    },
    create: (name, { id, path, name: title, duration }) =>
      write({ name, video: { id, path, name: title, duration }, created: new Date().toISOString(), turns: [] }),
    async append(name, turn) {
      const { file, turns } = await read(name)
      const line: SessionTurn = { turn: turns.length + 1, asked: new Date().toISOString(), ...turn }
      const rows = await openJsonLines(file, 'each-line')
      await rows.append(line)
      return line
    },
    async fork(name, at, as) {
      const { turns, video } = await read(name)
      const turn = at ?? turns.length
      if (turn > turns.length)
        throw new UsageError(`Session "${name}" has ${turns.length} turns, so it cannot be forked at ${turn}.`, {
          hint: `See "longtake runs sessions show ${name}".`,
        })
      return write({
        name: as,
        video,
        created: new Date().toISOString(),
        from: { session: name, turn },
        turns: turns.slice(0, turn),
      })
    },
    async remove(name) {
      const { file } = await read(name)
      await onDisk(`remove ${file}`, () => rm(file))
    },
  }
}
