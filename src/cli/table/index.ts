import { ablateCommand, compareCommand } from './ablate.ts'
import { benchCommand, graphChoices } from './bench.ts'
import { chatCommand, conversationOptions, sessionsCommand } from './chat.ts'
import { modelsCommand } from './models.ts'
import { exportFormats, trackNames } from './options.ts'
import { toolCommand, toolOption } from './tools.ts'
import type { ArgumentSpec, CommandSpec, OptionSpec } from './types.ts'

const video: ArgumentSpec = {
  name: 'video',
  about: 'a video or audio file, or the id of a known one',
  kind: 'one',
  values: 'files',
}
const tracks: OptionSpec = {
  flag: '--track',
  value: 'name',
  about: 'only this track, or these: speech,text',
  values: trackNames,
  many: true,
}
const events: OptionSpec = {
  flag: '--ndjson',
  about: 'every event as a line of JSON on stdout, the result last',
  excludes: ['json'],
}

const budgetFlags: OptionSpec[] = [
  { flag: '--max-steps', value: 'n', about: 'rounds of tool calls' },
  { flag: '--max-tokens', value: 'n', about: 'model tokens, in and out' },
  { flag: '--max-frames', value: 'n', about: 'frames shown to a model' },
  { flag: '--max-seconds', value: 'n', about: 'wall clock of the question' },
  { flag: '--max-money', value: 'n', about: 'in the currency of the configured prices' },
]

