import { type ArgumentSpec, type CommandSpec, commandsIn, option } from '../command.ts'
import { budgetOptions, ndjsonOption, toolOption, videoArgument } from '../options.ts'

const session: ArgumentSpec = { name: 'session', about: 'its name', kind: 'one', values: 'text' }

export const chatCommand: CommandSpec = {
  name: 'chat',
  summary: 'Talk about a video: questions that may refer to earlier answers',
  details:
    'One question a line, from the terminal or a pipe. Ctrl-C stops the question; a second Ctrl-C leaves. /help lists the other commands.',
  arguments: [{ ...videoArgument, kind: 'optional' }],
  options: [
    option('--session name', 'continue this conversation, or start one with this name; the video can then be left out'),
    ...budgetOptions,
    toolOption,
    ndjsonOption,
  ],
  examples: [
    'longtake chat talk.mp4',
    'longtake chat --session talk',
    `printf 'Who speaks first?\\nWhat does she say after that?\\n' | longtake chat talk.mp4`,
  ],
  load: () => import('../commands/chat.ts').then(it => it.chat),
}

export const sessionsCommand: CommandSpec = {
  name: 'sessions',
  summary: 'List, show, fork and remove conversations',
  commands: commandsIn(() => import('../commands/sessions.ts').then(it => it.sessionsCommands), {
    ls: {
      summary: 'List the sessions, the most recently used first',
      examples: ['longtake runs sessions ls'],
    },
    show: {
      summary: 'Show the turns of a session with their evidence',
      arguments: [session],
      examples: ['longtake runs sessions show talk'],
    },
    fork: {
      summary: 'Start another session with the first turns of this one',
      arguments: [session],
      options: [
        option('--at turn', 'the last turn to take over; default: all of them'),
        option('--as name', 'the name of the new session'),
      ],
      examples: ['longtake runs sessions fork talk --at 2 --as talk-again'],
    },
    rm: {
      summary: 'Remove a session; its runs stay',
      arguments: [session],
      examples: ['longtake runs sessions rm talk'],
    },
  }),
}
