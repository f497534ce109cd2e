import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Job } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { answering } from '../answering.ts'
import { api, type ReplyTo, type RequestTo } from '../api.ts'
import { liveConnection, liveJobs, onLive } from '../live.ts'
import { currentRoute, setQuery } from '../router.ts'
import type { ShownRow } from '../rows/row-source.ts'
import { emptyFilm, type Film } from './film.ts'
import { followRun } from './follow-run.ts'
import { isJobAbout, listTurns, newSessionName, type ShownTurn } from './turns.ts'

export type AskBody = RequestTo<'POST /videos/:video/ask'>['body']
export type StageView = Job['stages'][number]
type Sessions = ReplyTo<'GET /sessions'>['sessions']

// The questions about one video, or about all, and what is known of them, as chat, lanes and the list of steps show it.
export interface Conversation extends ConversationState {
  choose(turn: ShownTurn): void
  film(run: string | undefined): ReadonlySignal<Film>
  rows(film: Film): ReadonlyMap<string, ShownRow> // that its answer may cite
  stages(job: Job): readonly StageView[]
  openSession(name: string | undefined): void // undefined: a new one
  ask(wish: AskBody): Promise<void>
  index(): void
  stop(job: Job): void
  resume(job: Job): void
  close(): void
}

// What the view of a conversation shows.
export interface ConversationState {
  isOfOne: boolean // about one video, and not about all
  sessions: ReadonlySignal<Sessions>
  session: ReadonlySignal<string> // '': each question stands alone
  turns: ReadonlySignal<readonly ShownTurn[]>
  error: Signal<Error | undefined>
  question: Signal<string> // as it is being written
  active: ReadonlySignal<ShownTurn | undefined> // whose marks the lanes show
  // An indexing of this video, under way or the last that failed; also one for a question of another conversation.
  indexing: ReadonlySignal<Job | undefined>
}

const none = signal(emptyFilm)
const maxLibraryTurns = 20 // all of them are listed in Activity