export const commandTable: CommandSpec[] = [
  {
    name: 'ask',
    summary: 'Answer a question about a video, with the moments that bear the answer out',
    details:
      'What is missing of the index is made first. Exit code 5: a limit was reached; 6: parts of the video could not be looked at.',
    arguments: [
      { ...video, kind: 'optional' },
      { name: 'question', about: 'the question, in quotes', kind: 'optional', values: 'text' },
    ],
    options: [
      { flag: '--options', value: 'A|B|C', about: 'choose one of these answers' },
      ...conversationOptions,
      ...budgetFlags,
      { flag: '--graph', value: 'name', about: 'another graph than the agent, to compare with', values: graphChoices },
      toolOption,
      events,
    ],
    examples: [
      'longtake ask talk.mp4 "Why did the second speaker leave?"',
      'longtake ask talk.mp4 "Which city is named first?" --options "Paris|Rome|Oslo"',
      'longtake ask talk.mp4 "When does the alarm ring?" --json | jq .evidence',
      'longtake ask talk.mp4 "What is said right after that?" --session talk',
      'longtake ask --resume 20261121-1203',
    ],
    load: () => import('../commands/ask.ts').then(it => it.default),
  },
  chatCommand(video, budgetFlags, events),
  sessionsCommand,
  {
    name: 'index',
    summary: 'Make the index of one or more videos; what is there already is kept',
    arguments: [{ ...video, kind: 'many' }],
    options: [events],
    examples: ['longtake index talk.mp4', 'longtake index *.mkv --set index.level=quick'],
    load: () => import('../commands/index.ts').then(it => it.default),
  },
  {
    name: 'search',
    summary: 'Find moments by what is said, shown or heard, in one video or in all',
    details:
      'Without a video, or with --all, every video that has an index is searched, and those that have none are named. Exit code 6: some could not be searched.',
    arguments: [
      { ...video, kind: 'optional' },
      { name: 'query', about: 'words to look for', kind: 'optional', values: 'text' },
    ],
    options: [
      { flag: '--all', about: 'in every video that has an index; then only the query is given' },
      tracks,
      { flag: '--after', value: 'time', about: 'only what begins after this time (1:02:03, 62)' },
      { flag: '--before', value: 'time', about: 'only what ends before this time' },
      { flag: '--k', value: 'n', about: 'how many moments at most' },
      { flag: '--nth', value: 'n', about: 'the nth moment in time order that fits, from 1' },
      { flag: '--frame', value: 'time', about: 'search by the frame at this time instead of by words' },
    ],
    examples: [
      'longtake search talk.mp4 "carbon budget"',
      'longtake search talk.mp4 "applause" --track sound --after 10:00',
      'longtake search talk.mp4 --frame 12:04',
      'longtake search "carbon budget" --all',
    ],
    load: () => import('../commands/search.ts').then(it => it.default),
  },
  {
    name: 'show',
    summary: 'Show what is known of a video: chapters, shots, transcript, texts, sounds, coverage',
    arguments: [video],
    options: [tracks],
    examples: [
      'longtake show talk.mp4',
      'longtake show talk.mp4 --track speech',
      'longtake show talk.mp4 --json | jq .coverage',
    ],
    load: () => import('../commands/show.ts').then(it => it.default),
  },
  {
    name: 'export',
    summary: 'Write what is known of a video as subtitles, a table, JSON or chapters',
    details: 'Subtitles hold what is said; with --track they hold other tracks.',
    arguments: [video],
    options: [
      { flag: '--format', value: 'name', about: 'what to write', values: exportFormats },
      { flag: '--out', value: 'file', about: 'write into this file instead of stdout', values: 'files' },
      tracks,
    ],
    examples: [
      'longtake export talk.mp4 --format srt --out talk.srt',
      'longtake export talk.mp4 --format csv > talk.csv',
    ],
    load: () => import('../commands/export.ts').then(it => it.default),
  },
  benchCommand,
  ablateCommand,
  compareCommand,
  {
    name: 'config',
    summary: 'Show and check the settings',
    commands: [
      {
        name: 'show',
        summary: 'Show every setting in use',
        options: [{ flag: '--origin', about: 'where each value comes from' }],
        examples: ['longtake config show --origin', 'longtake config show --profile local'],
        load: () => import('../commands/config.ts').then(it => it.show),
      },
      {
        name: 'schema',
        summary: 'Print what can be set: JSON schema, or a table',
        options: [{ flag: '--markdown', about: 'a table instead of JSON schema' }],
        examples: ['longtake config schema > longtake.schema.json', 'longtake config schema --markdown'],
        load: () => import('../commands/config.ts').then(it => it.schema),
      },
      {
        name: 'validate',
        summary: 'Check the settings, down to those of each backend',
        arguments: [{ name: 'file', about: 'a settings file', kind: 'optional', values: 'files' }],
        examples: ['longtake config validate', 'longtake config validate ./longtake.config.json'],
        load: () => import('../commands/config.ts').then(it => it.validate),
      },
    ],
  },
  {
    name: 'cache',
    summary: 'See and tidy what longtake keeps on disk',
    commands: [
      {
        name: 'ls',
        summary: 'List the videos that are known',
        examples: ['longtake cache ls'],
        load: () => import('../commands/cache.ts').then(it => it.ls),
      },
      {
        name: 'du',
        summary: 'Show how much room each video takes',
        examples: ['longtake cache du'],
        load: () => import('../commands/cache.ts').then(it => it.du),
      },
      {
        name: 'verify',
        summary: 'Read everything again and compare it with its hash',
        examples: ['longtake cache verify'],
        load: () => import('../commands/cache.ts').then(it => it.verify),
      },
      {
        name: 'prune',
        summary: 'Remove what has not been used for long, or what is too much',
        options: [
          { flag: '--older', value: 'time', about: 'what was last used longer ago than this (30d, 12h)' },
          { flag: '--max', value: 'size', about: 'the oldest, until no more than this is left (50GB)' },
          { flag: '--dry-run', about: 'only say what would be removed' },
        ],
        examples: ['longtake cache prune --older 30d --dry-run', 'longtake cache prune --max 50GB'],
        load: () => import('../commands/cache.ts').then(it => it.prune),
      },
    ],
  },
  {
    name: 'runs',
    summary: 'Look at earlier questions and evaluations',
    commands: [
      {
        name: 'ls',
        summary: 'List the runs, newest first',
        examples: ['longtake runs ls'],
        load: () => import('../commands/runs.ts').then(it => it.ls),
      },
      {
        name: 'show',
        summary: 'Show one run',
        arguments: [{ name: 'run', about: 'its name, or the beginning of it', kind: 'one', values: 'text' }],
        examples: ['longtake runs show 20261121-1203'],
        load: () => import('../commands/runs.ts').then(it => it.show),
      },
    ],
  },
  modelsCommand,
  toolCommand,
  {
    name: 'doctor',
    summary: 'Say for every role what is ready, what is missing and what mends it',
    details: 'Every role is given a tiny piece of its work: a frame, two seconds of sound, a question.',
    arguments: [
      { name: 'what', about: 'gpu: only whether an NVIDIA card can run the models', kind: 'optional', values: ['gpu'] },
    ],
    options: [{ flag: '--quick', about: 'only look whether everything is there; open nothing' }],
    examples: [
      'longtake doctor',
      'longtake doctor gpu',
      'longtake doctor --profile local',
      'longtake doctor --quick --json',
    ],
    load: () => import('../commands/doctor.ts').then(it => it.default),
  },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell',
    arguments: [{ name: 'shell', about: 'which shell', kind: 'one', values: ['bash', 'zsh', 'fish'] }],
    examples: [
      'source <(longtake completion bash)',
      'longtake completion fish > ~/.config/fish/completions/longtake.fish',
    ],
    load: () => import('../commands/completion.ts').then(it => it.default),
  },
]
