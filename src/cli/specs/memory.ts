import { findHits } from '../../core/words/default-hits.ts'
import { type CommandSpec, option } from '../command.ts'
import { fileValues, videoArgument } from '../options.ts'

const source = { ...videoArgument, about: 'a video, its id or name, or a folder of known videos as one' }
const words = (name: string, about: string) => ({ name, about, kind: 'one', values: 'text' }) as const
const span = [option('--start time', 'from there on (3:20.5)'), option('--end time', 'until there')]
const at = option('--at moment', 'a time, or the id of a row')
const until = option('--until time', 'as of then: nothing later is known')
const tracks = option('--tracks list', 'only these: speech,text')
const out = option('--out file', 'where the picture or sound goes', fileValues)

const specs: Omit<CommandSpec, 'load'>[] = [
  {
    name: 'overview',
    summary: 'What is known of a video: length, chapters, people, rows, gaps, who answers',
    arguments: [source],
    options: [until],
    examples: ['longtake overview talk.mp4'],
  },
  {
    name: 'find',
    summary: 'Find rows of a video, with scores, counted; as a host of MCP has it',
    arguments: [source, words('words', 'two to four plain words')],
    options: [...span, tracks, option('--limit n', `how many; default ${findHits}`), until],
    examples: ['longtake find talk.mp4 "carbon budget"'],
  },
  {
    name: 'read',
    summary: 'Read all rows of a span, of a moment, or of a whole video, counted and in order of time',
    arguments: [source],
    options: [...span, at, tracks, option('--page n', 'the next page'), until],
    examples: ['longtake read talk.mp4 --start 3:20 --end 4:00', 'longtake read lectures/ --at 1:02:03'],
  },
  {
    name: 'view',
    summary: 'Save frames of a span as one sheet',
    arguments: [source],
    options: [
      ...[...span, at, out, option('--frames n', 'how many')],
      option('--shots', 'one frame of each shot'),
      option('--region name', 'enlarge a part: top-left, center, bottom'),
      option('--width n', 'of one frame, in pixels'),
      option('--question words', 'a vision model answers in words instead'),
      until,
    ],
    examples: ['longtake view talk.mp4 --start 3:20 --end 3:40 --out sheet.jpg'],
  },
  {
    name: 'hear',
    summary: 'Hear a span again: as words, audio or a spectrogram',
    arguments: [source],
    options: [...span, option('--as form', 'default words', { values: ['words', 'audio', 'spectrogram'] }), out],
    examples: ['longtake hear talk.mp4 --start 3:20 --end 3:40'],
  },
  {
    name: 'verify',
    summary: 'Verify a claim against the rows of a span',
    arguments: [source, words('claim', 'one plain sentence')],
    options: span,
    examples: ['longtake verify talk.mp4 "The ticket costs 12 euro." --start 3:20 --end 3:40'],
  },
]

// The tools of a host on the command line.
export const memoryCommands: CommandSpec[] = specs.map(spec => ({
  ...spec,
  isHidden: true, // the help is for people: the skill and docs/server.md name them
  load: () => import('../commands/memory.ts').then(it => it.memoryCommand(spec.name)),
}))
