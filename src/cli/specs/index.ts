import { type CommandGroup, type CommandSpec, option } from '../command.ts'
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
import { fromPackage, isMissing, type PackageName, packageCommands } from '../packages.ts'
import { chatCommand } from './chat.ts'
import { earlierHomeCommands, homeCommands } from './home.ts'
import { memoryCommands } from './memory.ts'

const askCommand: CommandSpec = {
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
    option('--until time', 'as of then: nothing later is known (3:20.5)', {
      excludes: ['library', 'session', 'resume', 'replay', 'fork'],
    }),
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
}

const indexCommand: CommandSpec = {
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
}

const searchCommand: CommandSpec = {
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
}

const showCommand: CommandSpec = {
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
}

const exportCommand: CommandSpec = {
  name: 'export',
  summary: 'Write what is known of a video as subtitles, a table, JSON or chapters',
  details: 'Subtitles hold what is said; --track chooses other tracks.',
  arguments: [videoArgument],
  options: [
    option('--format name', 'what to write', { values: exportFormats }),
    option('--as form', 'folder: overview, rows and sheets of frames as files that any model reads', {
      values: ['folder'],
      excludes: ['format', 'track'],
    }),
    option('--out file', 'write to this file instead of stdout', fileValues),
    trackOption,
  ],
  examples: [
    'longtake export talk.mp4 --format srt --out talk.srt',
    'longtake export talk.mp4 --format csv > talk.csv',
    'longtake export talk.mp4 --as folder --out talk',
  ],
  load: () => import('../commands/show.ts').then(it => it.exportTracks),
}

const lsCommand: CommandSpec = {
  name: 'ls',
  summary: 'List the videos that longtake knows',
  examples: ['longtake ls', 'longtake ls --json'],
  load: () => import('../commands/cache.ts').then(it => it.cacheCommands.ls),
}

export const askCommands = [askCommand, chatCommand, searchCommand]
export const libraryCommands = [lsCommand, indexCommand, showCommand, exportCommand]

// A command of the top level belongs to a group of the help.
const grouped = (group: CommandGroup, commands: readonly CommandSpec[]) =>
  commands.map(command => (command.isHidden ? command : { ...command, group }))

// All commands, in the order of the help. What they run on loads with the command that is run.
export async function loadCommands(): Promise<CommandSpec[]> {
  return [
    ...grouped('Ask', askCommands),
    ...grouped('Library', libraryCommands),
    ...grouped('Serve', await loadPackageCommands('longtake-serve', () => import('longtake-serve/commands'))),
    ...grouped('Measure', await loadPackageCommands('longtake-eval', () => import('longtake-eval/commands'))),
    ...grouped('Machines', await loadPackageCommands('longtake-cluster', () => import('longtake-cluster/commands'))),
    ...grouped('Maintenance', homeCommands),
    ...memoryCommands,
    ...earlierHomeCommands,
  ]
}

// The commands of a package; one that is not installed has them too, and they name the line that installs it.
async function loadPackageCommands(
  name: PackageName,
  load: () => Promise<{ commands: readonly CommandSpec[] }>,
): Promise<readonly CommandSpec[]> {
  try {
    return (await load()).commands
  } catch (error) {
    if (!isMissing(name, error)) throw error
    const { commands, earlierNames } = packageCommands[name]
    return [...commands, ...earlierNames].map(command => ({
      name: command,
      ...((earlierNames as readonly string[]).includes(command) && { isHidden: true as const }),
      summary: `Needs the package ${name}, which is not installed`,
      arguments: [{ name: 'word', about: 'its arguments', kind: 'any', values: 'text' }],
      isMissing: true,
      load: () => fromPackage(name, `longtake ${command}`, () => Promise.reject(error)),
    }))
  }
}
