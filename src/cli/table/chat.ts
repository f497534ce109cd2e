import { toolOption } from './tools.ts'
import type { ArgumentSpec, CommandSpec, OptionSpec } from './types.ts'

const session: ArgumentSpec = { name: 'session', about: 'its name', kind: 'one', values: 'text' }

// How a question belongs to a conversation, or goes on with a run that was stopped.
export const conversationOptions: OptionSpec[] = [
  {
    flag: '--session',
    value: 'name',
    about: 'a conversation: earlier questions and answers count, and this one is kept',
    excludes: ['resume'],
  },
  {
    flag: '--resume',
    value: 'run',
    about: 'go on with a run that was stopped, from its last step; nothing is paid for twice',
    excludes: ['session', 'options', 'graph'],
  },
  {
    flag: '--replay',
    value: 'run',
    about: 'answer again from what models and tools said in that run; asks nothing and needs no network',
    excludes: ['session', 'options', 'graph', 'resume'],
  },
  {
    flag: '--fork',
    value: 'run',
    about: 'go on from a step of that run in a run of its own, with these settings; see --from-step',
    excludes: ['session', 'options', 'graph', 'resume', 'replay'],
  },
  { flag: '--from-step', value: 'n', about: 'with --fork: the last step that is kept' },
  { flag: '--hint', value: 'text', about: 'with --fork: a hint for the planner, who is asked next' },
  { flag: '--record', about: 'say where every call of a model or tool is written down; it always is' },
]

export function chatCommand(video: ArgumentSpec, budget: OptionSpec[], events: OptionSpec): CommandSpec {
  return {
    name: 'chat',
    summary: 'Talk about a video: questions that may point at earlier answers',
    details:
      'One question a line, from the terminal or a pipe. Ctrl-C stops the question, twice leaves. /help lists what else can be typed.',
    arguments: [{ ...video, kind: 'optional' }],
    options: [
      {
        flag: '--session',
        value: 'name',
        about: 'go on with this conversation, or begin one of this name; the video may then be left out',
      },
      ...budget,
      toolOption,
      events,
    ],
    examples: [
      'longtake chat talk.mp4',
      'longtake chat --session talk',
      `printf 'Who speaks first?\\nWhat does she say after that?\\n' | longtake chat talk.mp4`,
    ],
    load: () => import('../commands/chat.ts').then(it => it.default),
  }
}

export const sessionsCommand: CommandSpec = {
  name: 'sessions',
  summary: 'Conversations that are kept: list, show, fork and remove them',
  commands: [
    {
      name: 'ls',
      summary: 'List the sessions, the one that was used last first',
      examples: ['longtake sessions ls'],
      load: () => import('../commands/sessions.ts').then(it => it.ls),
    },
    {
      name: 'show',
      summary: 'Show the turns of a session with their evidence',
      arguments: [session],
      examples: ['longtake sessions show talk'],
      load: () => import('../commands/sessions.ts').then(it => it.show),
    },
    {
      name: 'fork',
      summary: 'Begin another session with the first turns of this one',
      arguments: [session],
      options: [
        { flag: '--at', value: 'turn', about: 'the last turn to take over; all of them if left out' },
        { flag: '--as', value: 'name', about: 'the name of the new session' },
      ],
      examples: ['longtake sessions fork talk --at 2 --as talk-again'],
      load: () => import('../commands/sessions.ts').then(it => it.fork),
    },
    {
      name: 'rm',
      summary: 'Remove a session; its runs stay',
      arguments: [session],
      examples: ['longtake sessions rm talk'],
      load: () => import('../commands/sessions.ts').then(it => it.rm),
    },
  ],
}
