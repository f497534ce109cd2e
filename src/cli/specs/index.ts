import { type CommandSpec, commandsIn, option } from '../command.ts'
import {
  budgetOptions,
  conversationOptions,
  exportFormats,
  fileValues,
  graphChoices,
  inOption,
  ndjsonOption,
  toolOption,
  trackOption,
  videoArgument,
} from '../options.ts'
import { chatCommand, sessionsCommand } from './chat.ts'
import { modelsCommand, setupCommand, toolCommand } from './models.ts'
import { loadPackageCommands } from './package-commands.ts'

export const videoCommands: CommandSpec[] = [
  {
    name: 'ask',
    summary: 'Answer a question about a video, with the moments that support the answer',
    details:
      'Missing parts of the index are made first; --library asks over all indexed videos and makes none. Exit code 5: a limit was reached; 6: parts of the video could not be looked at.',
    arguments: [
      { ...videoArgument, kind: 'optional' },
      { name: 'question', about: 'the question, in quotes', kind: 'optional', values: 'text' },
    ],
    options: [
      option('--options A|B|C', 'choose one of these answers'),
      option('--library', 'find the videos first, then ask in the best of them; give only the question', {
        excludes: ['session', 'resume', 'replay', 'fork'],
      }),
      inOption,
      option('--k n', 'with --library: in how many videos it is asked at most; default 4', { needs: 'library' }),
      ...conversationOptions,
      ...budgetOptions,
      option('--graph name', 'another graph than the agent, for comparison', { values: graphChoices }),
      toolOption,
      ndjsonOption,
    ],
    examples: [
      'longtake ask talk.mp4 "Why did the second speaker leave?"',
      'longtake ask talk.mp4 "Which city is named first?" --options "Paris|Rome|Oslo"',
      'longtake ask talk.mp4 "When does the alarm ring?" --json | jq .evidence',
      'longtake ask talk.mp4 "What is said right after that?" --session talk',
      'longtake ask --library "In which lecture is the carbon budget explained, and by whom?" --in lectures',
      'longtake ask --resume 20261121-1203',
    ],
    load: () => import('../commands/ask.ts').then(it => it.ask),
  },
  chatCommand,
  sessionsCommand,
  {
    name: 'index',
    summary: 'Make the index of one or more videos; finished parts are reused',
    arguments: [{ ...videoArgument, kind: 'many' }],
    options: [
      option('--playlist', 'every video of a playlist, where the address of one is given'),
      option('--watch', 'every video in these folders and below, and what comes into them, until Ctrl-C', {
        excludes: ['playlist'],
      }),
      option('--dry-run', 'show what would be made, and the calls, tokens, money and time of captions; make nothing', {
        excludes: ['watch', 'queue', 'playlist'],
      }),
      option('--queue', 'by the workers of the cluster; see docs/cluster'),
      option('--upload', 'copy the files into the store, where the machines share no folder', { needs: 'queue' }),
      option('--detach', 'only ask for it, and do not wait', { needs: 'queue' }),
      option('--priority level', 'before or after what else waits', {
        values: ['low', 'normal', 'high'],
        needs: 'queue',
      }),
      ndjsonOption,
    ],
    examples: [
      'longtake index talk.mp4',
      'longtake index *.mkv --set index.level=quick',
      'longtake index talk.mp4 --dry-run --set index.captions.mode=shots',
      'longtake index --watch lectures/',
    ],
    load: () => import('../commands/index.ts').then(it => it.index),
  },
  {
    name: 'search',
    summary: 'Find moments by what is said, shown or heard, in one video or in all',
    details:
      'Without a video, or with --all, every indexed video is searched, and those without an index are named. Exit code 6: some could not be searched.',
    arguments: [
      { ...videoArgument, kind: 'optional' },
      { name: 'query', about: 'words to look for', kind: 'optional', values: 'text' },
    ],
    options: [
      option('--all', 'search every indexed video; give only the query'),
      inOption,
      option('--fast', 'in a cluster: the candidates of its tables as they are, without a look into the videos'),
      trackOption,
      option('--after time', 'only what begins after this time (1:02:03, 62)'),
      option('--before time', 'only what ends before this time'),
      option('--speaker who', 'only what this speaker says: a name, or the number of "Speaker 2"'),
      option('--k n', 'maximum number of moments'),
      option('--nth n', 'the nth matching moment in time order, from 1'),
      option('--frame time', 'search by the frame at this time instead of by words'),
    ],
    examples: [
      'longtake search talk.mp4 "carbon budget"',
      'longtake search talk.mp4 "applause" --track sound --after 10:00',
      'longtake search talk.mp4 --frame 12:04',
      'longtake search "carbon budget" --all',
    ],
    load: () => import('../commands/search.ts').then(it => it.search),
  },
  {
    name: 'show',
    summary: 'Show what is known of a video: chapters, shots, transcript, texts, sounds, coverage',
    arguments: [videoArgument],
    options: [trackOption],
    examples: [
      'longtake show talk.mp4',
      'longtake show talk.mp4 --track speech',
      'longtake show talk.mp4 --json | jq .coverage',
    ],
    load: () => import('../commands/show.ts').then(it => it.show),
  },
  {
    name: 'export',
    summary: 'Write what is known of a video as subtitles, a table, JSON or chapters',
    details: 'Subtitles hold what is said; --track chooses other tracks.',
    arguments: [videoArgument],
    options: [
      option('--format name', 'what to write', { values: exportFormats }),
      option('--out file', 'write to this file instead of stdout', fileValues),
      trackOption,
    ],
    examples: [
      'longtake export talk.mp4 --format srt --out talk.srt',
      'longtake export talk.mp4 --format csv > talk.csv',
    ],
    load: () => import('../commands/show.ts').then(it => it.exportTracks),
  },
]

