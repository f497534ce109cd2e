import { type LinkedSignal, linkSignals } from '../../core/basics/signals.ts'
import { LongtakeError, UsageError } from '../../core/errors.ts'
import type { AskReport, OpenVideo } from '../../core/runtime.ts'
import { askInSession, type ChatSession, openSessions } from '../../runtime/ask/ask-in-session.ts'
import type { Call } from '../call.ts'
import { fail } from '../fail.ts'
import { watching } from '../output.ts'

// One conversation at the command line: which session it goes on in, and the question that is being answered.
export class ChatLoop {
  readonly call: Call
  readonly opened: OpenVideo
  readonly sessions: ReturnType<typeof openSessions>
  name: string
  reports: AskReport[] = []
  #running?: LinkedSignal
  #warned = false

  constructor(call: Call, opened: OpenVideo, home: string, name: string) {
    this.call = call
    this.opened = opened
    this.sessions = openSessions(home)
    this.name = name
  }

  // The report, or the exit code of what went wrong; a fault of ours ends the conversation.
  async ask(text: string): Promise<AskReport | number> {
    const { call } = this
    const running = linkSignals(call.signal)
    this.#running = running
    this.#warned = false
    try {
      const report = await watching(call, watch =>
        askInSession(this.sessions, this.name, this.opened, { text }, { watch, signal: running.signal }),
      )
      if (report.stop === 'interrupted') call.remark(`Stopped. Resume with: longtake ask --resume ${report.run}`)
      else this.reports.push(report)
      return report
    } catch (error) {
      if (error instanceof LongtakeError) return fail(error, call.terminal)
      throw error
    } finally {
      running.clear()
      this.#running = undefined
    }
  }

  // Ctrl-C stops the running question; a second one, or two without a question, leave.
  interrupt(): 'stays' | 'leaves' {
    const { terminal } = this.call
    if (this.#running && !this.#running.signal.aborted) {
      terminal.say('Stopping this question; Ctrl-C once more leaves.')
      this.#running.abort()
      return 'stays'
    }
    if (this.#running || this.#warned) return 'leaves'
    this.#warned = true
    terminal.say('Ctrl-C once more leaves; so does /quit.')
    return 'stays'
  }

  // The turns so far.
  async turns(): Promise<ChatSession['turns']> {
    return (await this.sessions.find(this.name))?.turns ?? []
  }

  async resume(name: string): Promise<ChatSession> {
    const session = await this.sessions.read(name)
    const { id, name: title } = this.opened.index.video
    if (session.video.id !== id)
      throw new UsageError(`Session "${name}" is about ${session.video.name}, not about ${title}.`, {
        hint: `Leave this conversation, then: longtake chat --session ${name}.`,
      })
    this.name = name
    return session
  }
}
