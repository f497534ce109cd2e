import { type CommandSpec, option } from '../../../src/cli/command.ts'
import { fileValues } from '../../../src/cli/options.ts'

export const commands: CommandSpec[] = [
  {
    name: 'serve',
    summary: 'Serve the library, questions and runs: a page for people, an API for programs of this machine',
    details: 'Only files in the folders that are named can be added. With --json one line says where it listens.',
    arguments: [{ name: 'folder', about: 'a folder of videos', kind: 'any', values: 'files' }],
    options: [
      option('--port n', 'listen there; 0: any free port; default 4747'),
      option('--open', 'open the page in the browser'),
      option('--new-token', 'make a new token; open pages and programs need the new one'),
      option('--host address', 'listen to other machines too; needs serve.keyVariable and --trust-host'),
      option('--trust-host name', 'a name by which other machines reach this one; can be repeated', { many: true }),
    ],
    examples: ['longtake serve lectures/ --open', 'longtake serve lectures/ --port 0 --json'],
    load: () => import('./serve.ts').then(it => it.serve),
  },
  {
    name: 'mcp',
    summary: 'Serve the library and questions to an MCP host over stdin and stdout',
    details: 'Only files in the folders that are named can be added. A host starts it itself and ends it.',
    arguments: [{ name: 'folder', about: 'a folder of videos', kind: 'any', values: 'files' }],
    options: [
      option('--only video', 'serve only the tools that read, and of one video: its id or name'),
      option(
        '--record file',
        'append every call of a tool to this file: what was asked, seconds, pictures',
        fileValues,
      ),
    ],
    examples: ['longtake mcp lectures/', 'claude mcp add longtake -- npx longtake mcp lectures/'],
    load: () => import('./mcp.ts').then(it => it.mcp),
  },
]
