import { trackNames } from '../core/words/track-names.ts'
import { type ArgumentSpec, type OptionSpec, option } from './command.ts'

// Names that completion offers and the parser allows. They stand here, and not in their schemas, so that the help starts
// without loading these; a test holds both together.
export const profileChoices = ['auto', 'embedded', 'local', 'onnx', 'paper', 'remote'] as const
export const effortChoices = ['low', 'medium', 'high', 'max'] as const // src/config/efforts.ts
export const tierChoices = ['8GB', '16GB', '24GB', '80GB', 'embedded'] as const // src/config/tiers.ts
export const exportFormats = ['srt', 'vtt', 'json', 'csv', 'chapters'] as const
export const graphChoices = [
  'investigate',
  'converse',
  'retrieve-and-write',
  'single-pass',
  'search-then-answer',
  'longshot-v2',
  'dvd',
  'seek',
  'windows',
  'task-graph',
  'vgent',
  'video-rag',
  'videomind',
  'video-explorer',
] as const // graphs/index.ts

export const fileValues = { values: 'files' } as const
export const repeatable = { many: true } as const

// Options that every command takes.
export const commonOptions: OptionSpec[] = [
  option('--json', 'print the result as one JSON object on stdout'),
  option('--profile name', 'which backends to use', { values: profileChoices }),
  option('--model name', 'the model to ask: ollama/NAME, openai/NAME, vllm, http://HOST:PORT/v1; off: none'),
  option('--effort level', 'how much an answer may take: index, frames, checks and limits', { values: effortChoices }),
  option('--set name=value', 'a setting, such as index.level=quick; can be repeated', repeatable),
  option('--config path', 'the settings file, instead of the nearest longtake.config.json', fileValues),
  option('--trust-mtime', 'take a file of known path, size and modification time as unchanged (for network disks)'),
  option('--max-memory size', 'limit on the resident memory of longtake and its child processes, such as 500MB'),
  option('--verbose', 'show the profile, each stage of an index and each step of an answer', { letter: 'v' }),
  option('--quiet', 'no progress and no remarks on stderr'),
  option('--debug', 'show the stack trace of an error'),
]

export const videoArgument: ArgumentSpec = {
  name: 'video',
  about: 'a video or audio file, the id of a known one, or an address (ask, chat and index fetch it)',
  kind: 'one',
  values: 'files',
}
export const trackOption = option('--track name', 'only this track, or these: speech,text', {
  values: trackNames,
  many: true,
})
// For what goes over all videos.
export const inOption = option(
  '--in folder',
  'over all videos: only those whose file lies below this folder',
  fileValues,
)
export const ndjsonOption = option('--ndjson', 'print every event as a line of JSON on stdout, the result last', {
  excludes: ['json'],
})

// What bounds a question.
export const budgetOptions: OptionSpec[] = [
  option('--max-steps n', 'limit on rounds of tool calls'),
  option('--max-tokens n', 'limit on model tokens, input and output'),
  option('--max-frames n', 'limit on frames shown to a model'),
  option('--max-seconds n', 'limit on the wall clock time of the question'),
  option('--max-money n', 'limit on cost, in the currency of the configured prices'),
]

// A tool of the user's own, for every command that answers questions.
export const toolOption = option('--tool file', 'a tool of your own (.ts, .js, .mjs); can be repeated', {
  values: 'files',
  many: true,
})

// How a question belongs to a conversation, or resumes a run that was stopped.
export const conversationOptions: OptionSpec[] = [
  option('--session name', 'a conversation: earlier questions and answers count, and this one is kept', {
    excludes: ['resume'],
  }),
  option('--resume run', 'resume a stopped run from its last step; nothing is paid for twice', {
    excludes: ['session', 'options', 'graph'],
  }),
  option('--replay run', 'answer again from the recorded replies of that run; calls no model and needs no network', {
    excludes: ['session', 'options', 'graph', 'resume'],
  }),
  option('--fork run', 'go on from a step of that run in a new run, with the settings given now', {
    excludes: ['session', 'options', 'graph', 'resume', 'replay'],
  }),
  option('--from-step n', 'with --fork: the last step that is kept', { needs: 'fork' }),
  option('--hint text', 'with --fork: a hint for the planner, which is asked next', { needs: 'fork' }),
  option('--open', 'open the answer on the page of a running "longtake serve"'),
  option('--record', 'show where every call of a model or tool is recorded; it always is'),
]

// What a benchmark run and an ablation share.
export const dataOption = option(
  '--data path',
  'the folder with the annotations, or the annotation file itself',
  fileValues,
)
export const judgeOption = option(
  '--judge name',
  'who judges open answers; auto: model if models.judge is set, else words',
  {
    values: ['auto', 'model', 'words', 'off'],
  },
)
export const judgeModeOption = option('--judge-mode name', 'what the judge of cg-bench sees', {
  values: ['heuristic', 'text', 'vision', 'text+vision'],
})
export const wordingOption = option('--wording file', "a file with the judge's prompt, instead of ours", fileValues)
export const splitOption = option('--split name', 'one split of the data: needed where several lie there')
export const videosOption = option(
  '--videos folder',
  'the folder of the videos, if they are not beside the data',
  fileValues,
)
export const mapOption = option(
  '--map file',
  'a map by which --data is read, where it has another layout; see bench map',
  fileValues,
)
// Which part of which data.
export const dataOptions: OptionSpec[] = [
  dataOption,
  mapOption,
  videosOption,
  splitOption,
  option('--limit n', 'only the first n questions'),
]
export const sampleOptions: OptionSpec[] = [
  ...dataOptions,
  option('--task name', 'only this part of the protocol; can be repeated', repeatable),
]
export const runOptions: OptionSpec[] = [
  option('--dry-run', 'check the data, show what the work would take, and stop'),
  option('--concurrency n', 'questions at the same time; default 1'),
  judgeOption,
  wordingOption,
  option('--option name=value', 'a setting of the benchmark (see bench show); can be repeated', repeatable),
]
