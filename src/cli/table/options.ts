import type { OptionSpec } from './types.ts'

// Names that completion offers and the parser allows. They stand here, and not in their schemas, so that the help starts
// without loading these; a test holds both together.
export const trackNames = ['speech', 'sound', 'text', 'picture', 'shot', 'summary', 'claim'] as const
export const profileChoices = ['auto', 'embedded', 'local', 'paper', 'remote'] as const
export const exportFormats = ['srt', 'vtt', 'json', 'csv', 'chapters'] as const

// Options that every command takes.
export const commonOptions: OptionSpec[] = [
  { flag: '--json', about: 'the result as one JSON object on stdout' },
  { flag: '--profile', value: 'name', about: 'which backends to use', values: profileChoices },
  {
    flag: '--set',
    value: 'name=value',
    about: 'one setting, as index.level=quick; may be given several times',
    many: true,
  },
  {
    flag: '--config',
    value: 'path',
    about: 'the settings file, instead of the nearest longtake.config.json',
    values: 'files',
  },
  {
    flag: '--trust-mtime',
    about: 'a file of known path, size and modification time counts as unchanged (for network disks)',
  },
  { flag: '--max-memory', value: 'size', about: 'resident memory of longtake and what it starts, as 500MB' },
  { flag: '--quiet', about: 'no progress and no remarks on stderr' },
  { flag: '--debug', about: 'show the stack of an error' },
]
