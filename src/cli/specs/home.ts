import { type CommandSpec, commandsIn, earlierName, option } from '../command.ts'
import { sessionsCommand } from './chat.ts'
import { modelsCommand, setupCommand, toolCommand } from './models.ts'

const setting = { name: 'name', about: 'a setting, such as index.level', kind: 'one', values: 'text' } as const

const cacheCommand: CommandSpec = {
  name: 'cache',
  summary: 'Inspect and clean up what longtake keeps on disk',
  commands: commandsIn(() => import('../commands/cache.ts').then(it => it.cacheCommands), {
    ls: { summary: 'List the known videos', examples: ['longtake config cache ls'] },
    du: { summary: 'Show how much disk space each video takes', examples: ['longtake config cache du'] },
    verify: {
      summary: 'Read every result again and compare it with its hash',
      examples: ['longtake config cache verify'],
    },
    prune: {
      summary: 'Remove results by age, or until a size is reached',
      options: [
        option('--older time', 'remove what was last used longer ago than this (30d, 12h)'),
        option('--max size', 'remove the oldest until no more than this is left (50GB)'),
        option('--dry-run', 'only show what would be removed'),
      ],
      examples: ['longtake config cache prune --older 30d --dry-run', 'longtake config cache prune --max 50GB'],
    },
  }),
}

const doctorCommand: CommandSpec = {
  name: 'doctor',
  summary: 'Report for every role what is ready, what is missing and how to fix it',
  details: 'Every role gets a small sample of its work: a frame, two seconds of sound, a question.',
  arguments: [
    { name: 'what', about: 'gpu: only whether an NVIDIA GPU can run the models', kind: 'optional', values: ['gpu'] },
  ],
  options: [option('--quick', 'only check that everything is there; open nothing')],
  examples: [
    'longtake doctor',
    'longtake doctor gpu',
    'longtake doctor --profile local',
    'longtake doctor --quick --json',
  ],
  load: () => import('../commands/doctor.ts').then(it => it.doctor),
}

const completionCommand: CommandSpec = {
  name: 'completion',
  summary: 'Print the completion script of a shell',
  arguments: [{ name: 'shell', about: 'which shell', kind: 'one', values: ['bash', 'zsh', 'fish'] }],
  examples: [
    'source <(longtake config completion bash)',
    'longtake config completion fish > ~/.config/fish/completions/longtake.fish',
  ],
  load: () => import('../commands/completion.ts').then(it => it.completion),
}

const configCommand: CommandSpec = {
  name: 'config',
  summary: 'Show, change and check the settings; the cache, tools and completion',
  commands: [
    ...commandsIn(() => import('../commands/config.ts').then(it => it.configCommands), {
      show: {
        summary: 'Show every setting in use',
        options: [option('--origin', 'show where each value comes from')],
        examples: ['longtake config show --origin', 'longtake config show --profile local'],
      },
      get: {
        summary: 'Show the value in use of one setting, or of all below a name',
        arguments: [setting],
        examples: ['longtake config get index.level', 'longtake config get models.transcribe'],
      },
      set: {
        summary: 'Set a value in your own settings file',
        arguments: [setting, { name: 'value', about: 'the value', kind: 'one', values: 'text' }],
        examples: ['longtake config set index.level quick', 'longtake config set model ollama/qwen3.5:9b'],
      },
      unset: {
        summary: 'Take a value out of your own settings file',
        arguments: [setting],
        examples: ['longtake config unset index.level'],
      },
      schema: {
        summary: 'Print what can be set: JSON schema, or a table',
        options: [option('--markdown', 'a table instead of JSON schema')],
        examples: ['longtake config schema > longtake.schema.json', 'longtake config schema --markdown'],
      },
      validate: {
        summary: 'Check the settings, including those of each backend',
        arguments: [{ name: 'file', about: 'a settings file', kind: 'optional', values: 'files' }],
        examples: ['longtake config validate', 'longtake config validate ./longtake.config.json'],
      },
    }),
    cacheCommand,
    toolCommand,
    completionCommand,
  ],
}

const runsCommand: CommandSpec = {
  name: 'runs',
  summary: 'List, show and compare earlier questions and evaluations',
  commands: [
    ...commandsIn(() => import('../commands/runs.ts').then(it => it.runsCommands), {
      ls: { summary: 'List the runs, newest first', examples: ['longtake runs ls'] },
      show: {
        summary: 'Show one run',
        arguments: [{ name: 'run', about: 'its name, or the beginning of it', kind: 'one', values: 'text' }],
        examples: ['longtake runs show 20261121-1203'],
      },
      compare: {
        summary: 'Compare two runs of questions step by step: where they part first, settings, answers, rows cited',
        arguments: ['run-a', 'run-b'].map(name => ({
          ...{ name, about: 'its name, or the beginning of it', kind: 'one' as const, values: 'text' as const },
        })),
        examples: ['longtake runs compare 20261121-1203 20261122-0915'],
      },
    }),
    sessionsCommand,
  ],
}

export const homeCommands: CommandSpec[] = [setupCommand, doctorCommand, configCommand, runsCommand, modelsCommand]

export const earlierHomeCommands = [cacheCommand, toolCommand, completionCommand, sessionsCommand].map(earlierName)