// Of all videos if `video` is left out: those questions belong to no session.
export function startConversation(video?: Pick<VideoDetails, 'id' | 'name'>): Conversation {
  const sessions = signal<Sessions>([])
  const takenNames = signal<ReadonlySet<string>>(new Set())
  const session = signal(currentRoute.peek().query.get('session') ?? '')
  const storedSession = signal<ReplyTo<'GET /sessions/:session'> | undefined>(undefined)
  const error = signal<Error | undefined>(undefined)
  const opened = currentRoute.peek().query.get('run') ?? undefined // a run of the address, of whatever conversation
  const shownRun = signal(opened)
  const chosen = signal<string | undefined>(undefined)
  const staged = signal<ReadonlyMap<string, ReadonlyMap<string, StageView>>>(new Map())
  const ready = signal(false)
  const films = new Map<string, ReturnType<typeof followRun>>()
  const leave = new AbortController()

  const turns = computed(() => {
    if (!ready.value) return []
    const name = session.value
    const storedTurns = storedSession.value?.name === name ? storedSession.value : undefined
    const of = { video: video?.id, session: name === '' ? undefined : name }
    const all = listTurns(of, storedTurns, liveJobs.value.values())
    const sessionTurns = video ? all : all.slice(-maxLibraryTurns)
    const other = opened !== undefined && !sessionTurns.some(({ run }) => run === opened)
    return other ? [{ key: opened, asked: '', run: opened, rows: [] }, ...sessionTurns] : sessionTurns
  })
  const active = computed(() => {
    const chosenTurn = turns.value.find(
      ({ key, run }) => key === chosen.value || (run !== undefined && run === shownRun.value),
    )
    return chosenTurn ?? turns.value.at(-1)
  })

  const readSessions = async () => {
    const { sessions: all } = await api('GET /sessions', { signal: leave.signal })
    takenNames.value = new Set(all.map(({ name }) => name))
    sessions.value = all.filter(one => one.video.id === video?.id)
  }
  const readKept = async () => {
    const name = session.peek()
    if (name === '' || !takenNames.peek().has(name)) storedSession.value = undefined
    else storedSession.value = await api('GET /sessions/:session', { params: { session: name }, signal: leave.signal })
  }
  const read = async () => {
    try {
      if (video) {
        await readSessions()
        if (!ready.peek()) session.value = await first(video, currentRoute.peek().query.get('session'))
        await readKept()
      }
      ready.value = true
    } catch (caught) {
      if (!leave.signal.aborted) error.value = caught as Error
    }
  }
  // The conversation of the address, else one with a question under way, else the last one about this video, else a new one.
  const first = async ({ id, name }: { id: string; name: string }, named: string | null) =>
    named ?? (await runningSession(id)) ?? sessions.peek()[0]?.name ?? fresh(name)
  let unnamed: string | undefined // a new conversation, until its first question gives it a name
  const fresh = (name: string) => {
    unnamed = newSessionName(name.replace(/\.[^.]*$/, ''), new Set([...takenNames.peek(), session.peek()]))
    return unnamed
  }
  const nameSession = (given: string | undefined, question: string) => {
    if (given === undefined || given !== unnamed) return given
    unnamed = undefined
    session.value = newSessionName(question, takenNames.peek())
    setQuery({ session: currentRoute.peek().query.has('session') ? session.peek() : undefined })
    return session.peek()
  }

  const unlisten = onLive(event => {
    if (event.kind === 'job') {
      if (isJobAbout(event.job, video?.id) && isOver(event.job.state)) void read()
    } else if (event.event.type === 'stage') {
      const { stage, state, done, total, note } = event.event
      const before = staged.peek().get(event.job)
      staged.value = new Map(staged.peek()).set(
        event.job,
        new Map(before).set(stage, { stage, state, done, total, note }),
      )
    }
  })
  void read()
  // What could not be read is read when the server is back.
  const unwatch = liveConnection.subscribe(now => {
    if (now !== 'open' || !error.peek()) return
    error.value = undefined
    void read()
  })
  const draftKey = `longtake-draft-${video?.id ?? 'all'}`
  const question = signal(currentRoute.peek().query.get('ask') ?? sessionStorage.getItem(draftKey) ?? '')
  const keepDraft = effect(() => sessionStorage.setItem(draftKey, question.value))

  const fail = (caught: Error) => {
    error.value = caught
  }
  const begin = async (work: () => Promise<{ job: string }>): Promise<void> => {
    error.value = undefined
    try {
      const { job } = await work()
      const begun = await api('GET /jobs/:job', { params: { job } })
      if (!liveJobs.peek().has(job)) liveJobs.value = new Map(liveJobs.peek()).set(job, begun)
      chosen.value = undefined
      shownRun.value = undefined
    } catch (caught) {
      error.value = caught as Error
      throw caught
    }
  }
  const ask = ({ session: given, ...wish }: AskBody) => {
    const body = { ...wish, settings: answering.peek()?.settings }
    const name = nameSession(given, wish.question)
    return begin(() =>
      video
        ? api('POST /videos/:video/ask', { params: { video: video.id }, body: { ...body, session: name } })
        : api('POST /ask', { body }),
    )
  }
  const index = () => {
    if (video) begin(() => api('POST /videos/:video/index', { params: { video: video.id } })).catch(() => {}) // said by `error`
  }

  return {
    ...{ isOfOne: video !== undefined, sessions, session, turns, active, error, question },
    choose(turn) {
      chosen.value = turn.key
      shownRun.value = undefined
      setQuery({ run: turn.run })
    },
    film(run) {
      if (run === undefined) return none
      const followed = films.get(run) ?? followRun(run)
      films.set(run, followed)
      return followed.film
    },
    // A row that an earlier turn has brought is not new in the film of a later one.
    rows: film => new Map([...turns.value.flatMap(turn => turn.rows.map(row => [row.id, row] as const)), ...film.rows]),
    indexing: computed(() => {
      const shownJobs = new Set(turns.value.map(({ job }) => job?.id))
      const makesIndex = (job: Job) => job.kind === 'index' || (isIndexingFirst(job) && !shownJobs.has(job.id))
      const indexJobs = [...liveJobs.value.values()].filter(
        job => video !== undefined && isJobAbout(job, video.id) && makesIndex(job),
      )
      const newest = indexJobs.sort((a, b) => (a.created < b.created ? 1 : -1))
      return newest.find(({ state }) => state === 'running') ?? newest[0]
    }),
    stages: job => [
      ...new Map([...job.stages.map(one => [one.stage, one] as const), ...(staged.value.get(job.id) ?? [])]).values(),
    ],
    openSession(name) {
      session.value = name ?? fresh(video?.name ?? '')
      chosen.value = undefined
      setQuery({ session: session.value, run: undefined })
      readKept().catch(fail)
    },
    ask,
    index,
    stop({ id }) {
      api('DELETE /jobs/:job', { params: { job: id } }).then(over => {
        liveJobs.value = new Map(liveJobs.peek()).set(id, over)
      }, fail)
    },
    resume({ kind, run, question, session: name, budget, graph }) {
      const { text = '', options } = question ?? {}
      if (kind === 'index') index()
      else if (run === undefined) ask({ question: text, options, session: name, budget, graph }).catch(() => {})
      else begin(() => api('POST /runs/:run/resume', { params: { run } })).catch(() => {})
    },
    close() {
      leave.abort()
      unlisten()
      unwatch()
      keepDraft()
      for (const { close } of films.values()) close()
    },
  }
}

// A question whose run has not begun: the index is being made for it.
function isIndexingFirst({ kind, run, stages, state }: Job): boolean {
  return kind === 'ask' && run === undefined && stages.length > 0 && !isOver(state)
}

// It is kept only with its first answer.
async function runningSession(video: string): Promise<string | undefined> {
  const liveNow = [...liveJobs.peek().values()]
  const jobs = liveNow.length > 0 ? liveNow : (await api('GET /jobs')).jobs
  return jobs.find(job => isJobAbout(job, video) && job.session !== undefined && !isOver(job.state))?.session
}
