import { type ArgumentSpec, type CommandSpec, commandsIn, option } from '../command.ts'
import { fileValues, tierChoices, toolOption } from '../options.ts'

const names: ArgumentSpec = {
  name: 'names',
  about: 'a profile, roles, or models by name; default: all models of the profile in use ("local" for auto)',
  kind: 'any',
  values: 'text',
}

export const modelsCommand: CommandSpec = {
  name: 'models',
  summary: 'Download, check and remove the models that the backends run on',
  details:
    'Models of the hub are stored in its own cache (HF_HOME), where other tools find them too; HF_ENDPOINT names a mirror, HF_TOKEN a token, and HF_HUB_OFFLINE=1 forbids all requests. Ollama stores its models itself.',
  commands: commandsIn(() => import('../commands/models.ts').then(it => it.modelsCommands), {
    list: {
      summary: 'Show which models the roles run on, and whether they are here',
      arguments: [names],
      examples: ['longtake models list', 'longtake models list paper'],
    },
    pull: {
      summary: 'Download what is missing; an interrupted download resumes',
      arguments: [names],
      options: [
        option('--dry-run', 'only show what would be downloaded and how large it is'),
        option('--update', 'the newest version, instead of the one that was downloaded first'),
      ],
      examples: [
        'longtake models pull local --dry-run',
        'longtake models pull local',
        'longtake models pull embedImage',
      ],
    },
    verify: {
      summary: 'Read every file again and compare it with its checksum',
      arguments: [names],
      examples: ['longtake models verify'],
    },
    rm: {
      summary: 'Remove models that longtake has downloaded',
      arguments: [names],
      examples: ['longtake models rm onnx-community/whisper-small_timestamped', 'longtake models rm local'],
    },
    path: {
      summary: 'Print the folders of the models',
      arguments: [names],
      examples: ['longtake models path embedImage'],
    },
  }),
}

export const setupCommand: CommandSpec = {
  name: 'setup',
  summary: 'Choose the models for this machine, download them and write your settings',
  details:
    'Finds the graphics card, servers, keys and disk, and offers what fits. A key is used only where you choose its provider. Interrupted, the same command goes on. Exit code 2: there was nobody to ask; 4: some of it could not be done.',
  options: [
    option('--tier name', 'the models of a memory class (docs/models.md); embedded: none', { values: tierChoices }),
    option('--yes', 'ask nothing: do what fits this machine, or what --tier and --model say'),
    option(
      '--from path',
      'take model files from a folder or archive of your own, with SHA256SUMS, not from the hub',
      fileValues,
    ),
    option('--dry-run', 'only show what would be done'),
  ],
  examples: [
    'longtake setup',
    'longtake setup --dry-run',
    'longtake setup --yes --tier 16GB',
    'longtake setup --yes --model ollama/qwen3.5:9b',
    'longtake setup --yes --tier 8GB --from mirror.tar.gz',
  ],
  load: () => import('../commands/setup.ts').then(it => it.setup),
}

export const toolCommand: CommandSpec = {
  name: 'tool',
  summary: 'List and check what the agent can do to a video',
  commands: commandsIn(() => import('../commands/tool.ts').then(it => it.toolCommands), {
    list: {
      summary: 'List the tools, which of them the agent is shown, and what each may do',
      details: 'Starts the MCP servers of the settings, as a question does.',
      options: [toolOption],
      examples: [
        'longtake config tool list',
        'longtake config tool list --set tools.sets=all --json',
        'longtake config tool list --tool ./my-tool.ts',
      ],
    },
    check: {
      summary: 'Check that a tool of your own keeps the contract of every tool',
      details:
        'It runs on a synthetic minute of video; attempts to write files, start programs or open connections are blocked. Exit code 2: it does not conform.',
      arguments: [{ name: 'file', about: 'the file of the tool', kind: 'one', values: 'files' }],
      options: [
        option('--input json', 'arguments to call it with, instead of ones made from its schema'),
        option('--seconds n', 'time limit of one call; default 20'),
      ],
      examples: [
        'longtake config tool check ./my-tool.ts',
        `longtake config tool check ./my-tool.mjs --input '{"start": 0, "end": 10}'`,
      ],
    },
  }),
}
