import type { CommandSpec, OptionSpec } from './types.ts'

// A tool of the person's own, for every command that answers questions.
export const toolOption: OptionSpec = {
  flag: '--tool',
  value: 'file',
  about: 'a tool of your own (.ts, .js, .mjs); may be given several times',
  values: 'files',
  many: true,
}

export const toolCommand: CommandSpec = {
  name: 'tool',
  summary: 'See and check what the agent can do to a video',
  commands: [
    {
      name: 'list',
      summary: 'List the tools, which of them the agent is shown, and what each may do',
      details: 'Starts the MCP servers of the settings, as a question does.',
      options: [toolOption],
      examples: [
        'longtake tool list',
        'longtake tool list --set tools.sets=all --json',
        'longtake tool list --tool ./my-tool.ts',
      ],
      load: () => import('../commands/tool.ts').then(it => it.list),
    },
    {
      name: 'check',
      summary: 'Try a tool of your own against what every tool promises',
      details:
        'It runs on a made-up minute of video; what it tries to write, start or ask is stopped. Exit code 2: it does not conform.',
      arguments: [{ name: 'file', about: 'the file of the tool', kind: 'one', values: 'files' }],
      options: [
        { flag: '--input', value: 'json', about: 'arguments to call it with, instead of ones made from its schema' },
        { flag: '--seconds', value: 'n', about: 'longest time of one call; 20 if left out' },
      ],
      examples: [
        'longtake tool check ./my-tool.ts',
        `longtake tool check ./my-tool.mjs --input '{"start": 0, "end": 10}'`,
      ],
      load: () => import('../commands/tool.ts').then(it => it.check),
    },
  ],
}
