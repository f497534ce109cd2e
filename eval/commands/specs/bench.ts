import { type ArgumentSpec, type CommandSpec, commandsIn, option } from '../../../src/cli/command.ts'
import {
  dataOption,
  dataOptions,
  fileValues,
  graphChoices,
  judgeModeOption,
  judgeOption,
  mapOption,
  repeatable,
  runOptions,
  sampleOptions,
  splitOption,
  toolOption,
  videosOption,
  wordingOption,
} from '../../../src/cli/options.ts'
import { benchmarkNames } from '../../benchmarks/index.ts'
import { ablateCommand, comparedForms } from './ablate.ts'
import { judgeCommands } from './bench-judges.ts'

const benchmark: ArgumentSpec = { name: 'name', about: 'the benchmark', kind: 'one', values: benchmarkNames }
const aRun = 'a run, given by its folder, its name, or the beginning of its name'
const run: ArgumentSpec = { name: 'run', about: aRun, kind: 'one', values: 'files' }
// What a making that is resumed or replayed has been told.
const saidBefore = ['recipe', 'seed', 'option', 'licence', 'exclude', 'minutes', 'videos', 'people']
const otherJudge = { values: ['model', 'words'] }

export const benchCommand: CommandSpec = {
  name: 'bench',
  summary: 'Run the agent over benchmarks, score, report and compare',
  commands: [
    ...commandsIn(() => import('../bench.ts').then(it => it.benchCommands), {
      list: { summary: 'List the benchmarks', examples: ['longtake bench list'] },
      show: {
        summary: 'Show what a benchmark asks, what to download and where it goes',
        arguments: [benchmark],
        examples: ['longtake bench show cg-bench'],
      },
    }),
    ...commandsIn(() => import('../make.ts').then(it => it.benchMakeCommands), {
      make: {
        summary: 'Make a benchmark: a set of your own videos by a recipe, or rendered videos (needle)',
        details:
          'The same seed gives the same files. Without "make.author", rules write from text and speech only. What was made is kept: --resume continues after a stop. Exit code 6: the money is spent, the set has no question, or it can be guessed.',
        arguments: [{ name: 'recipe', about: 'what is made', kind: 'optional', values: benchmarkNames }],
        options: [
          option('--recipe name', 'the same as the argument', { values: benchmarkNames }),
          option(
            '--from path',
            'a video, a folder of videos, a list of paths (.txt), or NAME:FOLDER, a set; can be repeated',
            {
              ...repeatable,
              ...fileValues,
            },
          ),
          option('--out folder', 'the folder for the set', fileValues),
          option('--seed n', 'random seed; default 1'),
          option('--option name=value', 'a setting of the recipe; can be repeated', repeatable),
          option('--licence text', 'the licence of the videos that state none'),
          option('--exclude file', 'ids or names of videos that are left out, one a line; can be repeated', {
            ...repeatable,
            ...fileValues,
          }),
          option('--copy', 'copy the videos into the set, in place of links'),
          option('--until stage', 'stop after a stage: source, or one of the recipe as made/ names them'),
          option('--dry-run', 'show what every stage will ask of models; asks none'),
          option('--concurrency n', 'videos whose questions are written side by side; default 1'),
          option('--resume set', 'resume a set that was stopped', {
            ...fileValues,
            excludes: ['replay', 'out', 'from', ...saidBefore],
          }),
          option('--replay set', 'the same set again, from its recorded calls; asks no model', {
            ...fileValues,
            excludes: ['from', 'dryRun', ...saidBefore],
          }),
          option(
            '--queue',
            'have the videos indexed and the models asked by the workers of the cluster; see docs/cluster',
            {
              excludes: ['replay'],
            },
          ),
          option('--minutes n', 'of what is rendered: length of each video, 2 to 180; default 5'),
          option('--videos n', 'of what is rendered: number of videos; default 3'),
          option(
            '--people',
            'of what is rendered: draw people in places, and ask who, why, which of two, and over several scenes',
          ),
        ],
        examples: [
          'longtake bench make cg-bench --from talks/ --out talks-set --option minMinutes=2',
          'longtake bench make videoeval-pro --from video-mme:video-mme/ --out open-twins',
          'longtake bench make needle --seed 7 --minutes 5 --videos 3 --out needle-7',
          'longtake bench make needle --people --seed 7 --out needle-people-7',
        ],
      },
    }),
    ...commandsIn(() => import('../fetch.ts').then(it => it.benchFetchCommands), {
      fetch: {
        summary: 'Fetch the data of a benchmark from the hub: says files, sizes and licence first, and pins what came',
        details:
          'Goes on where it stopped. data.lock.json keeps the revision and the hashes; later fetches and runs name what changed. Terms are never accepted for you: exit code 4 says where to.',
        arguments: [benchmark],
        options: [
          option('--what parts', 'annotations (default), subtitles, videos, clips; several with commas', {
            many: true,
          }),
          splitOption,
          option('--to folder', 'where they go; the name of the benchmark in this folder by default', fileValues),
          option('--revision name', 'branch, tag or commit; by default the one that was pinned, else main'),
          option('--dry-run', 'say what would be fetched, and stop'),
        ],
        examples: [
          'longtake bench fetch cg-bench --split mini --to cg-bench',
          'longtake bench fetch videoeval-pro --what annotations,videos --dry-run',
        ],
      },
    }),
    ...commandsIn(() => import('../map.ts').then(it => it.benchMapCommands), {
      map: {
        summary: 'Read a file of an unknown layout: lists its paths, proposes a map, shows five records read by it',
        details:
          'For questions with options. --records writes what a run reads, as the reader of the benchmark has tried.',
        arguments: [benchmark],
        options: [
          dataOption,
          option('--map file', 'a map of your own, or a corrected one, instead of a proposed one', fileValues),
          option('--out file', 'write the map', fileValues),
          option('--records file', 'write the records as JSON lines, for --data of a run', fileValues),
        ],
        examples: [
          'longtake bench map allvb --data annotations.json --out map.json',
          'longtake bench map allvb --data annotations.json --map map.json --records allvb.jsonl',
        ],
      },
    }),
    ...commandsIn(() => import('../videos.ts').then(it => it.benchVideosCommands), {
      videos: {
        summary:
          'List the videos that a benchmark asks about, and which are missing; --get fetches those with an address',
        details: 'Needs yt-dlp to fetch. Exit code 6: some videos are missing still, or cannot be read.',
        arguments: [benchmark],
        options: [
          ...dataOptions,
          option('--get', 'fetch what is missing, one video after another; run again, it goes on'),
          option('--missing', 'list only what is missing'),
          option('--format name', 'the list for other programs: id, address, questions, seconds, state, file', {
            values: ['txt', 'csv', 'json', 'yt-dlp'],
          }),
          option('--out file', 'with --format: the file for the list, instead of stdout', {
            ...fileValues,
            needs: 'format',
          }),
          option('--lock file', 'write size, sha256, length and frames of the videos that are there', {
            ...fileValues,
            excludes: ['format'],
          }),
          option('--verify file', 'compare the videos with such a file, or with video_meta_info.json of CG-Bench', {
            ...fileValues,
            excludes: ['lock', 'format'],
          }),
        ],
        examples: [
          'longtake bench videos lvbench --data lvbench/',
          'longtake bench videos lvbench --data lvbench/ --get',
          'longtake bench videos cg-bench --data cgbench_mini.json --missing --format yt-dlp --out wanted.txt',
          'longtake bench videos cg-bench --data cg-bench/ --verify video_meta_info.json',
        ],
      },
    }),
    ...commandsIn(() => import('../check.ts').then(it => it.benchCheckCommands), {
      check: {
        summary:
          'Hold a set to the checks of made benchmarks: form, options, duplicates, leaks, and what the options give away by themselves',
        details:
          'Reads only the annotations; no video and no model is needed. Only --ladder writes. Exit code 6: the options by themselves answer more than chance does.',
        arguments: [
          { name: 'folder', about: 'the folder of the set, or its annotation file', kind: 'one', values: 'files' },
        ],
        options: [
          option('--benchmark name', 'whose data these are, where the names of the files do not tell', {
            values: benchmarkNames,
          }),
          splitOption,
          mapOption,
          option(
            '--ladder study',
            'of a made set: put into its card what a study of it over the frames measured (ablate NAME --data SET --by alone --option frames=0,1,8,32)',
          ),
        ],
        examples: [
          'longtake bench check cg-bench/ --split mini',
          'longtake bench check my-set/ --json',
          'longtake bench check my-set/ --ladder 20261121-1203',
        ],
      },
    }),
    ...commandsIn(() => import('../review.ts').then(it => it.benchReviewCommands), {
      review: {
        summary: 'Have people review a made set: answer first, then see the key, then keep, fix or drop',
        details:
          'Serves a page only on this machine until Ctrl-C, and then writes the set without what was dropped. Several people may review at once, each under a name. With --people a page to write questions on; a set that was made --until source begins without any. Exit code 6: some verdicts of a file were refused.',
        arguments: [{ name: 'set', about: 'the folder of a made set', kind: 'one', values: 'files' }],
        options: [
          option('--as name', 'who reviews: names the file of the verdicts'),
          option('--people', 'write questions of your own instead (cg-bench); the checks run as you type', {
            excludes: ['static', 'import', 'share'],
          }),
          option('--static file', 'write one page that opens offline and saves verdicts as a file', {
            ...fileValues,
            excludes: ['import', 'port'],
          }),
          option('--import file', 'take verdicts from a file: JSON lines, or CSV {item, verdict, reasons, note}', {
            ...fileValues,
            excludes: ['port'],
          }),
          option('--share n', 'the share of questions that two people are to see, 0 to 1; default 0.2'),
          option('--port n', 'the port to listen on; default any free one'),
        ],
        examples: [
          'longtake bench review talks-set --as anna',
          'longtake bench review talks-set --people --as anna',
          'longtake bench review talks-set --static review.html',
          'longtake bench review talks-set --import verdicts-anna.jsonl',
        ],
      },
    }),
    ...commandsIn(() => import('../run.ts').then(it => it.benchRunCommands), {
      run: {
        summary: 'Ask the agent every question of a benchmark, judge, score and report',
        details:
          'Checks every video before anything is spent. --resume continues a stopped run. Without --data, needle uses its bundled split. Exit code 6: some questions could not be asked or judged.',
        arguments: [benchmark],
        options: [
          ...sampleOptions,
          option(
            '--by who',
            'who answers: longtake (default), alone (models.vision with the frames of the protocol), host (models.planner with the tools and the skill of a host), acp:COMMAND, mcp-host:COMMAND',
          ),
          option(
            '--variant name',
            'a mode of the paper, with --by alone: sets its options and names the run (see bench show)',
          ),
          option('--graph name', 'another graph than the agent, for comparison', { values: graphChoices }),
          toolOption,
          option('--out folder', 'the folder of the run, instead of one among the runs', fileValues),
          option('--resume run', `continue ${aRun}`, { excludes: ['out'] }),
          option('--replay run', 'a new run on the recorded replies of that one; calls no model and needs no network', {
            excludes: ['resume'],
          }),
          option(
            '--epochs n',
            'ask every question n times, each epoch after the first with its number as the seed: mean, spread, pass@n',
            { excludes: ['replay'] },
          ),
          option('--queue', 'have the questions asked by the workers of the cluster; see docs/cluster', {
            excludes: ['replay'],
          }),
          option('--record', 'show where every call of a model is recorded; it always is'),
          judgeModeOption,
          ...runOptions,
        ],
        examples: [
          'longtake bench run needle --profile embedded',
          'longtake bench run cg-bench --data cg-bench/ --split mini --dry-run',
          'longtake bench run cg-bench --data cg-bench/ --split mini --by alone --variant F+S',
          'longtake bench run needle --by host --model openai/NAME',
          'longtake bench run cg-bench --data cg-bench/ --resume 20261121-1203',
        ],
      },
    }),
    ...commandsIn(() => import('../reproduce.ts').then(it => it.benchReproduceCommands), {
      reproduce: {
        summary:
          'Repeat the run of a card, says first what differs here and then whether the score lies in its interval',
        details:
          'Data and videos are found by what they hold, whatever their names. No path, server or program of a card is used: name your own with --set, --config and --option. Stops before anything is asked if a difference can change the result. Exit code 6: a score lies outside, or questions could not be asked or judged.',
        arguments: [{ name: 'card', about: 'the card.json of a run', kind: 'one', values: 'files' }],
        options: [
          dataOption,
          videosOption,
          option('--anyway', 'ask the questions in spite of differences that can change the result'),
          option('--out folder', 'the folder of the run, instead of one among the runs', fileValues),
          option('--resume run', `continue ${aRun}`, { excludes: ['out'] }),
          ...runOptions.filter(({ flag }) => flag !== '--judge'),
        ],
        examples: [
          'longtake bench reproduce card/card.json --dry-run',
          'longtake bench reproduce card.json --data lvbench/ --videos films/ --set models.vision.url=http://127.0.0.1:8000/v1',
        ],
      },
    }),
    ...commandsIn(() => import('../results.ts').then(it => it.benchResultsCommands), {
      score: {
        summary: 'Score a file of replies, as the released scorer does or strictly, beside the published numbers',
        arguments: [benchmark],
        options: [
          dataOption,
          option(
            '--replies path',
            'JSON lines {id, replies, judge}, the output of the released tools (longshot, cg-bench, infinibench, videoeval-pro), or a log of lmms-eval or VLMEvalKit',
            fileValues,
          ),
          splitOption,
          mapOption,
          option('--scoring name', 'strict by default; without --json both are shown', {
            values: ['official', 'strict'],
          }),
          { ...judgeOption, about: 'judge the open answers again: by models.judge, or by words', ...otherJudge },
          { ...videosOption, about: 'where the videos lie: a judge that looks needs them', needs: 'judge' },
          wordingOption,
          option('--out file', 'save the replies with the new verdicts', fileValues),
        ],
        examples: [
          'longtake bench score cg-bench --data cgbench_mini.json --replies replies.jsonl --scoring official --json',
          'longtake bench score longshot --replies model_eval.jsonl',
        ],
      },
      report: {
        summary: 'Report one or several runs: tables here, or one page with charts and every sample',
        details:
          '--table puts runs into a table of a paper, with its columns and decimals; without a run it is the table as printed. Table infinibench:10 takes made sets that people reviewed.',
        arguments: [{ ...run, kind: 'any' }],
        options: [
          option('--tables', 'list the published tables'),
          option('--table id', 'a published table, with the runs in it; can be repeated', { many: true }),
          option(
            '--best-of setting',
            'of each model the best run among those that differ only in this setting, such as frames',
            {
              excludes: ['figure', 'figures', 'tables'],
            },
          ),
          option('--figures', 'list the figures'),
          option('--figure id', 'a figure of a paper, with the runs in it beside the numbers that the paper prints'),
          option('--html file', 'write one page that opens offline', fileValues),
          option('--csv file', 'write one line per sample; with --table or --figure its numbers', fileValues),
          option('--md file', 'write the tables as Markdown', fileValues),
          option('--svg file', 'write the figure as SVG', fileValues),
          option('--tex file', 'write the published tables (booktabs) or the figure (pgfplots) as LaTeX', fileValues),
        ],
        examples: [
          'longtake bench report --figure infinibench:frames 20261121-1203 --svg frames.svg --csv frames.csv',
          'longtake bench report --table cg-bench:mini 20261121-1203 --tex mini.tex',
          'longtake bench report f32 f64 f128 --best-of frames --table videoeval-pro:2',
          'longtake bench report my-set --table infinibench:10',
          'longtake bench report 20261121-1203',
          'longtake bench report needle-run --html report.html',
        ],
      },
      compare: {
        summary: 'Compare two runs question by question: which is better, and is it more than chance',
        arguments: [
          { ...run, name: 'run-a' },
          { ...run, name: 'run-b' },
        ],
        options: [
          option('--study', 'as a study does: also rows of a study, and the questions that flipped, side by side'),
          ...comparedForms.map(one => ({ ...one, needs: 'study' })),
        ],
        examples: [
          'longtake bench compare 20261121-1203 20261122-0915',
          'longtake bench compare run-a run-b --study --html compare.html',
        ],
      },
      export: {
        summary:
          'Write a run in the format of the released tools of its benchmark (longshot, cg-bench, infinibench, videoeval-pro), for its challenge, as a card, as a log of Inspect, or for the hub',
        details: 'Those tools can read the files, and so can "longtake bench score --replies".',
        arguments: [run],
        options: [
          option('--out folder', 'the folder for the files', fileValues),
          option('--name model', 'the model name to put into the files'),
          option(
            '--form name',
            'released (default); codabench: the zip that the challenge of infinibench takes; card: what another needs to repeat the run, as JSON and as a page; inspect: a log of Inspect; hub: .eval_results of a model repository',
            { values: ['released', 'codabench', 'card', 'inspect', 'hub'] },
          ),
          option(
            '--challenge file',
            'with --form codabench: {"<skill>": {"file": NAME, "key": FIELD}}, as the site has them',
            { ...fileValues, needs: 'form' },
          ),
        ],
        examples: [
          'longtake bench export 20261121-1203 --out results --name my-agent',
          'longtake bench export 20261121-1203 --form card --out card',
        ],
      },
    }),
    ...judgeCommands,
    ablateCommand,
  ],
}