const homeCommands: CommandSpec[] = [
  {
    name: 'config',
    summary: 'Show and check the settings',
    commands: commandsIn(() => import('../commands/config.ts').then(it => it.configCommands), {
      show: {
        summary: 'Show every setting in use',
        options: [option('--origin', 'show where each value comes from')],
        examples: ['longtake config show --origin', 'longtake config show --profile local'],
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
  },
  {
    name: 'cache',
    summary: 'Inspect and clean up what longtake keeps on disk',
    commands: commandsIn(() => import('../commands/cache.ts').then(it => it.cacheCommands), {
      ls: { summary: 'List the known videos', examples: ['longtake cache ls'] },
      du: { summary: 'Show how much disk space each video takes', examples: ['longtake cache du'] },
      verify: {
        summary: 'Read every result again and compare it with its hash',
        examples: ['longtake cache verify'],
      },
      prune: {
        summary: 'Remove results by age, or until a size is reached',
        options: [
          option('--older time', 'remove what was last used longer ago than this (30d, 12h)'),
          option('--max size', 'remove the oldest until no more than this is left (50GB)'),
          option('--dry-run', 'only show what would be removed'),
        ],
        examples: ['longtake cache prune --older 30d --dry-run', 'longtake cache prune --max 50GB'],
      },
    }),
  },
  {
    name: 'runs',
    summary: 'List, show and compare earlier questions and evaluations',
    commands: commandsIn(() => import('../commands/runs.ts').then(it => it.runsCommands), {
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
  },
  setupCommand,
]

const modelCommands: CommandSpec[] = [
  modelsCommand,
  toolCommand,
  {
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
  },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell',
    arguments: [{ name: 'shell', about: 'which shell', kind: 'one', values: ['bash', 'zsh', 'fish'] }],
    examples: [
      'source <(longtake completion bash)',
      'longtake completion fish > ~/.config/fish/completions/longtake.fish',
    ],
    load: () => import('../commands/completion.ts').then(it => it.completion),
  },
]

// All commands, in the order of the help. What they run on loads with the command that is run.
export async function loadCommands(): Promise<CommandSpec[]> {
  return [
    ...videoCommands,
    ...(await loadPackageCommands('longtake-eval', () => import('longtake-eval/commands'))),
    ...homeCommands,
    ...(await loadPackageCommands('longtake-serve', () => import('longtake-serve/commands'))),
    ...(await loadPackageCommands('longtake-cluster', () => import('longtake-cluster/commands'))),
    ...modelCommands,
  ]
}
