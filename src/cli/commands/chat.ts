import { LongtakeError, UsageError } from '../../core/errors.ts'
import { safeJson, visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import { askDocument, shortVideo } from '../../runtime/documents.ts'
import { openSessions } from '../../store/sessions.ts'
import type { Call } from '../call.ts'
import { openLines } from '../chat/lines.ts'
import { ChatLoop } from '../chat/repl.ts'
import { runSlash } from '../chat/slash.ts'
import type { CommandRun } from '../command.ts'
import { exitCodes, fail } from '../fail.ts'
import { localVideo } from '../named-videos.ts'
import { watching } from '../output.ts'
import { answerLines } from '../show/lines.ts'

export const chat: CommandRun = async call => {
  const home = await call.home()
  const sessionName = call.text('--session')
  const session = sessionName === undefined ? undefined : await openSessions(home).find(sessionName)
  const video = call.arguments[0] ?? session?.video.path
  if (video === undefined)
    throw new UsageError(sessionName ? `There is no session "${sessionName}" yet.` : 'Which video?', {
      hint: 'For example: longtake chat talk.mp4. "longtake runs sessions ls" shows what was talked about before.',
    })
  const runtime = await call.runtime()
  for (const line of [runtime.unusedKey, runtime.advice]) if (line) call.remark(line)
  const file = await localVideo(call, video)
  const opened = await watching(call, watch => runtime.questions.openVideo(file, { watch, signal: call.signal }))
  try {
    const talk = new ChatLoop(call, opened, home, sessionName ?? newName(opened.index.video.name))
    if (session) await talk.resume(session.name)
    return await converse(talk, call, session?.turns.length ?? 0)
  } finally {
    await opened.close()
  }
}

async function converse(talk: ChatLoop, call: Call, turns: number): Promise<number> {
  const { input } = call.world
  if (!input) throw new UsageError('There is nothing to read questions from.')
  const { video } = talk.opened.index
  call.remark(
    `${visibleFileName(video.name)}, session ${talk.name}${turns > 0 ? ` after ${turns} turns` : ''}. ${input.live ? '/help shows what can be typed. ' : ''}Later: longtake chat --session ${talk.name}`,
  )
  let interruptedAt: number | undefined
  const interrupted = () => {
    if (talk.interrupt() === 'stays') return
    interruptedAt = exitCodes.interrupted
    lines.close()
  }
  const lines = openLines(input, interrupted)
  const giveBack = call.world.onInterrupt?.(interrupted)
  let code = 0
  try {
    while (interruptedAt === undefined && !call.signal.aborted) {
      const line = (await lines.next())?.trim()
      if (line === undefined) break
      if (line === '') continue
      const outcome = await runLine(talk, call, line)
      if (outcome === 'leave') break
      code = outcome || code
    }
  } finally {
    giveBack?.()
    lines.close()
  }
  if (call.json)
    call.document({
      session: talk.name,
      video: shortVideo(video),
      turns: talk.reports.map(report => askDocument(report)),
    })
  return interruptedAt ?? (call.signal.aborted ? exitCodes.interrupted : input.live ? 0 : code)
}

async function runLine(talk: ChatLoop, call: Call, line: string): Promise<number | 'leave'> {
  const { terminal } = call
  if (line.startsWith('/')) {
    try {
      const output = await runSlash(talk, line)
      if (output === 'leave') return output
      terminal.say(output.join('\n'))
      return 0
    } catch (error) {
      if (error instanceof LongtakeError) return fail(error, terminal)
      throw error
    }
  }
  const plain = !call.json && !call.has('--ndjson')
  if (plain && !call.world.input?.live) terminal.out(`> ${visibleLine(line)}\n`)
  const report = await talk.ask(line)
  if (typeof report === 'number') return report
  if (call.has('--ndjson')) terminal.out(`${safeJson({ type: 'result', schemaVersion: 1, ...askDocument(report) })}\n`)
  if (plain && report.stop !== 'interrupted')
    terminal.out(`${answerLines(report, terminal, talk.reports.length > 1).join('\n')}\n\n`)
  return 0
}

// "talk-1121-150312": of the file and the time, so that two conversations about one video have two names.
function newName(video: string): string {
  const plain = video
    .replace(/\.\w+$/, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
  const [, date, time] = /^\d+-(.{5})T(.{8})/.exec(new Date().toISOString()) ?? []
  return `${plain.slice(0, 32) || 'video'}-${date?.replace('-', '')}-${time?.replaceAll(':', '')}`
}
