import type { ResolvedConfig } from '../config/resolve.ts'
import type { Question, RunEvent } from '../core/agent.ts'
import type { ChatModel } from '../core/chat.ts'
import { errorText } from '../core/errors.ts'
import type { AskReport } from '../core/runtime.ts'
import type { Video } from '../core/video.ts'
import { recordingChat } from '../store/calls.ts'
import { startRun as startFolder } from '../store/run-folder.ts'

export interface Run {
  folder: string
  record(role: string, model: ChatModel): ChatModel
  trace(event: RunEvent): void
  finish(report: AskReport): Promise<void>
  fail(error: unknown): Promise<void>
}

export interface RunStart {
  home: string
  config: ResolvedConfig
  profile: { name: string; why: string }
  question: Question
  video: Video
  environment: Readonly<Record<string, string | undefined>>
}

// The run folder of one question: its settings, its trace, every model call, and in the end its answer.
export async function startRun({ home, config, profile, question, video, environment }: RunStart): Promise<Run> {
  const run = await startFolder(home, {
    name: question.text,
    config: config.settings,
    environment: {
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      profile,
      question,
      video: { id: video.id, path: video.path, duration: video.duration },
    },
    secrets: secretsOf(environment),
  })
  // Lines are appended in order; a failed write must not be lost, and is told when the run ends.
  let writing: Promise<unknown> = Promise.resolve()
  let failure: unknown
  const append = (event: object) => {
    writing = writing
      .then(() => run.trace(event))
      .catch(error => {
        failure ??= error
      })
  }
  const end = async (summary: unknown) => {
    await writing
    await run.finish(summary)
    if (failure) throw failure
  }
  return {
    folder: run.folder,
    record: (_role, model) => recordingChat(model, run.calls),
    trace: append,
    finish: report => end({ state: report.stop, ...report }),
    async fail(error) {
      append({ type: 'note', text: errorText(error) })
      await end({ state: 'failed', question, error: errorText(error) }).catch(() => {})
    },
  }
}

// What must never reach a file: values of variables that are named like secrets.
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value && value.length >= 8 && /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)/i.test(name) ? [value] : [],
  )
}
