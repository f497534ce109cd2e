import type { Question } from '../../core/agent.ts'
import { UsageError } from '../../core/errors.ts'
import type { AskReport } from '../../core/runtime.ts'
import { isPartial } from '../../core/video.ts'
import { askDocument } from '../../runtime/documents.ts'
import { personAt } from '../ask-person.ts'
import type { Call } from '../call.ts'
import type { CommandRun } from '../command.ts'
import { exitCodes } from '../fail.ts'
import { localVideo } from '../named-videos.ts'
import { openAnswer } from '../open-answer.ts'
import { result, watching } from '../output.ts'
import { answerLines } from '../show/lines.ts'
import { remarkCosts } from './index-forecast.ts'
import { findRunName } from './runs.ts'

export const ask: CommandRun = async call => {
  const report = await answered(call)
  const { why } = (await call.runtime()).profile
  result(call, { ...askDocument(report), why }, answerLines(report, call.terminal))
  if (call.has('--open')) await openAnswer(call, report)
  if (call.has('--record'))
    call.remark(`Every call is recorded. Repeat the answer with: longtake ask --replay ${report.run}`)
  if (report.stop === 'interrupted') call.remark(`Resume with: longtake ask --resume ${report.run}`)
  return exitCode(report)
}

function answered(call: Call): Promise<AskReport> {
  const [replayed, resumed, forked] = [call.text('--replay'), call.text('--resume'), call.text('--fork')]
  if (replayed !== undefined) return replay(call, replayed)
  if (forked !== undefined) return fork(call, forked)
  if (resumed !== undefined) return resume(call, resumed)
  return call.has('--library') ? askLibrary(call) : askOnce(call)
}

// Over all videos that have an index; none is made.
async function askLibrary(call: Call): Promise<AskReport> {
  const [text, second] = call.arguments
  if (text === undefined) throw missing('question')
  if (second !== undefined)
    throw new UsageError('--library asks over all videos, so no video can be named with it.', {
      hint: 'Leave out the video, or --library; --in FOLDER narrows it to the videos of a folder.',
    })
  const question = readQuestion(call, text)
  const wish = { within: call.path('--in'), k: call.integer('--k', 1, 100), graph: call.text('--graph') }
  const runtime = await call.runtime()
  for (const line of [runtime.unusedKey, runtime.advice]) if (line) call.remark(line)
  return watching(call, watch =>
    runtime.allVideos.ask(question, { ...wish, watch, signal: call.signal, reply: personAt(call) }),
  )
}

// A run by its name, with a runtime that has its settings.
async function openRun(call: Call, flag: string, given: string) {
  if (call.arguments.length > 0)
    throw new UsageError(`${flag} takes the video and the question from the run.`, {
      hint: `Leave both out: longtake ask ${flag} RUN.`,
    })
  const run = await findRunName(call, given)
  const file = `${await call.home()}/runs/${run}/config.json`
  await (flag === '--fork' ? call.settings(file) : call.settingsOfRun(file))
  return { run, runtime: await call.runtime() }
}

// Answers from the recorded replies of the models and tools; nothing is asked.
async function replay(call: Call, given: string): Promise<AskReport> {
  const { run, runtime } = await openRun(call, '--replay', given)
  const { report, same } = await watching(call, watch => runtime.questions.replay(run, { watch, signal: call.signal }))
  if (!same) call.remark('The answer differs from that of the run: longtake itself has changed since.')
  return report
}

async function askOnce(call: Call): Promise<AskReport> {
  if (call.text('--in') !== undefined)
    throw new UsageError('--in narrows a question over all videos, and this one is about one.', {
      hint: 'Add --library and leave out the video.',
    })
  const session = call.text('--session')
  const [first, second] = call.arguments
  const { openSessions, askInSession } = await import('../../runtime/ask/ask-in-session.ts')
  const sessions = openSessions(await call.home())
  const sessionVideo =
    session !== undefined && second === undefined ? (await sessions.read(session)).video.path : undefined
  const [video, text] = sessionVideo === undefined ? [first, second] : [sessionVideo, first]
  if (video === undefined) throw missing('video')
  if (text === undefined) throw missing('question')
  const question = readQuestion(call, text)
  const runtime = await call.runtime()
  for (const line of [runtime.unusedKey, runtime.advice]) if (line) call.remark(line)
  const file = await localVideo(call, video)
  await remarkCosts(call, file)
  return watching(call, async watch => {
    const options = { watch, signal: call.signal, graph: call.text('--graph'), reply: personAt(call) }
    if (session === undefined) return runtime.questions.ask(file, question, options)
    const opened = await runtime.questions.openVideo(file, options)
    try {
      return await askInSession(sessions, session, opened, question, options)
    } finally {
      await opened.close()
    }
  })
}

// A run resumes with the settings that it began with; limits may be given again.
async function resume(call: Call, given: string): Promise<AskReport> {
  const { run, runtime } = await openRun(call, '--resume', given)
  const report = await watching(call, watch =>
    runtime.questions.resume(run, { watch, signal: call.signal, reply: personAt(call) }),
  )
  const { keepTurn, openSessions } = await import('../../runtime/ask/ask-in-session.ts')
  await keepTurn(openSessions(await call.home()), report)
  return report
}

// The steps before stay as they were; what is set now holds from there on.
async function fork(call: Call, given: string): Promise<AskReport> {
  const { run, runtime } = await openRun(call, '--fork', given)
  const point = { step: call.integer('--from-step', 0), hint: call.text('--hint') }
  return watching(call, watch =>
    runtime.questions.fork(run, point, { watch, signal: call.signal, reply: personAt(call) }),
  )
}

function missing(name: string): UsageError {
  return new UsageError(`Missing required argument "${name}".`, { hint: 'See "longtake ask --help".' })
}

const usual = 'For example: longtake ask talk.mp4 "Who speaks first?"'

function readQuestion(call: Call, given: string): Question {
  const text = given.trim()
  if (text === '') throw new UsageError('The question is empty.', { hint: usual })
  const choices = call.text('--options')
  const question = { text, ...readUntil(call) }
  if (choices === undefined) return question
  const options = choices.split('|').map(option => option.trim())
  if (options.length >= 2 && !options.includes('')) return { ...question, options }
  throw new UsageError(`--options "${choices}" needs two answers or more, none of them empty.`, {
    hint: 'Write them as --options "Paris|Rome|Oslo".',
  })
}

function readUntil(call: Call): Pick<Question, 'until'> {
  const until = call.time('--until')
  if (until === 0) throw new UsageError('--until is the beginning of the video.', { hint: 'Give a later time.' })
  return until === undefined ? {} : { until }
}

// A run never ends without an answer; the exit code says what kept it from a better one.
function exitCode({ stop, coverage, library }: AskReport): number {
  if (stop === 'interrupted') return exitCodes.interrupted
  if (stop === 'failed') return exitCodes.backend
  if (stop !== 'answered') return exitCodes.limit
  const parts = library ? library.asked.map(one => one.coverage) : [coverage]
  const whole = !parts.some(isPartial) && (library?.notSearched ?? []).length === 0
  return whole ? exitCodes.ok : exitCodes.partial
}
